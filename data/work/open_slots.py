"""How many more raters each drawn unit wants: the one place where "never more than asked for" is kept.

`slot` is a projection of draws, plan and assignments. Everything that changes it happens in the same
transaction as the assignment or its event, under the store's write lock.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    Subquery,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    union,
    update,
)

from data import schema
from data.record.studies import Study, select_rater_ids
from data.record.units import readable
from data.schema.vocabulary import UnitKind
from data.work import conflicts
from data.work.plan import WorkPlan
from data.work.practice import is_practice

WINDOW = 24  # of so many units that are free for a rater, one is chosen at random
_SLOT, _ASSIGNED = schema.slot, schema.assignment


@dataclass(frozen=True)
class OpenSlot:
    """`cursor`: nothing before this place is free for the rater. `assignment_id`: it was in the rater's list
    before.
    """

    unit_id: int
    cursor: int = 0
    assignment_id: int | None = None
    purpose: str = "real"


# Built once: making a statement takes longer than running it.
_CANDIDATES = (
    select(_SLOT.c.unit_id, _SLOT.c.place, schema.unit.c.conversation_id)
    .join(schema.unit, schema.unit.c.id == _SLOT.c.unit_id)
    .where(
        _SLOT.c.study_id == bindparam("study"),
        _SLOT.c.taken < _SLOT.c.wanted,
        _SLOT.c.place >= bindparam("start"),
        ~exists().where(_ASSIGNED.c.rater_id == bindparam("rater"), _ASSIGNED.c.unit_id == _SLOT.c.unit_id),
    )
    .order_by(_SLOT.c.place)
)
_SOME = _CANDIDATES.limit(WINDOW)
# What ran out counts as begun in `progress`, whose index makes this a look at a few rows.
_BEGUN = (
    select(_ASSIGNED.c.id, _ASSIGNED.c.unit_id, _ASSIGNED.c.purpose)
    .join(
        schema.progress,
        (schema.progress.c.rater_id == _ASSIGNED.c.rater_id)
        & (schema.progress.c.unit_id == _ASSIGNED.c.unit_id),
    )
    .outerjoin(_SLOT, _SLOT.c.unit_id == _ASSIGNED.c.unit_id)
    .where(
        schema.progress.c.rater_id == bindparam("rater"),
        schema.progress.c.state == "begun",
        readable(_ASSIGNED.c.unit_id),
        or_(_ASSIGNED.c.purpose == "repeat", _SLOT.c.taken < _SLOT.c.wanted),
        ~exists().where(schema.reservation.c.assignment_id == _ASSIGNED.c.id),
    )
    .order_by(schema.progress.c.position)
    .limit(WINDOW)
)
_WALK = select(schema.rater_cursor.c.place).where(schema.rater_cursor.c.rater_id == bindparam("rater"))


def free(connection: Connection, study_id: int, rater_id: int, rng: random.Random) -> OpenSlot | None:
    """Return one of the first units that want this rater, at random; None if there is none.

    Units barred by a conflict of interest are left out. Nothing is written.
    """
    start = connection.execute(_WALK, {"rater": rater_id}).scalar() or 0
    rules = conflicts.rules(connection, rater_id)
    first: int | None = None
    while True:
        rows = connection.execute(_SOME, {"study": study_id, "rater": rater_id, "start": start}).all()
        first = rows[0].place if rows and first is None else first
        barred = conflicts.barred_conversations(connection, rules, {row.conversation_id for row in rows})
        allowed = [row for row in rows if row.conversation_id not in barred]
        if allowed:
            return OpenSlot(rng.choice(allowed).unit_id, first or 0)
        if len(rows) < WINDOW:
            return None
        start = rows[-1].place + 1


def given_back(connection: Connection, rater_id: int) -> OpenSlot | None:
    """Return a unit that was reserved for this rater, expired, and that nobody else took; None if there is
    none.

    Skipped units are not included: they come only when asked for.
    """
    for row in connection.execute(_BEGUN, {"rater": rater_id}).all():
        if not conflicts.bars_conversation(connection, rater_id, row.unit_id):
            return OpenSlot(row.unit_id, assignment_id=row.id, purpose=row.purpose)
    return None


def still_open(connection: Connection, study_id: int, rater_id: int, at_most: int) -> int:
    """Return how many units could still come to this rater, counted up to `at_most`.

    Conflicts of interest are not considered.
    """
    start = connection.execute(_WALK, {"rater": rater_id}).scalar() or 0
    some = _CANDIDATES.limit(at_most).subquery()
    return connection.execute(
        select(func.count()).select_from(some), {"study": study_id, "rater": rater_id, "start": start}
    ).scalar_one()


def skipped_and_open(connection: Connection, rater_id: int) -> int:
    """Return how many units the rater skipped that still want a rater."""
    progress = schema.progress
    return connection.execute(
        select(func.count())
        .select_from(progress)
        .join(_SLOT, _SLOT.c.unit_id == progress.c.unit_id)
        .where(
            progress.c.rater_id == rater_id,
            progress.c.state == "skipped",
            _SLOT.c.taken < _SLOT.c.wanted,
        )
    ).scalar_one()


def wants_raters(connection: Connection, study_id: int) -> bool:
    """Tell whether any unit of the study wants more raters than it has."""
    open_ones = select(_SLOT.c.unit_id).where(_SLOT.c.study_id == study_id, _SLOT.c.taken < _SLOT.c.wanted)
    return connection.execute(open_ones.limit(1)).first() is not None


def take(connection: Connection, unit_id: int) -> bool:
    """Take one of the places of a unit; return whether there was one. Units that are in no draw have none."""
    changed = connection.execute(
        update(_SLOT)
        .where(_SLOT.c.unit_id == unit_id, _SLOT.c.taken < _SLOT.c.wanted)
        .values(taken=_SLOT.c.taken + 1)
    )
    return bool(changed.rowcount)


def count_wanted_raters(connection: Connection, unit_id: int) -> int:
    """Return how many raters a unit is to be rated by; 0 if it is not to be rated."""
    return connection.execute(select(_SLOT.c.wanted).where(_SLOT.c.unit_id == unit_id)).scalar() or 0


def give_back(connection: Connection, study_id: int, plan: WorkPlan, rater_id: int, unit_id: int) -> None:
    """Free a place of a unit, and move the search of raters who had passed it back to it.

    In a plan of named raters, nothing happens for a rater who is not named.
    """
    if plan.each and rater_id not in plan.raters:
        return
    place = connection.execute(select(_SLOT.c.place).where(_SLOT.c.unit_id == unit_id)).scalar()
    if place is None:
        return
    connection.execute(update(_SLOT).where(_SLOT.c.unit_id == unit_id).values(taken=_SLOT.c.taken - 1))
    people = select_rater_ids(study_id)
    connection.execute(
        update(schema.rater_cursor)
        .where(schema.rater_cursor.c.rater_id.in_(people), schema.rater_cursor.c.place > place)
        .values(place=place)
    )


def close(connection: Connection, unit_ids: list[int]) -> None:
    """Take units out of the work: their words are gone, or they have become practice."""
    connection.execute(delete(_SLOT).where(_SLOT.c.unit_id.in_(unit_ids)))


def set_search_start(connection: Connection, rater_id: int, place: int) -> None:
    """Record that nothing before this place is free for the rater."""
    changed = connection.execute(
        update(schema.rater_cursor).where(schema.rater_cursor.c.rater_id == rater_id).values(place=place)
    )
    if not changed.rowcount:
        connection.execute(insert(schema.rater_cursor).values(rater_id=rater_id, place=place))


def refresh(connection: Connection, study: Study, plan: WorkPlan) -> None:
    """Compute the study's open places again from draws, plan and assignments.

    Needed after a draw, a new plan, or a change of what is practice. In a plan of named raters a unit wants
    each of them, and what others have rated takes no place of theirs.
    """
    connection.execute(delete(_SLOT).where(_SLOT.c.study_id == study.id))
    people = select_rater_ids(study.id)
    connection.execute(delete(schema.rater_cursor).where(schema.rater_cursor.c.rater_id.in_(people)))
    fill(connection, study.id, plan)


def fill(connection: Connection, study_id: int, plan: WorkPlan) -> None:
    """Compute the open places of a study that has none in the store."""
    connection.execute(
        insert(_SLOT).from_select([column.name for column in _SLOT.columns], _told(study_id, plan))
    )


def _told(study_id: int, plan: WorkPlan) -> Select[Any]:
    """The rows that draws, plan and assignments make of the projection."""
    drawn, unit, conversation, text = schema.drawn, schema.unit, schema.conversation, schema.content
    taken = _taken(plan)
    return (
        select(
            unit.c.id.label("unit_id"),
            literal(study_id).label("study_id"),
            drawn.c.place,
            literal(plan.wanted).label("wanted"),
            func.coalesce(taken.c.taken, 0).label("taken"),
        )
        .join(drawn, drawn.c.unit_id == unit.c.id)
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .join(text, text.c.id == conversation.c.transcript_content)
        .outerjoin(taken, taken.c.unit_id == unit.c.id)
        .where(
            unit.c.study_id == study_id, drawn.c.fresh == 1, text.c.text.is_not(None), ~is_practice(unit.c.id)
        )
    )


def miscounted(connection: Connection, study_id: int, plan: WorkPlan) -> int:
    """Return for how many units the open places differ from the record, missing and superfluous ones
    included.

    For checking the store.
    """
    told, kept = _told(study_id, plan), select(_SLOT).where(_SLOT.c.study_id == study_id)
    wrong = union(
        select(told.except_(kept).subquery().c.unit_id), select(kept.except_(told).subquery().c.unit_id)
    ).subquery()
    return connection.execute(select(func.count()).select_from(wrong)).scalar_one()


def walked_past(connection: Connection) -> list[int]:
    """Return the raters whose search has passed a unit that they could be given, ascending.

    It would never come to them. For checking the store.
    """
    walk, rater = schema.rater_cursor, schema.rater
    # Named, because of itself SQLAlchemy ties an inner question to the one around it only, and asks anew of
    # every walk.
    had = (
        exists()
        .where(_ASSIGNED.c.rater_id == walk.c.rater_id, _ASSIGNED.c.unit_id == _SLOT.c.unit_id)
        .correlate(walk, _SLOT)
    )
    free = exists().where(
        _SLOT.c.study_id == rater.c.study_id,
        _SLOT.c.taken < _SLOT.c.wanted,
        _SLOT.c.place < walk.c.place,
        ~had,
    )
    return list(
        connection.execute(
            select(walk.c.rater_id)
            .join(rater, rater.c.id == walk.c.rater_id)
            .where(or_(func.typeof(walk.c.place) != "integer", free))
            .order_by(walk.c.rater_id)
        ).scalars()
    )


def _taken(plan: WorkPlan) -> Subquery:
    """Units with the number of raters who hold or have committed them for real."""
    held = exists().where(schema.reservation.c.assignment_id == _ASSIGNED.c.id)
    committed = exists().where(
        schema.commit.c.rater_id == _ASSIGNED.c.rater_id, schema.commit.c.unit_id == _ASSIGNED.c.unit_id
    )
    counted = select(_ASSIGNED.c.unit_id, func.count().label("taken")).where(
        _ASSIGNED.c.purpose == "real", or_(held, committed)
    )
    if plan.each:
        counted = counted.where(_ASSIGNED.c.rater_id.in_(plan.raters))
    return counted.group_by(_ASSIGNED.c.unit_id).subquery()


def drawable(connection: Connection, study_id: int) -> int:
    """Return how many units can be given to raters: listed, not practice, and with their words."""
    unit = schema.unit
    return connection.execute(
        select(func.count())
        .select_from(unit)
        .where(
            unit.c.study_id == study_id,
            unit.c.kind == UnitKind.LISTED,
            ~is_practice(unit.c.id),
            readable(unit.c.id),
        )
    ).scalar_one()
