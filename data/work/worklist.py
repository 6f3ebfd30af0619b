"""A rater's list: which unit stands at which place, what is open, and what is done.

In a study without a plan the list is the whole study in order, and a place is the unit's position. With a
plan it is what was assigned, in the order in which it was given; a unit's position in the study is then no
business of the rater's, and a `Unit` from here carries its place instead.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, func, select

from data import schema, units
from data.errors import NotFound
from data.schema.vocabulary import UnitKind
from data.studies import Study, unit_count
from data.units import NOT_IN_LIST, Unit
from data.work import calibration, certification, open_slots, repeats
from data.work import plan as plans

_PLACE = select(schema.assignment.c.place).where(
    schema.assignment.c.rater_id == bindparam("rater"), schema.assignment.c.unit_id == bindparam("unit")
)
COUNTED = 500  # what may still come is counted up to here
NAMED = 10**12  # above every id, and below what a browser still counts exactly
_ANY = random.Random(0)  # which one is of no interest, only whether


def planned(connection: Connection, study: Study) -> bool:
    return plans.current(connection, study.id) is not None


def name_of(connection: Connection, study: Study, rater_id: int, unit: Unit) -> int:
    """What a browser calls a unit. With a plan not its id: a repeat is made late, and a high id would tell
    that it is one.
    """
    if not planned(connection, study):
        return unit.id
    table = schema.assignment
    number: int = connection.execute(
        select(table.c.id).where(table.c.rater_id == rater_id, table.c.unit_id == unit.id)
    ).scalar_one()
    return NAMED + number


def unit(connection: Connection, study: Study, rater_id: int, name: int) -> Unit:
    """A unit as it stands in this rater's list, by the name that their browser has for it; with a plan its id
    is none.

    Raises NotFound, in the same words for a unit that is not there, of another study, or in a colleague's
    list only.
    """
    if not planned(connection, study):
        return unit_by_id(connection, study, rater_id, name)
    table = schema.assignment
    unit_id = connection.execute(
        select(table.c.unit_id).where(table.c.id == name - NAMED, table.c.rater_id == rater_id)
    ).scalar()
    if unit_id is None:
        raise NotFound(NOT_IN_LIST)
    return unit_by_id(connection, study, rater_id, unit_id)


def unit_by_id(connection: Connection, study: Study, rater_id: int, unit_id: int) -> Unit:
    """A unit as it stands in this rater's list. Raises NotFound, as `unit` does."""
    row = next(iter(units.by_ids(connection, [unit_id])), None)
    if row is None or row.study_id != study.id:
        raise NotFound(NOT_IN_LIST)
    place: int | None = row.position
    if planned(connection, study):
        place = connection.execute(_PLACE, {"rater": rater_id, "unit": unit_id}).scalar()
    if place is None or place < 1:
        raise NotFound(NOT_IN_LIST)
    return replace(row, position=place)


def at(connection: Connection, study: Study, rater_id: int, place: int) -> Unit | None:
    """The unit at a place of this rater's list."""
    if not planned(connection, study):
        return units.at_position(connection, study.id, place)
    table = schema.assignment
    found = connection.execute(
        select(table.c.unit_id).where(table.c.rater_id == rater_id, table.c.place == place)
    ).scalar()
    return None if found is None else replace(units.get(connection, found), position=place)


def length(connection: Connection, study: Study, rater_id: int) -> int:
    """How many places the list has now."""
    if not planned(connection, study):
        return unit_count(connection, study.id)
    return (
        connection.execute(
            select(func.max(schema.assignment.c.place)).where(schema.assignment.c.rater_id == rater_id)
        ).scalar()
        or 0
    )


def next_open(connection: Connection, study: Study, rater_id: int, after: int = 0) -> int | None:
    """The first place after `after` that is neither done nor skipped; with a plan, what the rater holds."""
    if not planned(connection, study):
        return units.next_open(connection, study.id, rater_id, after)
    held, table = schema.reservation, schema.assignment
    unit_id: int | None = connection.execute(
        select(func.min(table.c.place))
        .join(held, held.c.assignment_id == table.c.id)
        .where(held.c.rater_id == rater_id, table.c.place > after)
    ).scalar()
    return unit_id


