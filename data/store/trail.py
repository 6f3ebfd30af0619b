"""The trail: who did what, when, and a digest of every sealed row written, chained by hash.

Each transaction that writes sealed rows makes one entry, and so does an act that is recorded without any row,
such as opening a study as its lead. Its digest is, for each table, the number of rows
and SHA-256 over their canonical JSON in the order of their ids; its hash covers the entry and the hash before
it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Select, Table, insert, select

from data import schema

START = "0" * 64
HASHED = (
    "seq",
    "at",
    "actor",
    "action",
    "study",
    "detail",
    "digest",
    "previous",
)  # what the hash of an entry covers, in this order
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=repr
)  # made once: every save spells rows
# Built once: making a statement takes longer than running it, and every save runs these.
_FIRST = select(schema.trail.c.hash).where(schema.trail.c.seq == 1)
_LAST = select(schema.trail.c.seq, schema.trail.c.hash).order_by(schema.trail.c.seq.desc()).limit(1)


def now() -> str:
    """Server time in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def canonical(values: Any) -> bytes:
    """One spelling of the same values. What JSON has no form for was put there by another program; it gets
    one too, to be compared."""
    return _ENCODER.encode(values).encode("utf-8", "surrogatepass")


def entry_hash(entry: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical([entry[name] for name in HASHED])).hexdigest()


class TableDigest:
    """Number of rows and running hash of the rows of one table under one entry."""

    def __init__(self) -> None:
        self.count = 0
        self._hash = hashlib.sha256()

    def add(self, row: Sequence[Any]) -> None:
        self.count += 1
        self._hash.update(canonical(row))

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def value(self) -> list[Any]:
        return [self.count, self.hexdigest()]


class TrailEntry:
    """The entry of the transaction under way: sealed rows go through `write`, and `close` makes the entry.

    Rows are given without id and trail; ids continue the table's own sequence, which the write lock makes
    safe.
    """

    def __init__(self, connection: Connection, actor: str, action: str, study: int | None = None) -> None:
        self._connection = connection
        self._actor, self._action, self.study = actor, action, study
        last = connection.execute(_LAST).first()
        self.seq = (last.seq if last else 0) + 1
        self._previous = last.hash if last else START
        self._digests: dict[str, TableDigest] = {}
        self._next_id: dict[str, int] = {}
        self._records_act = False
        self.at = now()

    def write(self, table: Table, row: Mapping[str, Any]) -> int:
        return self.write_many(table, [row])[0]

    def write_many(self, table: Table, rows: Iterable[Mapping[str, Any]]) -> list[int]:
        """Insert rows and return their ids."""
        first = self._next_id.get(table.name) or next_id(self._connection, table)
        names = [column.name for column in table.columns]
        digest = self._digests.setdefault(table.name, TableDigest())
        full = []
        for number, row in enumerate(rows, start=first):
            values = {name: row.get(name) for name in names}
            values["id"], values["trail"] = number, self.seq
            if "at" in values and values["at"] is None:
                values["at"] = self.at
            digest.add([values[name] for name in names])
            full.append(values)
        if full:
            self._connection.execute(insert(table), full)
        self._next_id[table.name] = first + len(full)
        return list(range(first, first + len(full)))

    def record_act(self) -> None:
        """Make the entry also without a row: that somebody did this is all that is recorded."""
        self._records_act = True

    def close(self, detail: Mapping[str, Any] | None = None) -> int | None:
        """Make the entry, if any row was written under it or it records an act. Returns its number."""
        if not (self._records_act or any(digest.count for digest in self._digests.values())):
            return None
        row = {
            "seq": self.seq,
            "at": self.at,
            "actor": self._actor,
            "action": self._action,
            "study": self.study,
            "detail": canonical(dict(detail or {})).decode(
                "utf-8", "replace"
            ),  # a file's name need not be UTF-8
            "digest": canonical({name: d.value() for name, d in self._digests.items() if d.count}).decode(),
            "previous": self._previous,
        }
        self._connection.execute(insert(schema.trail), [{**row, "hash": entry_hash(row)}])
        return self.seq


def store_name(connection: Connection) -> str:
    """Tells one store from another: the beginning of the hash of its first entry."""
    return str(connection.execute(_FIRST).scalar() or START)[:12]


def last_moment(connection: Connection) -> str | None:
    """When the last entry was made, as the store writes moments; None in an empty trail."""
    table = schema.trail
    statement = select(table.c.at).order_by(table.c.seq.desc()).limit(1)
    moment: str | None = connection.execute(statement).scalar()
    return moment


def next_id(connection: Connection, table: Table) -> int:
    """The id after the highest; rows are never deleted, so it was never used."""
    return (connection.execute(_last_id(table)).scalar() or 0) + 1


@lru_cache
def _last_id(table: Table) -> Select[int]:
    return select(table.c.id).order_by(table.c.id.desc()).limit(1)
