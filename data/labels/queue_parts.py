"""A part of a queue of disagreements, safety first, then how far apart, and what stands before it: a row is
made of what is shown alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.labels.label_groups import LabelGroups
from data.labels.label_table import LabelNames
from data.labels.scale_places import levels_on_scale, safety_criteria
from data.record.studies import Study
from data.store.column_texts import joined, numbers, places
from data.store.kept_parts import keep_part
from data.work.gate_draws import scramble
from scoring.arrays import IntArray, Mask


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One criterion of one unit. `distance` is how far the labels are apart, as a share of the scale (1: as
    far as can be, or in kind); `reopened`: it had been settled, and blind labels came since.
    """

    unit_id: int
    position: int
    criterion: str
    gate: bool
    distance: float
    raters: int
    reopened: bool


@dataclass(frozen=True)
class DisagreementList:
    """A part of a queue, behind its first `after`, and how many are in all of it."""

    items: list[Disagreement]
    total: int
    after: int = 0


@dataclass(frozen=True)
class QueuePart:
    """Which part of a queue is asked for: the page of `at_most` behind the first `after`, or the one on which
    `beside` stands, a unit's id and a criterion, where it stands in the queue. `criterion`: of this one only;
    `levels`: only what is at least so far apart on a scale with an order.
    """

    after: int = 0
    beside: tuple[int, str] | None = None
    criterion: str = ""
    levels: int = 0


FIRST_PART = QueuePart()


@dataclass(frozen=True, eq=False)
class DisagreementQueue:
    """A whole queue, in any order. `reopened` (N,): of each of the groups."""

    names: LabelNames
    groups: LabelGroups
    reopened: Mask

    def where(self, rows: Mask | IntArray) -> DisagreementQueue:
        return DisagreementQueue(self.names, self.groups.where(rows), self.reopened[rows])


def read_part(
    connection: Connection, study: Study, queue: DisagreementQueue, at_most: int, part: QueuePart
) -> DisagreementList:
    queue = queue.where(_is_asked_for(study, queue, part))
    position = unit_positions(connection, study, queue.groups.unit)
    order = _order(study, queue, position)
    total, after = len(order), part.after // at_most * at_most
    if part.beside is not None:
        unit_id, criterion = part.beside
        groups, number = queue.groups, _place(queue.names.criteria, criterion)
        at = np.flatnonzero((groups.unit[order] == unit_id) & (groups.criterion[order] == number))
        if len(at):
            after = int(at[0]) // at_most * at_most
    if after >= total:  # the queue has become shorter
        after = 0
    shown = order[after : after + at_most]
    gates, criteria, part_shown = safety_criteria(study), queue.names.criteria, queue.where(shown)
    groups, positions = part_shown.groups, position[shown]
    items = [
        Disagreement(
            int(groups.unit[row]),
            int(positions[row]),
            criteria[groups.criterion[row]],
            criteria[groups.criterion[row]] in gates,
            float(groups.apart[row]),
            int(groups.raters[row]),
            bool(part_shown.reopened[row]),
        )
        for row in range(len(shown))
    ]
    return DisagreementList(items, total, after)


def unit_positions(connection: Connection, study: Study, units: IntArray) -> IntArray:
    """(N,) of units by id."""
    ids, positions = keep_part(
        connection, study.id, "positions", (schema.unit,), lambda: _read_positions(connection, study)
    )
    at, _ = places(ids, units)
    return np.asarray(positions[at])


def _read_positions(connection: Connection, study: Study) -> tuple[IntArray, IntArray]:
    unit = schema.unit
    row = connection.execute(
        select(joined(unit.c.id), joined(unit.c.position)).where(unit.c.study_id == study.id)
    ).one()
    ids, positions = map(numbers, row)
    return ids, positions


def _is_asked_for(study: Study, queue: DisagreementQueue, part: QueuePart) -> Mask:
    names, groups = queue.names, queue.groups
    asked_for = np.ones(len(groups.unit), dtype=bool)
    if part.criterion:
        asked_for &= groups.criterion == _place(names.criteria, part.criterion)
    if part.levels:
        levels = np.array([levels_on_scale(study, name) or np.nan for name in names.criteria], dtype=float)
        # A distance is a fraction that was computed.
        asked_for &= groups.apart * levels[groups.criterion] > part.levels - 0.5
    return asked_for


def _order(study: Study, queue: DisagreementQueue, position: IntArray) -> IntArray:
    """Indices of the groups as they are listed."""
    names, groups, gates = queue.names, queue.groups, safety_criteria(study)
    is_gate = np.array([name in gates for name in names.criteria], dtype=bool)[groups.criterion]
    to_settle = is_gate & (groups.failing > 0)
    return np.lexsort(
        (
            groups.criterion,
            np.where(to_settle, scramble(groups.unit, study.id), position),
            np.where(to_settle, 0.0, -groups.apart),
            (groups.raters == 1) & ~to_settle,
            ~to_settle,
            ~is_gate,
        )
    )


def _place(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else -1
