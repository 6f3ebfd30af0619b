"""What people settle among themselves, and where a judge differs from people who agree or from one person
alone: two queues, kept apart.

Both rest on ratings alone: how many raters a plan asks for, or a majority, settles nothing. A label is the
last one that a rater gave blind; labels filled in by rule, practice and hidden repeats are in no queue, and
"cannot rate" is no label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from sqlalchemy import Connection, exists, or_, select

from data import schema
from data.labels.label_groups import (
    JudgeVerdicts,
    LabelGroups,
    read_judge_verdicts,
    read_label_groups,
)
from data.labels.label_table import label_names
from data.labels.queue_parts import FIRST_PART, DisagreementList, DisagreementQueue, QueuePart, read_part
from data.labels.settlements import latest_settlements
from data.record.rater_identities import rater_ids_of_person
from data.record.studies import Study
from data.record.units import Unit
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.column_texts import places
from data.work import conflicts, exposures
from data.work.gate_draws import is_drawn, read_settle_share
from data.work.still_to_come import may_still_come, on_list
from scoring.arrays import Array, IntArray, Mask

Queue = Literal["human_human", "human_judge"]
LabelledBy = Literal[
    "anybody", "several", "alone"
]  # how many people gave a blind label: any, two or more, one
MAX_LABELS_LISTED = 200


def between_people(
    connection: Connection,
    study: Study,
    at_most: int = MAX_LABELS_LISTED,
    unit: Unit | None = None,
    rater_id: int | None = None,
    part: QueuePart = FIRST_PART,
) -> DisagreementList:
    """What is to be settled with the judge unseen and is not settled yet: of a safety gate every unit in
    which anybody saw a failure, in an order that tells nothing; then criteria on which blind labels of two
    or more raters differ, the furthest apart first.

    Of one unit only, or without what a rater has rated, may still be given to rate, or is not to see.
    """
    groups = read_label_groups(connection, study, unit)
    groups = groups.where(_to_settle(connection, study, groups))
    if rater_id is not None and study.review != "open" and exposures.saw_page(connection, rater_id):
        groups = groups.where(groups.failing == 0)  # at a safety gate their label could not decide
    queue = _open_queue(connection, study, groups, rater_id)
    return read_part(connection, study, queue, at_most, part)


def with_judges(
    connection: Connection,
    study: Study,
    at_most: int = MAX_LABELS_LISTED,
    unit: Unit | None = None,
    rater_id: int | None = None,
    labelled_by: LabelledBy = "anybody",
    part: QueuePart = FIRST_PART,
) -> DisagreementList:
    """Criteria on which all blind labels agree, of a safety gate that it is no failure, and the first verdict
    of some judge is another label: safety first, then those that several people labelled, then how far apart,
    then position. A judge's failure is no label.

    The label of one person alone agrees with nobody else's: `labelled_by` asks for the two kinds apart.
    """
    groups = read_label_groups(connection, study, unit)
    several = {"anybody": groups.raters > 0, "several": groups.raters > 1, "alone": groups.raters == 1}
    waiting = find_failures_waiting(connection, study, groups)
    groups = groups.where(groups.is_agreed & several[labelled_by] & ~np.isin(groups.unit, waiting))
    apart = _apart_from_judges(study, groups, read_judge_verdicts(connection, study, unit))
    differs = ~np.isnan(apart)
    groups = replace(groups.where(differs), apart=apart[differs])
    queue = _open_queue(connection, study, groups, rater_id)
    return read_part(connection, study, queue, at_most, part)


def differ(connection: Connection, study: Study, unit: Unit) -> Mapping[str, Queue]:
    """By criterion of one unit, who differs from whom, settled or not."""
    groups, names = read_label_groups(connection, study, unit), label_names(study)
    apart = _apart_from_judges(study, groups, read_judge_verdicts(connection, study, unit))
    queues: dict[str, Queue] = {}
    to_settle, agreed = _to_settle(connection, study, groups), groups.is_agreed
    for number, criterion in enumerate(groups.criterion.tolist()):
        if to_settle[number]:
            queues[names.criteria[criterion]] = "human_human"
        elif agreed[number] and not np.isnan(apart[number]):
            queues[names.criteria[criterion]] = "human_judge"
    return queues


def find_all(connection: Connection, study: Study) -> dict[tuple[int, str], Queue]:
    """Return (unit, criterion) -> who differs from whom, settled or not.

    "human_human": blind labels of people; "human_judge": these are the same, and some judge's first is not.
    """
    groups, names = read_label_groups(connection, study, None), label_names(study)
    apart = ~np.isnan(_apart_from_judges(study, groups, read_judge_verdicts(connection, study, None)))
    which = np.flatnonzero(groups.differs | apart)
    columns = zip(
        *(column[which].tolist() for column in (groups.unit, groups.criterion, groups.differs)), strict=True
    )
    return {
        (unit_id, names.criteria[criterion]): "human_human" if differs else "human_judge"
        for unit_id, criterion, differs in columns
    }


def _to_settle(connection: Connection, study: Study, groups: LabelGroups) -> Mask:
    share = read_settle_share(connection, study.id)
    return groups.choose_to_settle(is_drawn(groups.unit, study.id, share))


def find_failures_waiting(
    connection: Connection,
    study: Study,
    groups: LabelGroups | None = None,
    unit: Unit | None = None,
    criterion: str = "",
) -> IntArray:
    """Units in which a failure at a safety gate is to be settled, on one criterion or on any: their judge
    stays hidden until it is.
    """
    groups = read_label_groups(connection, study, unit) if groups is None else groups
    failures = groups.where((groups.failing > 0) & _to_settle(connection, study, groups))
    if criterion:
        failures = failures.where(failures.criterion == label_names(study).criteria.index(criterion))
    return _open_queue(connection, study, failures, None).groups.unit


def _apart_from_judges(study: Study, groups: LabelGroups, verdicts: JudgeVerdicts) -> Array:
    """(N,): how far the farthest verdict of a judge is from the label of each group, as a share of the scale,
    NaN where none is another label. Only for groups in which all gave the same.
    """
    names = label_names(study)
    apart = np.full(len(groups.unit), np.nan)
    count = len(names.criteria)
    at, is_labelled = places(
        groups.unit * count + groups.criterion, verdicts.unit * count + verdicts.criterion
    )
    own, other = groups.label[at], verdicts.label[is_labelled]
    is_other = (own != other) | (other < 0)
    at, other = at[is_other], other[is_other]
    low = groups.low[at]
    place = np.append(names.places(study), np.full((count, 1), np.nan), axis=1)  # of a label that is none
    distance = np.abs(place[groups.criterion[at], other] - low)
    np.fmax.at(apart, at, np.where(np.isnan(distance), 1.0, distance))
    return apart


def _open_queue(
    connection: Connection, study: Study, groups: LabelGroups, rater_id: int | None
) -> DisagreementQueue:
    """What nobody settled, or what was settled before the newest of its labels came; a failure at a safety
    gate stays until somebody who has not seen the judge settles it.
    """
    names, last = label_names(study), _last_settlements(connection, study.id, False)
    unseen = last if study.review == "open" else _last_settlements(connection, study.id, True)
    settled = np.full(len(groups.unit), -1, dtype=np.int64)
    if last:
        count = len(names.criteria)
        keys = np.array(
            [
                unit_id * count + names.criteria.index(criterion)
                for unit_id, criterion in last
                if criterion in names.criteria
            ],
            dtype=np.int64,
        )
        trails = np.array([trail for (_, c), trail in last.items() if c in names.criteria], dtype=np.int64)
        at, is_settled = places(keys, groups.unit * count + groups.criterion)
        settled[is_settled] = trails[at]
        judged = np.array([key not in unseen for key in last if key[1] in names.criteria], dtype=bool)
        closed = np.ones(len(groups.unit), dtype=bool)
        closed[is_settled] = ~judged[at]
        settled[(groups.failing > 0) & ~closed] = -1
    is_open = (settled < 0) | (_written_at(connection, groups.newest, settled >= 0) > settled)
    if rater_id is not None:
        is_open &= ~np.isin(groups.unit, _withheld_units(connection, study, rater_id))
        is_open &= ~np.isin(groups.unit, _barred_units(connection, study, rater_id, groups.unit[is_open]))
    return DisagreementQueue(names, groups.where(is_open), settled[is_open] >= 0)


def _written_at(connection: Connection, ratings: IntArray, rows: Mask) -> IntArray:
    """(N,): the entry of the trail of each rating, by id, where `rows` is true; 0 elsewhere."""
    rating, written = schema.rating, np.zeros(len(ratings), dtype=np.int64)
    ids = ratings[rows].tolist()
    trails: dict[int, int] = {}
    for start in range(0, len(ids), MAX_IDS_PER_QUERY):
        trails |= dict(
            connection.execute(
                select(rating.c.id, rating.c.trail).where(
                    rating.c.id.in_(ids[start : start + MAX_IDS_PER_QUERY])
                )
            ).all()
        )
    written[rows] = [trails[rating_id] for rating_id in ids]
    return written


def _last_settlements(connection: Connection, study_id: int, unseen: bool) -> dict[tuple[int, str], int]:
    """(unit, criterion) -> the entry of the trail under which it was settled last. `unseen`: only where that
    was between people, the judge not seen.
    """
    table, latest = schema.adjudication, latest_settlements(study_id).subquery()
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, table.c.trail)
        .join(latest, latest.c.id == table.c.id)
        .where(*((table.c.trigger == "human_human", table.c.judge_seen == 0) if unseen else ()))
    )
    return {(row.unit_id, row.criterion): row.trail for row in rows}


def _withheld_units(connection: Connection, study: Study, rater_id: int) -> IntArray:
    """What a rater has rated or may still be given to rate."""
    unit, rating, own_ids = schema.unit, schema.rating, rater_ids_of_person(connection, rater_id)
    withheld = select(unit.c.id).where(
        unit.c.study_id == study.id,
        or_(
            on_list(unit.c.id, rater_id),
            may_still_come(connection, study, unit.c.id, rater_id),
            exists().where(rating.c.unit_id == unit.c.id, rating.c.rater_id.in_(own_ids)),
        ),
    )
    return np.array(list(connection.execute(withheld).scalars()), dtype=np.int64)


def _barred_units(connection: Connection, study: Study, rater_id: int, units: IntArray) -> IntArray:
    """Return the units whose conversation a noted conflict keeps from this rater."""
    rules, unit = conflicts.stated_rules(connection, rater_id), schema.unit
    if not len(units) or not (rules.conversations or rules.facts):
        return np.zeros(0, dtype=np.int64)
    unit_ids = set(units.tolist())
    conversation_by_unit = {
        row.id: row.conversation_id
        for row in connection.execute(
            select(unit.c.id, unit.c.conversation_id).where(unit.c.study_id == study.id)
        )
        if row.id in unit_ids
    }
    every = sorted(set(conversation_by_unit.values()))
    barred = {
        conversation_id
        for start in range(0, len(every), MAX_IDS_PER_QUERY)
        for conversation_id in conflicts.barred_conversations(
            connection, rules, set(every[start : start + MAX_IDS_PER_QUERY])
        )
    }
    barred_units = [unit_id for unit_id in conversation_by_unit if conversation_by_unit[unit_id] in barred]
    return np.array(barred_units, dtype=np.int64)
