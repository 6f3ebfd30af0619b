"""The rows of the sealed tables as groups: what was written under each entry of the trail, with its digest.

A digest is made of rows spelled as JSON (data/store/trail.py). Here SQLite spells them while it reads: for
numbers, texts and nothing it writes the same bytes, several times faster. Where its bytes have another digest
than the trail says, the rows are spelled again in Python before anything is called altered (`digest_anew`).
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Float, LargeBinary, Table

from data.store.trail import TableDigest

# The rows of one table under one entry: the number of the entry, the table's name, how many rows,
# what stands of them in the digest of the entry, and the id of the first of them, which the others follow. A
# bare tuple: there are as many as entries, and making an object of each takes a tenth of the time of
# everything else.
Group = tuple[float, str, int, str, int]
_BEFORE_ALL = -math.inf


def spell_digest(table: str, rows: int, hashed: str) -> str:
    """What stands of one table in the digest of an entry, in canonical form."""
    return f'"{table}":[{rows},"{hashed}"]'


class OutOfOrder(Exception):
    """The rows of a table are not in the order of the trail, or hold what JSON has no form for: somebody else
    put them there.
    """

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def groups(raw: sqlite3.Connection, table: Table, careful: bool) -> Iterator[Group]:
    """The groups of a table in the order of the trail, which is that of the ids. Rows whose entry is no
    number are left out.

    `careful`: takes nothing for granted, sorts, and is slow. Otherwise raises OutOfOrder where that is
    needed.
    """
    if careful or not _database_spells(table):
        return _spelled_here(raw, table, careful)
    return _spelled_by_database(raw, table)


def digest_anew(raw: sqlite3.Connection, table: Table, group: Group) -> str:
    """The digest of a group of which SQLite spelled the rows, with its rows spelled in Python."""
    entry, name, count, _, first = group
    digest = TableDigest()
    statement = f"SELECT {_columns(table)} FROM {name} WHERE id >= ? AND trail = ? ORDER BY id LIMIT ?"
    try:
        for row in raw.execute(statement, (first, entry, count)):
            digest.add(row)
    except sqlite3.OperationalError:  # a text that is none
        raise OutOfOrder(name) from None
    return spell_digest(name, digest.count, digest.hexdigest())


def without_entry(raw: sqlite3.Connection, table: Table) -> int:
    """How many rows of a table name no entry at all, not even one that is not there."""
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
    """Whether SQLite writes the rows of a table as Python does: it writes fractions otherwise."""
    return not any(isinstance(column.type, Float | LargeBinary) for column in table.columns)
