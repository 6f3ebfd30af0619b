"""What a rater of an archived study can still turn to: only what they have begun or committed."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from data import schema


def next_begun(connection: Connection, rater_id: int, after: int) -> int | None:
    """Return the first place after `after` of a unit that the rater has answered and not committed, or
    None.
    """
    table = schema.progress
    place: int | None = connection.execute(
        select(func.min(table.c.position)).where(
            table.c.rater_id == rater_id, table.c.state == "begun", table.c.position > after
        )
    ).scalar()
    return place


def is_touched(connection: Connection, rater_id: int, place: int) -> bool:
    """Tell whether the rater has begun or committed the unit at this place of their list."""
    table = schema.progress
    return (
        connection.execute(
            select(table.c.unit_id).where(
                table.c.rater_id == rater_id,
                table.c.position == place,
                table.c.state.in_(("begun", "committed", "compared")),
            )
        ).first()
        is not None
    )
