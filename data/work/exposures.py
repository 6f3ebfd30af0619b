"""What a rater has been shown of the judge, and for which of their committed units it is due.

Who may see what: data/access/permissions.py. Recording a reveal: data/access/reveals.py.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import ColumnElement, Connection, Integer, Select, bindparam, exists, select

from data import schema
from data.record.studies import Study
from data.record.units import Unit
from data.store.trail import TrailEntry
from data.work import repeats
from data.work.same_words import saw_same_words
from data.work.worklist import Worklist


def exposure_now(connection: Connection, study: Study, unit: Unit, rater_id: int) -> str:
    """What has been shown, for a rating given now; the most counts.

    blind, revealed (this unit's judge), open (open review) or page (the judge's labels were seen elsewhere,
    or may have been).
    """
    if study.review == "open":
        return "open"
    row = connection.execute(_select_exposures(), {"rater": rater_id, "unit": unit.id}).one()
    if row.judge_of_unit:
        return "revealed"
    saw_elsewhere = row.page_of_labels or row.judge_in_file or saw_same_words(connection, unit, rater_id)
    return "page" if saw_elsewhere else "blind"


@cache
def _select_exposures() -> Select[bool, bool, bool]:
    """Asked with every unit and every commit, so it is one statement, made once. Whether the rater saw

    judge_of_unit: a judge of the unit, or of the one that it shows again,
    page_of_labels: a page with the judge's labels of the whole study,
    judge_in_file: the judge, when this person labelled the unit in a file; also if that is unknown.
    """
    exposure, rating, identity, repeat = schema.exposure, schema.rating, schema.rater_identity, schema.repeat
    rater_id, unit_id = bindparam("rater", type_=Integer), bindparam("unit", type_=Integer)
    original = select(repeat.c.of_unit_id).where(repeat.c.unit_id == unit_id).scalar_subquery()
    unit_ids = (unit_id, original)
    imported = select(identity.c.rater_id).where(identity.c.person_id == rater_id)
    return select(
        exists()
        .where(exposure.c.rater_id == rater_id, exposure.c.unit_id.in_(unit_ids))
        .label("judge_of_unit"),
        exists().where(exposure.c.rater_id == rater_id, exposure.c.kind == "page").label("page_of_labels"),
        exists()
        .where(
            rating.c.rater_id.in_(imported),
            rating.c.unit_id.in_(unit_ids),
            rating.c.exposure != "blind",
        )
        .label("judge_in_file"),
    )


def revealed(connection: Connection, rater_id: int, unit_id: int, before: int | None = None) -> bool:
    """Whether a judge of this unit was shown to this rater; with `before`, at that place in the trail."""
    return _has(connection, rater_id, schema.exposure.c.unit_id == unit_id, before)


def saw_page(connection: Connection, rater_id: int, before: int | None = None) -> bool:
    """Whether this rater opened a page that shows the judge's labels of the whole study; `before` too."""
    return _has(connection, rater_id, schema.exposure.c.kind == "page", before)


def _has(
    connection: Connection, rater_id: int, condition: ColumnElement[bool], before: int | None = None
) -> bool:
    table = schema.exposure
    earlier = [] if before is None else [table.c.trail < before]
    found = connection.execute(
        select(table.c.id).where(table.c.rater_id == rater_id, condition, *earlier).limit(1)
    )
    return found.first() is not None


def due_units(worklist: Worklist, unit_ids: list[int]) -> set[int]:
    """Return those of the units whose judge the rater of this list may see now because they committed them;
    of one unit, `permissions.may` tells it. Units that no judge labelled are not among them.
    """
    if not worklist.study.shows_judge or not unit_ids:
        return set()
    commit = schema.commit
    statement = select(commit.c.unit_id).where(
        commit.c.rater_id == worklist.rater_id,
        commit.c.unit_id.in_(unit_ids),
        *_may_be_shown(worklist),
    )
    return set(worklist.connection.execute(statement).scalars())


def first_to_compare(worklist: Worklist) -> int | None:
    """Return the place of the first committed unit whose judge is due and not yet revealed, or None."""
    if not worklist.study.shows_judge:
        return None
    rater_id = worklist.rater_id
    statement = (
        select(schema.progress.c.position)
        .join(
            schema.commit,
            (schema.commit.c.unit_id == schema.progress.c.unit_id) & (schema.commit.c.rater_id == rater_id),
        )
        .where(
            schema.progress.c.rater_id == rater_id,
            schema.progress.c.state == "committed",
            *_may_be_shown(worklist),
        )
    )
    position: int | None = worklist.connection.execute(
        statement.order_by(schema.progress.c.position).limit(1)
    ).scalar()
    return position


def _may_be_shown(worklist: Worklist) -> list[ColumnElement[bool]]:
    """Which commits have a judge that may be shown: in a full batch where the study says so, and not held
    back for a repeat.
    """
    commit, study = schema.commit, worklist.study
    conditions = [_judged(commit.c.unit_id)]
    if study.reveal == "after_batch" and not worklist.finished:
        conditions.append(
            commit.c.ordinal <= worklist.progress.committed // study.batch_size * study.batch_size
        )
    if worklist.plan is not None:
        conditions.append(~repeats.held_back(commit.c.unit_id, worklist.rater_id, worklist.finished))
    return conditions


def _judged(unit_column: ColumnElement[int]) -> ColumnElement[bool]:
    return exists().where(schema.judgement.c.unit_id == unit_column, schema.judgement.c.anchor_round == 0)


def judges_of(connection: Connection, unit_id: int) -> list[int]:
    """The judges that said something about a unit, a failed call included; an answer to an anchor is none."""
    table = schema.judgement
    own = select(table.c.judge_id).where(table.c.unit_id == unit_id, table.c.anchor_round == 0)
    return list(connection.execute(own.distinct().order_by(table.c.judge_id)).scalars())


def unseen_judges(connection: Connection, unit: Unit, rater_id: int) -> list[int]:
    """The unit's judges that were not yet revealed to this rater; one may have come after the others were."""
    table = schema.exposure
    seen = set(
        connection.execute(
            select(table.c.judge_id).where(table.c.rater_id == rater_id, table.c.unit_id == unit.id)
        ).scalars()
    )
    return [judge_id for judge_id in judges_of(connection, unit.id) if judge_id not in seen]


def shown_judges(connection: Connection, study: Study, rater_id: int) -> set[int]:
    """Return the ids of the study's judges with a label that this rater was shown. Only these may be named
    to somebody who still rates blind: a name may tell the model, and who made it.
    """
    shown, judge = schema.exposure, schema.judge
    statement = (
        select(shown.c.judge_id)
        .join(judge, judge.c.id == shown.c.judge_id)
        .where(shown.c.rater_id == rater_id, shown.c.unit_id.is_not(None), judge.c.study_id == study.id)
    )
    return set(connection.execute(statement.distinct()).scalars())


def record_page(connection: Connection, entry: TrailEntry, rater_id: int) -> None:
    """Record that a rater opened a page with the judge's labels; their later ratings are not blind."""
    if not saw_page(connection, rater_id):
        entry.write(schema.exposure, {"rater_id": rater_id, "kind": "page"})
