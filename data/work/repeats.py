"""Hidden repeats: a few of each rater's units come a second time, to learn how steady the rater is.

The unit is shown through a repeat, so that it looks like any other and both answers stand for themselves.
Which ones come again is settled when the first is given: in each run of 1/share places one is repeated and
one other is a decoy. The judge of both stays hidden for a while, so that a judge that is not shown does not
tell which is which.
"""

from __future__ import annotations

import random

from sqlalchemy import BindParameter, ColumnElement, Connection, Select, bindparam, exists, func, or_, select

from data import schema
from data.record.units import readable
from data.schema.vocabulary import UnitKind
from data.store.trail import TrailEntry

APART = 5  # units between the two times, at least
LOOKED_BACK = 100  # places; what is older and did not come again yet comes at the end
EAGERNESS = (
    0.4  # how readily a repeat that is due comes now and not later, so that its moment cannot be guessed
)


def hold(seed: str, rater_id: int, place: int, share: float) -> str:
    """Return "repeat" if the unit at this place of a rater's list comes again, "decoy", or "" for neither.

    Of every round(1 / share) places, at least 2, one is a repeat and one a decoy, at random from `seed`;
    always the same for the same arguments. "" where `share` is 0.

    Args:
        seed: of the study's plan.
        rater_id: the rater.
        place: in the rater's list, from 1.
        share: of units that come again, 0 to 1.
    """
    if share <= 0:
        return ""
    length = max(2, round(1 / share))
    block, offset = divmod(place - 1, length)
    repeat, decoy = random.Random(f"{seed}:{rater_id}:{block}").sample(range(length), 2)
    return "repeat" if offset == repeat else "decoy" if offset == decoy else ""


def due(connection: Connection, rater_id: int, at_the_end: bool = False) -> int | None:
    """Return the unit that this rater is to be shown again now, or None.

    `at_the_end`: one other unit in between is enough.
    """
    last = connection.execute(_LAST, {"rater": rater_id}).scalar() or 0
    unit_id: int | None = connection.execute(
        _DUE,
        {
            "rater": rater_id,
            "first": 1 if at_the_end else last - LOOKED_BACK,
            "last": last - (1 if at_the_end else APART),
        },
    ).scalar()
    return unit_id


def _due() -> Select[int]:
    """Built once: making a statement takes longer than running it."""
    assigned, again, repeat, progress = (
        schema.assignment,
        schema.assignment.alias(),
        schema.repeat,
        schema.progress,
    )
    rater: BindParameter[int] = bindparam("rater")
    shown = exists().where(
        repeat.c.of_unit_id == assigned.c.unit_id,
        repeat.c.why == "repeat",
        again.c.unit_id == repeat.c.unit_id,
        again.c.rater_id == rater,
    )
    committed = exists().where(
        progress.c.rater_id == rater,
        progress.c.unit_id == assigned.c.unit_id,
        progress.c.state.in_(("committed", "compared")),
    )
    # A rater who has seen the judge of a unit doesn't rate it again: the second answer would not be
    # independent.
    seen = exists().where(
        schema.exposure.c.rater_id == rater, schema.exposure.c.unit_id == assigned.c.unit_id
    )
    return (
        select(assigned.c.unit_id)
        .where(
            assigned.c.rater_id == rater,
            assigned.c.hold == "repeat",
            assigned.c.place.between(bindparam("first"), bindparam("last")),
            ~shown,
            committed,
            ~seen,
            readable(assigned.c.unit_id),
        )
        .order_by(assigned.c.place)
        .limit(1)
    )


_DUE = _due()
_LAST = select(func.max(schema.assignment.c.place)).where(schema.assignment.c.rater_id == bindparam("rater"))


def repeat_of(
    connection: Connection, entry: TrailEntry, unit_id: int, why: str, calibration_id: int | None = None
) -> int:
    """Return the id of the unit that shows another one again; it is created if there is none yet."""
    table, unit = schema.repeat, schema.unit
    repeat_id = connection.execute(
        select(table.c.unit_id).where(
            table.c.of_unit_id == unit_id,
            table.c.why == why,
            table.c.calibration_id.is_(calibration_id)
            if calibration_id is None
            else table.c.calibration_id == calibration_id,
        )
    ).scalar()
    if repeat_id is not None:
        return int(repeat_id)
    shown = connection.execute(select(unit).where(unit.c.id == unit_id)).one()
    lowest = connection.execute(
        select(func.min(unit.c.position)).where(unit.c.study_id == shown.study_id)
    ).scalar_one()
    repeat_id = entry.write(
        unit,
        {
            "study_id": shown.study_id,
            "conversation_id": shown.conversation_id,
            "message": shown.message,
            "kind": UnitKind.REPEAT,
            "position": min(lowest, 0) - 1,
            "criteria": shown.criteria,
        },
    )
    entry.write(
        table, {"unit_id": repeat_id, "of_unit_id": unit_id, "why": why, "calibration_id": calibration_id}
    )
    return repeat_id


def held_back(unit_column: ColumnElement[int], rater_id: int, finished: bool) -> ColumnElement[bool]:
    """Return an SQL condition: the judge of a unit stays hidden from a rater.

    That is so for practice, repeats, and units that come again or might. A repeated unit is shown after its
    repeat, a decoy about as long after its own place. With `finished`, only practice stays hidden.
    """
    # All aliased, because the outer query may refer to a column of one of these tables.
    assigned, again, repeat, progress = (
        schema.assignment.alias(),
        schema.assignment.alias(),
        schema.repeat.alias(),
        schema.progress.alias(),
    )
    mine = (assigned.c.rater_id == rater_id, assigned.c.unit_id == unit_column)
    repeated = exists().where(
        repeat.c.of_unit_id == unit_column,
        repeat.c.why == "repeat",
        progress.c.unit_id == repeat.c.unit_id,
        progress.c.rater_id == rater_id,
        progress.c.state.in_(("committed", "compared")),
    )
    newest = select(func.max(again.c.place)).where(again.c.rater_id == rater_id).scalar_subquery()
    practice = exists().where(*mine, assigned.c.purpose != "real")
    if finished:  # nothing comes again any more: a repeat that is due would not let the list end
        return practice
    coming = exists().where(*mine, assigned.c.hold == "repeat") & ~repeated
    decoy = exists().where(*mine, assigned.c.hold == "decoy", assigned.c.place > newest - 2 * APART)
    return practice | coming | decoy


def any_given(connection: Connection, rater_id: int) -> bool:
    """Tell whether any unit of this rater came again or is to."""
    assigned, unit = schema.assignment, schema.unit
    statement = (
        select(assigned.c.id)
        .join(unit, unit.c.id == assigned.c.unit_id)
        .where(
            assigned.c.rater_id == rater_id,
            or_(assigned.c.hold == "repeat", unit.c.kind == UnitKind.REPEAT),
        )
        .limit(1)
    )
    return connection.execute(statement).first() is not None


def original(connection: Connection, unit_id: int) -> int:
    """Return the unit that a repeat shows again, or `unit_id` itself if it is no repeat or unknown."""
    return (
        connection.execute(
            select(schema.repeat.c.of_unit_id).where(schema.repeat.c.unit_id == unit_id)
        ).scalar()
        or unit_id
    )
