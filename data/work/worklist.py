"""A rater's list: which unit stands at which place, what is open, and what is done.

In a study without a plan the list is the whole study in order, and a place is the unit's position. With a
plan it is what was assigned, in the order in which it was given; a unit's position in the study is then no
business of the rater's, and a `Unit` from here carries its place instead.

Which of the two it is, is looked up once: `open_worklist` reads the plan, and the list answers from then on
within one transaction.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

from sqlalchemy import ColumnElement, Connection, func, select

from data import schema
from data.record import units
from data.record.studies import Study, unit_count
from data.record.study_changes import is_archived
from data.record.units import RaterProgress, Unit
from data.schema.vocabulary import UnitKind
from data.store.errors import NotFound
from data.work import calibration, certification, open_slots, repeats, roles
from data.work import plan as plans
from data.work.archive import next_begun
from data.work.plan import WorkPlan

COUNTED = 500  # what may still come is counted up to here
NAMED = 10**12  # above every id, and below what a browser still counts exactly
_ANY = random.Random(0)  # which one is of no interest, only whether


@dataclass(frozen=True)
class RemainingWork:
    """What a rater has before them. `held` is theirs now; `may_come` is what is open to them and others,
    counted up to `COUNTED`.

    `whole`: with a plan of named raters, or without any, everything that is open to them is theirs to do.
    `practice`: a certification or an open calibration round asks for more. `again`: something they had comes
    again, or a repeat is due.
    """

    held: int
    may_come: int
    whole: bool
    practice: bool = False
    again: bool = False

    @property
    def none(self) -> bool:
        return not (self.held or self.may_come or self.practice or self.again)


class Worklist(ABC):
    """The list of one rater. What was read once is not read again: open another one after a change."""

    plan: WorkPlan | None

    def __init__(self, connection: Connection, study: Study, rater_id: int) -> None:
        self.connection, self.study, self.rater_id = connection, study, rater_id

    @abstractmethod
    def name_of(self, unit: Unit) -> int:
        """Return the number by which a browser calls a unit."""

    @abstractmethod
    def unit(self, name: int) -> Unit:
        """Return the unit of this list that the browser calls `name`.

        Raise NotFound, in the same words for a unit that does not exist, is of another study, or only in a
        colleague's list.
        """

    @abstractmethod
    def unit_by_id(self, unit_id: int) -> Unit:
        """Return the unit of this list with this id. Raise NotFound as `unit` does."""

    @abstractmethod
    def at(self, place: int) -> Unit | None:
        """Return the unit at a place, or None."""

    @abstractmethod
    def next_open(self, after: int = 0) -> int | None:
        """Return the first place after `after` that is neither done nor skipped, or None.

        With a plan, only what the rater holds counts; in an archived study, only what they have begun.
        """

    @abstractmethod
    def window(self, around: int, size: int = 60) -> list[tuple[int, int, str]]:
        """Return (place, unit id, state) of `size` places around one, in order."""

    @cached_property
    @abstractmethod
    def length(self) -> int:
        """Return how many places the list has now."""

    @cached_property
    @abstractmethod
    def remaining_work(self) -> RemainingWork:
        """Return what is left to rate."""

    @cached_property
    @abstractmethod
    def places(self) -> dict[int, int] | None:
        """Return position in the study -> place in the list; None if the list is the whole study."""

    @property
    def finished(self) -> bool:
        """Tell whether nothing is left that this rater could be given now; skipped units do not count."""
        return self.remaining_work.none

    @cached_property
    def progress(self) -> RaterProgress:
        return units.rater_progress(self.connection, self.rater_id)

    def held_back(self, unit_id: int) -> bool:
        """Tell whether the judge of a committed unit stays hidden for now, because it comes again
        or might.
        """
        table = schema.assignment
        condition = repeats.held_back(table.c.unit_id, self.rater_id, self.finished)
        return (
            self.connection.execute(
                select(table.c.id).where(
                    table.c.rater_id == self.rater_id, table.c.unit_id == unit_id, condition
                )
            ).first()
            is not None
        )

    def _unit_of_study(self, unit_id: int) -> Unit:
        unit = next(iter(units.by_ids(self.connection, [unit_id])), None)
        if unit is None or unit.study_id != self.study.id:
            raise NotFound("not_in_list")
        return unit


def open_worklist(connection: Connection, study: Study, rater_id: int) -> Worklist:
    """Return the rater's list: the assigned units, or without a plan the whole study."""
    plan = plans.current(connection, study.id)
    if plan is None:
        return WholeStudyList(connection, study, rater_id)
    return AssignedList(connection, study, rater_id, plan)


