"""What a person has to do with a unit or a hidden repeat of it: rated it, or has it on their list."""

from __future__ import annotations

from sqlalchemy import Connection, select

from data import schema
from data.record.rater_identities import rater_ids_of_person
from data.record.units import Unit
from data.work.still_to_come import on_list


def with_repeats(connection: Connection, unit: Unit) -> list[int]:
    """Return the id of the unit and those of its hidden repeats."""
    repeat = schema.repeat
    shown_again = select(repeat.c.unit_id).where(repeat.c.of_unit_id == unit.id)
    return [unit.id, *connection.execute(shown_again).scalars()]


def has_rated(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Tell whether this person rated the unit or a repeat of it, here or in a file that is confirmed to be
    theirs.
    """
    rating = schema.rating
    first_rating = connection.execute(
        select(rating.c.id)
        .where(
            rating.c.rater_id.in_(rater_ids_of_person(connection, rater_id)),
            rating.c.unit_id.in_(with_repeats(connection, unit)),
        )
        .limit(1)
    )
    return first_rating.first() is not None


def is_on_list(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Tell whether the person holds the unit or a repeat of it, or left it for later."""
    unit_id = schema.unit.c.id
    held = connection.execute(
        select(unit_id)
        .where(unit_id.in_(with_repeats(connection, unit)), on_list(unit_id, rater_id))
        .limit(1)
    )
    return held.first() is not None
