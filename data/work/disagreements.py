"""Where people differ from each other, and where a judge differs from people who agree or from one person
alone: two queues, kept apart.

Both rest on ratings alone: how many raters a plan asks for, or a majority, settles nothing. A label is the
last one that a rater gave blind; labels filled in by rule, practice and hidden repeats are in no queue, and
"cannot rate" is no label.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    distinct,
    exists,
    false,
    func,
    or_,
    select,
    true,
)

from data import schema
from data.judgements import first_labels_only
from data.rater_identities import counts_once, rater_ids_of_person
from data.studies import Study
from data.units import Unit
from data.work import conflicts
from data.work import plan as plans
from data.work.practice import given_for_real
from data.work.queue_parts import FIRST_PART, DisagreementList, QueuePart, read_part
from data.work.scale_places import is_safety, label_place

Queue = Literal["human_human", "human_judge"]
LabelledBy = Literal[
    "anybody", "several", "alone"
]  # how many people gave a blind label: any, two or more, one
LISTED = 200


def between_people(
    connection: Connection,
    study: Study,
    at_most: int = LISTED,
    unit: Unit | None = None,
    rater_id: int | None = None,
    part: QueuePart = FIRST_PART,
) -> DisagreementList:
    """Criteria on which blind labels of two or more raters differ and that are not settled: safety first,
    then how far apart, then position.

    Of one unit only, or without what a rater has rated or may still be given to rate.
    """
    labels = _grouped(study, unit)
    return read_part(
        connection,
        study,
        _open(connection, study, labels, labels.c.distance, rater_id).where(labels.c.different > 1),
        at_most,
        part,
    )


def with_judges(
    connection: Connection,
    study: Study,
    at_most: int = LISTED,
    unit: Unit | None = None,
    rater_id: int | None = None,
    labelled_by: LabelledBy = "anybody",
    part: QueuePart = FIRST_PART,
) -> DisagreementList:
    """Criteria on which all blind labels agree and the first verdict of some judge is another label: safety
    first, then those that several people labelled, then how far apart, then position. A judge's failure is no
    label.

    The label of one person alone agrees with nobody else's: `labelled_by` asks for the two kinds apart.
    """
    labels, verdict = _grouped(study, unit), schema.judgement
    theirs = label_place(study, verdict.c.criterion, verdict.c.label)
    apart = func.max(
        case((or_(theirs.is_(None), labels.c.low.is_(None)), 1.0), else_=func.abs(theirs - labels.c.low))
    )
    number_of_people = {
        "anybody": true(),
        "several": labels.c.raters > 1,
        "alone": labels.c.raters == 1,
    }[labelled_by]
    statement = (
        _open(connection, study, labels, apart, rater_id)
        .join(verdict, and_(verdict.c.unit_id == labels.c.unit_id, verdict.c.criterion == labels.c.criterion))
        .where(
            labels.c.different == 1,
            number_of_people,
            verdict.c.study_id == study.id,
            verdict.c.status == "ok",
            verdict.c.label != labels.c.label,
            first_labels_only(),
        )
        .group_by(labels.c.unit_id, labels.c.criterion)
    )
    return read_part(connection, study, statement, at_most, part)


def differ(connection: Connection, study: Study, unit: Unit) -> Mapping[str, Queue]:
    """By criterion of one unit, who differs from whom, settled or not."""
    labels, verdict = _grouped(study, unit), schema.judgement
    judged = exists().where(
        verdict.c.unit_id == labels.c.unit_id,
        verdict.c.criterion == labels.c.criterion,
        verdict.c.study_id == study.id,
        verdict.c.status == "ok",
        verdict.c.label != labels.c.label,
        first_labels_only(),
    )
    rows = connection.execute(select(labels.c.criterion, labels.c.different, judged.label("judged"))).all()
    queues: dict[str, Queue] = {
        row.criterion: "human_judge" for row in rows if row.different == 1 and row.judged
    }
    return queues | {row.criterion: "human_human" for row in rows if row.different > 1}


def blind_labels(study_id: int, unit_ids: Collection[int] | None = None) -> Select[Any]:
    """Ids of the ratings that count here, "cannot rate" included: the last blind one of each rater, criterion
    and unit. `unit_ids`: of these only; None: of all.
    """
    rating, unit = schema.rating, schema.unit
    latest = select(func.max(rating.c.id).label("id")).where(
        rating.c.study_id == study_id, rating.c.exposure == "blind", rating.c.source != "rule"
    )
    if unit_ids is not None:
        latest = latest.where(rating.c.unit_id.in_(unit_ids))
    latest_blind = latest.group_by(rating.c.criterion, rating.c.unit_id, rating.c.rater_id).subquery()
    return (
        select(rating.c.id)
        .join(latest_blind, latest_blind.c.id == rating.c.id)
        .join(unit, unit.c.id == rating.c.unit_id)
        .where(counts_once(rating, ("blind",)), *given_for_real(rating))
    )


def latest_settlements(study_id: int) -> Select[Any]:
    """Ids of the adjudications that hold: the last one of each criterion and unit."""
    table = schema.adjudication
    return (
        select(func.max(table.c.id).label("id"))
        .where(table.c.study_id == study_id)
        .group_by(table.c.unit_id, table.c.criterion)
    )


def _grouped(study: Study, unit: Unit | None) -> CTE:
    """One row a criterion of a unit that somebody labelled blind."""
    rating = schema.rating
    latest_blind = blind_labels(study.id, (unit.id,) if unit else None).subquery()
    value = label_place(study, rating.c.criterion, rating.c.label)
    labels = (
        select(rating.c.unit_id, rating.c.criterion, rating.c.label, rating.c.trail, value.label("value"))
        .join(latest_blind, latest_blind.c.id == rating.c.id)
        .where(rating.c.label.is_not(None))
        .subquery()
    )
    c = labels.c
    return (
        select(
            c.unit_id,
            c.criterion,
            func.count().label("raters"),
            func.count(distinct(c.label)).label("different"),
            func.min(c.label).label("label"),
            func.min(c.value).label("low"),
            func.max(c.trail).label("newest"),
            # A label outside the order, such as "does not apply", is as far from every other as can be.
            case(
                (func.count(c.value) == func.count(), func.max(c.value) - func.min(c.value)), else_=1.0
            ).label("distance"),
        )
        .group_by(c.unit_id, c.criterion)
        .cte("grouped")
    )


def _open(
    connection: Connection, study: Study, labels: CTE, distance: ColumnElement[Any], rater_id: int | None
) -> Select[Any]:
    """What nobody settled, or what was settled before the newest of its labels came."""
    settled, latest = schema.adjudication.alias("settled"), latest_settlements(study.id).subquery("kept")
    last = (
        select(settled.c.unit_id, settled.c.criterion, settled.c.trail)
        .join(latest, latest.c.id == settled.c.id)
        .subquery("last")
    )
    statement = (
        select(
            labels.c.unit_id,
            schema.unit.c.position,
            labels.c.criterion,
            is_safety(study, labels.c.criterion).label("gate"),
            distance.label("apart"),
            labels.c.raters,
            last.c.trail.is_not(None).label("reopened"),
        )
        .select_from(labels)
        .join(schema.unit, schema.unit.c.id == labels.c.unit_id)
        .outerjoin(last, and_(last.c.unit_id == labels.c.unit_id, last.c.criterion == labels.c.criterion))
        .where(or_(last.c.trail.is_(None), labels.c.newest > last.c.trail))
    )
    if rater_id is None:
        return statement
    rating, own_ids = schema.rating, rater_ids_of_person(connection, rater_id)
    return statement.where(
        ~on_list(labels.c.unit_id, rater_id),
        ~may_still_come(connection, study, labels.c.unit_id, rater_id),
        ~exists().where(rating.c.unit_id == labels.c.unit_id, rating.c.rater_id.in_(own_ids)),
    )


def may_still_come(
    connection: Connection, study: Study, unit_id: ColumnElement[int], rater_id: int
) -> ColumnElement[bool]:
    """Condition: with the study's plan the unit could still be given to the rater. What is said of it, a
    count of differences too, would tell them how it was labelled: the count would fall when they take it.

    It cannot come any more once as many as were asked for have committed it, or once the rater opened its
    conversation.
    """
    plan = plans.current(connection, study.id)
    if plan is None or not plan.admits(rater_id):
        return false()
    assignment, commit, unit = schema.assignment.alias(), schema.commit.alias(), schema.unit.alias()
    practised = exists().where(
        assignment.c.rater_id == commit.c.rater_id,
        assignment.c.unit_id == commit.c.unit_id,
        assignment.c.purpose != "real",
    )
    counted = (
        (commit.c.rater_id.in_(plan.raters),) if plan.each else ()
    )  # of named raters each is wanted, whoever else rated it
    # Not correlated, so that the commits are counted once and not again for every unit.
    complete = (
        select(commit.c.unit_id)
        .join(unit, unit.c.id == commit.c.unit_id)
        .where(unit.c.study_id == study.id, ~practised, *counted)
        .group_by(commit.c.unit_id)
        .having(func.count(commit.c.id) >= plan.wanted)
    )
    seen = select(unit.c.id).where(
        unit.c.conversation_id.in_(conflicts.seen_conversations(connection, rater_id))
    )
    return and_(unit_id.not_in(complete), unit_id.not_in(seen))


def may_be_told(connection: Connection, study: Study, rater_id: int) -> set[int]:
    """The units of a study of which this person may be told what colleagues noted: those that cannot come to
    them any more.
    """
    unit = schema.unit
    return set(
        connection.execute(
            select(unit.c.id).where(
                unit.c.study_id == study.id, ~may_still_come(connection, study, unit.c.id, rater_id)
            )
        ).scalars()
    )


def on_list(unit_id: ColumnElement[int], rater_id: int) -> ColumnElement[bool]:
    """Condition: the rater holds the unit, left it for later, or had it until its time ran out: it may come
    to them again.
    """
    assignment, happened = schema.assignment, schema.assignment_event
    last = (
        select(happened.c.kind)
        .where(happened.c.assignment_id == assignment.c.id)
        .order_by(happened.c.id.desc())
        .limit(1)
        .correlate(assignment)
        .scalar_subquery()
    )
    return exists().where(
        assignment.c.unit_id == unit_id,
        assignment.c.rater_id == rater_id,
        or_(last.is_(None), last != "committed"),
    )