class WholeStudyList(Worklist):
    """Of a study without a plan: every unit in order; of a person who settles, what they rated before: the
    rest counts as left, so that the judge stays hidden. A browser calls a unit by its id.
    """

    plan = None

    @cached_property
    def _is_given_units(self) -> bool:
        return roles.is_given_units(self.connection, None, self.rater_id)

    def _is_here(self, unit_id: int) -> bool:
        commit = schema.commit
        return self._is_given_units or bool(
            self.connection.execute(
                select(commit.c.id).where(commit.c.rater_id == self.rater_id, commit.c.unit_id == unit_id)
            ).first()
        )

    def name_of(self, unit: Unit) -> int:
        """Return the unit's id."""
        return unit.id

    def unit(self, name: int) -> Unit:
        """Return the unit with this id. Raise NotFound as `Worklist.unit` does."""
        return self.unit_by_id(name)

    def unit_by_id(self, unit_id: int) -> Unit:
        """Return the listed unit with this id. Raise NotFound as `Worklist.unit` does."""
        unit = self._unit_of_study(unit_id)
        if unit.kind != UnitKind.LISTED or not self._is_here(unit.id):
            raise NotFound("not_in_list")
        return unit

    def at(self, place: int) -> Unit | None:
        """Return the unit at a position of the study, or None."""
        unit = units.at_position(self.connection, self.study.id, place)
        return unit if unit is not None and self._is_here(unit.id) else None

    def next_open(self, after: int = 0) -> int | None:
        """Return the first position after `after` that is neither done nor skipped; None also for a
        settler.
        """
        if not self._is_given_units:
            return None
        if is_archived(self.connection, self.study.id):
            return next_begun(self.connection, self.rater_id, after)
        return units.next_open(self.connection, self.study.id, self.rater_id, after)

    def window(self, around: int, size: int = 60) -> list[tuple[int, int, str]]:
        """Return (position, unit id, state) of `size` units around a position."""
        return units.progress_window(self.connection, self.study.id, self.rater_id, around, size)

    @cached_property
    def length(self) -> int:
        return unit_count(self.connection, self.study.id)

    @cached_property
    def remaining_work(self) -> RemainingWork:
        return RemainingWork(0, self.length - self.progress.committed, True)

    @cached_property
    def places(self) -> dict[int, int] | None:
        return None


