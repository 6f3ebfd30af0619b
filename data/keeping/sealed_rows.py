"""The rows of the sealed tables in groups: what was written under each entry of the trail, with its digest.

A digest is made from rows as JSON (data/store/trail.py). Here SQLite writes the JSON, with the same bytes for
numbers, texts and NULL and several times faster. If its digest differs from the trail's, Python encodes the
rows again before they count as altered (`digest_anew`).
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Float, LargeBinary, Table

from data.store.trail import TableDigest

# The rows of one table under one entry: entry number, table name, number of rows, their part of the entry's
# digest, and the first id. A bare tuple, because making objects would take a tenth of the total time.
Group = tuple[float, str, int, str, int]
_BEFORE_ALL = -math.inf


def spell_digest(table: str, rows: int, hashed: str) -> str:
    """Return a table's part of an entry's digest, in canonical form."""
    return f'"{table}":[{rows},"{hashed}"]'


class OutOfOrder(Exception):
    """The rows of a table are not in the order of the trail, or hold values without a JSON form: another
    program wrote them.
    """

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def groups(raw: sqlite3.Connection, table: Table, careful: bool) -> Iterator[Group]:
    """Yield the groups of a table in the order of the trail. Rows whose entry is not a number are left out.

    `careful`: trust nothing and sort, which is slow. Otherwise raises OutOfOrder if that is needed.
    """
    if careful or not _database_spells(table):
        return _spelled_here(raw, table, careful)
    return _spelled_by_database(raw, table)


def digest_anew(raw: sqlite3.Connection, table: Table, group: Group) -> str:
    """Return the digest of a group computed from its rows in Python, to check the one computed by SQLite."""
    entry, name, count, _, first = group
    digest = TableDigest()
    statement = f"SELECT {_columns(table)} FROM {name} WHERE id >= ? AND trail = ? ORDER BY id LIMIT ?"
    try:
        for row in raw.execute(statement, (first, entry, count)):
            digest.add(row)
    except sqlite3.OperationalError:  # invalid UTF-8
        raise OutOfOrder(name) from None
    return spell_digest(name, digest.count, digest.hexdigest())


def without_entry(raw: sqlite3.Connection, table: Table) -> int:
    """Return how many rows of a table name no entry."""
    count: int = raw.execute(
        f"SELECT count(*) FROM {table.name} WHERE typeof(trail) <> 'integer'"
    ).fetchone()[0]
    return count


def _columns(table: Table) -> str:
    return ", ".join(column.name for column in table.columns)


def _spelled_by_database(raw: sqlite3.Connection, table: Table) -> Iterator[Group]:
    name, sha256 = table.name, hashlib.sha256
    entry, count, first = _BEFORE_ALL, 0, 0
    digest: Any = None
    try:
        for trail, number, spelled in raw.execute(
            f"SELECT trail, id, CAST(json_array({_columns(table)}) AS BLOB) FROM {name} ORDER BY id"
        ):
            if trail == entry:
                digest.update(spelled)
                count += 1
                continue
            if not trail > entry:
                raise OutOfOrder(name)
            if count:
                yield entry, name, count, f'"{name}":[{count},"{digest.hexdigest()}"]', first
            entry, count, first, digest = trail, 1, number, sha256(spelled)
    except (sqlite3.OperationalError, TypeError):
        raise OutOfOrder(name) from None
    if count:
        yield entry, name, count, f'"{name}":[{count},"{digest.hexdigest()}"]', first


def _spelled_here(raw: sqlite3.Connection, table: Table, careful: bool) -> Iterator[Group]:
    name, order = (
        table.name,
        "WHERE typeof(trail) = 'integer' ORDER BY trail, id" if careful else "ORDER BY id",
    )
    entry, first, digest = _BEFORE_ALL, 0, TableDigest()
    try:
        for trail, number, *row in raw.execute(f"SELECT trail, id, {_columns(table)} FROM {name} {order}"):
            if trail != entry:
                if not careful and not (isinstance(trail, int) and trail > entry):
                    raise OutOfOrder(name)
                if digest.count:
                    yield _group(entry, name, digest, first)
                entry, first, digest = trail, number, TableDigest()
            digest.add(row)
    except sqlite3.OperationalError:
        if careful:
            raise
        raise OutOfOrder(name) from None
    if digest.count:
        yield _group(entry, name, digest, first)


def _group(entry: float, name: str, digest: TableDigest, first: int) -> Group:
    return entry, name, digest.count, spell_digest(name, digest.count, digest.hexdigest()), first


def _database_spells(table: Table) -> bool:
    """Tell whether SQLite writes the table's rows as Python does; it writes fractions differently."""
    return not any(isinstance(column.type, Float | LargeBinary) for column in table.columns)
