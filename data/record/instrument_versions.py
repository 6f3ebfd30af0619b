"""The versions of an instrument that a store has, and the studies that are rated under each."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from data import schema
from data.record.studies import current_title


@dataclass(frozen=True)
class InstrumentVersion:
    """`at`: when it was kept first. `studies`: their titles."""

    version: str
    at: str
    studies: tuple[str, ...]


def list_versions(connection: Connection, key: str) -> list[InstrumentVersion]:
    """Return the stored versions of the instrument with this key, newest first."""
    table, study = schema.instrument, schema.study
    versions = connection.execute(
        select(table.c.id, table.c.version, schema.trail.c.at)
        .join(schema.trail, schema.trail.c.seq == table.c.trail)
        .where(table.c.key == key)
        .order_by(table.c.id.desc())
    ).all()
    titles: dict[int, list[str]] = {row.id: [] for row in versions}
    for row in connection.execute(
        select(study.c.instrument_id, current_title().label("title"))
        .where(study.c.instrument_id.in_(list(titles)))
        .order_by(study.c.id)
    ):
        titles[row.instrument_id].append(row.title)
    return [InstrumentVersion(row.version, row.at, tuple(titles[row.id])) for row in versions]
