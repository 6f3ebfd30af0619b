"""Which studies a study continues: the one under the wording before, the one before that, and so on. A line,
never a circle.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from data import schema
from data.store.errors import Refused
from data.store.trail import TrailEntry


def earlier_studies(connection: Connection, study_id: int) -> list[int]:
    """Return the studies that this one continues, nearest first, each once."""
    table, line = schema.successor, [study_id]
    while (
        before := connection.execute(select(table.c.of_study_id).where(table.c.study_id == line[-1])).scalar()
    ) is not None and before not in line:
        line.append(before)
    return line[1:]


def related_studies(connection: Connection, study_id: int) -> list[int]:
    """Return the other studies connected with this one by continuation, in either direction, ordered by id.

    All of them may hold the words of the same conversations.
    """
    table = schema.successor
    pairs = connection.execute(select(table.c.study_id, table.c.of_study_id)).all()
    related = {study_id}
    while new := {study for pair in pairs if not related.isdisjoint(pair) for study in pair} - related:
        related |= new
    return sorted(related - {study_id})


def record_successor(
    connection: Connection,
    entry: TrailEntry,
    study_id: int,
    of_study_id: int,
    reason_content: int | None,
    reason_mac: str | None,
) -> None:
    """Record that a study continues another one. Raises Refused where the other one continues it, or is the
    same.
    """
    if study_id in (of_study_id, *earlier_studies(connection, of_study_id)):
        raise Refused("study_continues_itself")
    entry.write(
        schema.successor,
        {
            "study_id": study_id,
            "of_study_id": of_study_id,
            "reason_content": reason_content,
            "reason_mac": reason_mac,
        },
    )


def find_circles(connection: Connection) -> list[list[int]]:
    """Return each circle of studies that continue themselves, from its lowest id on. For checking the
    store.
    """
    rows = connection.execute(select(schema.successor.c.study_id, schema.successor.c.of_study_id)).all()
    before = {
        row.study_id: row.of_study_id
        for row in rows
        if isinstance(row.study_id, int) and isinstance(row.of_study_id, int)
    }
    seen: set[int] = set()
    circles = []
    for start in sorted(before):
        line: dict[int, None] = {}
        study_id: int | None = start
        while study_id is not None and study_id not in seen:
            seen.add(study_id)
            line[study_id] = None
            study_id = before.get(study_id)
        if study_id in line:
            circle = list(line)[list(line).index(study_id) :]
            first = circle.index(min(circle))
            circles.append(circle[first:] + circle[:first])
    return circles
