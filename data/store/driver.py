"""The driver's own connection, which reads rows at the speed of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection


def raw_connection(connection: Connection) -> sqlite3.Connection:
    """Return the driver's own connection: SQLAlchemy makes an object of each row, which takes longer than all
    other work here.
    """
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


@contextmanager
def any_text(connection: Connection) -> Iterator[None]:
    """Within the block, read texts that are not UTF-8 too, so that they can be reported as altered."""
    raw = raw_connection(connection)
    before, raw.text_factory = raw.text_factory, lambda value: value.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        raw.text_factory = before