def window(
    connection: Connection, study: Study, rater_id: int, around: int, size: int = 60
) -> list[tuple[int, int, str]]:
    """(place, unit id, state) of the places around one, for the rater's list."""
    if not planned(connection, study):
        return units.progress_window(connection, study.id, rater_id, around, size)
    table, progress = schema.assignment, schema.progress
    first = max(1, around - size // 3)
    rows = connection.execute(
        select(table.c.place, table.c.unit_id, progress.c.state)
        .outerjoin(
            progress, (progress.c.rater_id == table.c.rater_id) & (progress.c.unit_id == table.c.unit_id)
        )
        .where(table.c.rater_id == rater_id, table.c.place.between(first, first + size - 1))
        .order_by(table.c.place)
    )
    return [(row.place, row.unit_id, row.state or "open") for row in rows]


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


def remaining_work(connection: Connection, study: Study, rater_id: int) -> RemainingWork:
    """What is left to rate."""
    plan = plans.current(connection, study.id)
    if plan is None:
        return RemainingWork(
            0, unit_count(connection, study.id) - units.rater_progress(connection, rater_id).committed, True
        )
    held = connection.execute(
        select(func.count()).where(schema.reservation.c.rater_id == rater_id)
    ).scalar_one()
    if not plan.admits(rater_id):
        return RemainingWork(held, 0, False)
    practice = calibration.next_unit(connection, study.id, rater_id) is not None
    practice |= plan.certify and not certification.certification_status(connection, study, rater_id).certified
    again = (
        open_slots.given_back(connection, rater_id) is not None
        or repeats.due(connection, rater_id, at_the_end=True) is not None
    )
    any_free = (
        open_slots.free(connection, study.id, rater_id, _ANY) is not None
    )  # conflicts of interest are looked at here
    at_most = (
        unit_count(connection, study.id) if plan.each else COUNTED
    )  # where all of it is theirs, the count is exact
    return RemainingWork(
        held,
        open_slots.still_open(connection, study.id, rater_id, at_most) if any_free else 0,
        plan.each,
        practice,
        again,
    )


def finished(connection: Connection, study: Study, rater_id: int) -> bool:
    """Whether nothing is left that this rater could be given now; skipped units do not count."""
    return remaining_work(connection, study, rater_id).none


def skipped(connection: Connection, rater_id: int) -> list[int]:
    """The places of what the rater skipped."""
    table = schema.progress
    return list(
        connection.execute(
            select(table.c.position)
            .where(table.c.rater_id == rater_id, table.c.state == "skipped")
            .order_by(table.c.position)
        ).scalars()
    )


def practised(connection: Connection, rater_id: int) -> int:
    """How many units the rater has committed for practice."""
    table, commit = schema.assignment, schema.commit
    return connection.execute(
        select(func.count())
        .select_from(table)
        .join(commit, (commit.c.rater_id == table.c.rater_id) & (commit.c.unit_id == table.c.unit_id))
        .where(table.c.rater_id == rater_id, table.c.purpose.in_(("gold", "calibration", "discussed")))
    ).scalar_one()


def purpose(connection: Connection, rater_id: int, unit_id: int) -> str:
    """Why a unit stands in a rater's list: real, repeat, gold, calibration or discussed; "" without a
    plan.
    """
    table = schema.assignment
    return (
        connection.execute(
            select(table.c.purpose).where(table.c.rater_id == rater_id, table.c.unit_id == unit_id)
        ).scalar()
        or ""
    )


def held_back(connection: Connection, study: Study, rater_id: int, unit_id: int) -> bool:
    """Whether the judge of a committed unit stays hidden for now, because it comes again or might."""
    table = schema.assignment
    condition = repeats.held_back(table.c.unit_id, rater_id, finished(connection, study, rater_id))
    return (
        connection.execute(
            select(table.c.id).where(table.c.rater_id == rater_id, table.c.unit_id == unit_id, condition)
        ).first()
        is not None
    )


def places(connection: Connection, study: Study, rater_id: int) -> dict[int, int] | None:
    """Position in the study -> place in the rater's list, for what stands in it; None where the list is the
    whole study.
    """
    if not planned(connection, study):
        return None
    table, unit = schema.assignment, schema.unit
    return dict(
        connection.execute(
            select(unit.c.position, table.c.place)
            .join(unit, unit.c.id == table.c.unit_id)
            .where(table.c.rater_id == rater_id, unit.c.kind == UnitKind.LISTED)
        ).all()
    )


def over(connection: Connection, study: Study) -> bool:
    """Whether the work of a study is done for everybody: everything that may be drawn is drawn, rated, and in
    nobody's hands.
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
        and not open_slots.unfilled(connection, study.id)
    )
