"""The driver's own connection, which reads and inserts rows at the speed of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table


def raw_connection(connection: Connection) -> sqlite3.Connection:
    """Return the driver's own connection: SQLAlchemy makes an object of each row, which takes longer than all
    other work here.
    """
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def insert_rows(connection: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that have a value for each column of the table, in the columns' order."""
    connection.exec_driver_sql(_insertion(table), list(map(tuple, rows)))


@cache
def _insertion(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return f"INSERT INTO {table.name} ({names}) VALUES ({', '.join('?' * len(table.columns))})"


@contextmanager
def any_text(connection: Connection) -> Iterator[None]:
    """Within the block, read texts that are not UTF-8 too, so that they can be reported as altered."""
    raw = raw_connection(connection)
    before, raw.text_factory = raw.text_factory, lambda value: value.decode("utf-8", "surrogateescape")
    try:
        yield
    finally:
        raw.text_factory = before