class AssignedList(Worklist):
    """With a plan: what was assigned. A browser does not call a unit by its id: a repeat is made late, and a
    high id would tell that it is one.
    """

    plan: WorkPlan

    def __init__(self, connection: Connection, study: Study, rater_id: int, plan: WorkPlan) -> None:
        super().__init__(connection, study, rater_id)
        self.plan = plan

    def name_of(self, unit: Unit) -> int:
        """Return the number of the assignment, moved by NAMED, so that it is no unit id."""
        table = schema.assignment
        number: int = self.connection.execute(
            select(table.c.id).where(table.c.rater_id == self.rater_id, table.c.unit_id == unit.id)
        ).scalar_one()
        return NAMED + number

    def unit(self, name: int) -> Unit:
        """Return the assigned unit that the browser calls `name`. Raise NotFound as `Worklist.unit` does."""
        return self._assigned(schema.assignment.c.id == name - NAMED)

    def unit_by_id(self, unit_id: int) -> Unit:
        """Return the assigned unit with this id. Raise NotFound as `Worklist.unit` does."""
        return self._assigned(schema.assignment.c.unit_id == unit_id)

    def at(self, place: int) -> Unit | None:
        """Return the unit at a place of the list, or None."""
        try:
            return self._assigned(schema.assignment.c.place == place)
        except NotFound:
            return None

    def next_open(self, after: int = 0) -> int | None:
        """Return the first place after `after` of a unit that the rater holds, or None."""
        if is_archived(self.connection, self.study.id):
            return next_begun(self.connection, self.rater_id, after)
        held, table = schema.reservation, schema.assignment
        place: int | None = self.connection.execute(
            select(func.min(table.c.place))
            .join(held, held.c.assignment_id == table.c.id)
            .where(held.c.rater_id == self.rater_id, table.c.place > after)
        ).scalar()
        return place

    def window(self, around: int, size: int = 60) -> list[tuple[int, int, str]]:
        """Return (place, unit id, state) of `size` places around one, by place."""
        table, progress = schema.assignment, schema.progress
        first = max(1, around - size // 3)
        rows = self.connection.execute(
            select(table.c.place, table.c.unit_id, progress.c.state)
            .outerjoin(
                progress,
                (progress.c.rater_id == table.c.rater_id) & (progress.c.unit_id == table.c.unit_id),
            )
            .where(table.c.rater_id == self.rater_id, table.c.place.between(first, first + size - 1))
            .order_by(table.c.place)
        )
        return [(row.place, row.unit_id, row.state or "open") for row in rows]

    @cached_property
    def length(self) -> int:
        table = schema.assignment
        return (
            self.connection.execute(
                select(func.max(table.c.place)).where(table.c.rater_id == self.rater_id)
            ).scalar()
            or 0
        )

    @cached_property
    def remaining_work(self) -> RemainingWork:
        connection, study, rater_id = self.connection, self.study, self.rater_id
        held = connection.execute(
            select(func.count()).where(schema.reservation.c.rater_id == rater_id)
        ).scalar_one()
        if not self.plan.admits(rater_id):
            return RemainingWork(held, 0, False)
        practice = calibration.next_unit(connection, study.id, rater_id) is not None
        practice |= (
            self.plan.certify
            and not certification.certification_status(connection, study, rater_id).certified
        )
        again = (
            open_slots.given_back(connection, rater_id) is not None
            or repeats.due(connection, rater_id, at_the_end=True) is not None
        )
        # Conflicts of interest are looked at here.
        any_free = open_slots.free(connection, study.id, rater_id, _ANY) is not None
        # Where all of it is theirs, the count is exact.
        at_most = unit_count(connection, study.id) if self.plan.each else COUNTED
        return RemainingWork(
            held,
            open_slots.still_open(connection, study.id, rater_id, at_most) if any_free else 0,
            self.plan.each,
            practice,
            again,
        )

    @cached_property
    def places(self) -> dict[int, int] | None:
        table, unit = schema.assignment, schema.unit
        return dict(
            self.connection.execute(
                select(unit.c.position, table.c.place)
                .join(unit, unit.c.id == table.c.unit_id)
                .where(table.c.rater_id == self.rater_id, unit.c.kind == UnitKind.LISTED)
            ).all()
        )

    def _assigned(self, condition: ColumnElement[bool]) -> Unit:
        table = schema.assignment
        assigned = self.connection.execute(
            select(table.c.unit_id, table.c.place).where(table.c.rater_id == self.rater_id, condition)
        ).first()
        if assigned is None:
            raise NotFound("not_in_list")
        return replace(self._unit_of_study(assigned.unit_id), position=assigned.place)


def planned(connection: Connection, study: Study) -> bool:
    """Tell whether the study has a plan."""
    return plans.current(connection, study.id) is not None


def skipped(connection: Connection, rater_id: int) -> list[int]:
    """Return the places of the units that the rater skipped, ascending."""
    table = schema.progress
    return list(
        connection.execute(
            select(table.c.position)
            .where(table.c.rater_id == rater_id, table.c.state == "skipped")
            .order_by(table.c.position)
        ).scalars()
    )


def practised(connection: Connection, rater_id: int) -> int:
    """Return how many units the rater has committed for practice."""
    table, commit = schema.assignment, schema.commit
    return connection.execute(
        select(func.count())
        .select_from(table)
        .join(commit, (commit.c.rater_id == table.c.rater_id) & (commit.c.unit_id == table.c.unit_id))
        .where(table.c.rater_id == rater_id, table.c.purpose.in_(("gold", "calibration", "discussed")))
    ).scalar_one()


def assigned_purpose(connection: Connection, rater_id: int, unit_id: int) -> str:
    """Return why a unit is in a rater's list: "real", "repeat", "gold", "calibration" or "discussed".

    "" if it is not, as in a study without a plan.
    """
    table = schema.assignment
    return (
        connection.execute(
            select(table.c.purpose).where(table.c.rater_id == rater_id, table.c.unit_id == unit_id)
        ).scalar()
        or ""
    )


def over(connection: Connection, study: Study) -> bool:
    """Tell whether the work of a study is done: all that may be drawn is drawn, rated and in nobody's
    hands.

    False without a plan.
    """
    if not planned(connection, study):
        return False
    drawn = connection.execute(
        select(func.count()).select_from(schema.slot).where(schema.slot.c.study_id == study.id)
    ).scalar_one()
    held = connection.execute(
        select(schema.reservation.c.assignment_id).where(schema.reservation.c.study_id == study.id).limit(1)
    ).first()
    return (
        held is None
        and drawn >= open_slots.drawable(connection, study.id)
        and not open_slots.wants_raters(connection, study.id)
    )
