"""Whether raters wrote notes to the study lead about a unit."""

from __future__ import annotations

from sqlalchemy import Connection, or_, select

from data import schema
from data.record.units import Unit


def has_note(connection: Connection, unit: Unit, criterion: str | None = None) -> bool:
    """Tell whether a rater wrote a note about the unit or a repeat of it, answered or not. `criterion`: about
    this criterion or about the unit as a whole; None: about anything.
    """
    table, repeat = schema.escalation, schema.repeat
    repeats = select(repeat.c.unit_id).where(repeat.c.of_unit_id == unit.id)
    about = [] if criterion is None else [or_(table.c.criterion.is_(None), table.c.criterion == criterion)]
    notes = (
        select(table.c.id)
        .where(
            or_(table.c.unit_id == unit.id, table.c.unit_id.in_(repeats)), table.c.answers.is_(None), *about
        )
        .limit(1)
    )
    return connection.execute(notes).first() is not None
