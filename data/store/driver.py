"""The driver's own connection, which reads rows at the speed of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection


def raw_connection(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection: SQLAlchemy makes an object of each row, which takes longer than everything
    done with it here.
    """
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


@contextmanager
def any_text(connection: Connection) -> Iterator[None]:
    """Within the block a text that is no UTF-8 is read all the same, to be named as altered."""
    raw = raw_connection(connection)
    before, raw.text_factory = raw.text_factory, lambda value: value.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        raw.text_factory = before
