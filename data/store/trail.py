"""The trail: who did what and when, with a digest of every sealed row, chained by hash.

Each transaction that writes sealed rows makes one entry, and so does an act without rows, such as opening a
study as its lead. The digest holds, for each table, the number of rows and the SHA-256 of their canonical
JSON in the order of ids. The hash covers the entry and the hash before it.
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
from data.store.driver import insert_rows

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
)  # columns in the hash of an entry, in this order
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=repr
)  # made once, because every save encodes rows
# Built once: making a statement takes longer than running it, and every save runs these.
_FIRST = select(schema.trail.c.hash).where(schema.trail.c.seq == 1)
_LAST = select(schema.trail.c.seq, schema.trail.c.hash).order_by(schema.trail.c.seq.desc()).limit(1)


def now() -> str:
    """Return the server's time in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def canonical(values: Any) -> bytes:
    """Return the values as JSON in UTF-8, always the same for equal values: sorted keys, no blanks, no
    escapes.

    {"b": 1, "a": "é"} gives {"a":"é","b":1}. Values without a JSON form, which another program wrote, get
    one too, for comparison.
    """
    return _ENCODER.encode(values).encode("utf-8", "surrogatepass")


def entry_hash(entry: Mapping[str, Any]) -> str:
    """Return the SHA-256 of an entry's hashed columns, in hexadecimal."""
    return hashlib.sha256(canonical([entry[name] for name in HASHED])).hexdigest()


class TableDigest:
    """The number and running hash of a table's rows under one entry."""

    def __init__(self) -> None:
        self.count = 0
        self._hash = hashlib.sha256()

    def add(self, row: Sequence[Any]) -> None:
        """Add a row."""
        self.count += 1
        self._hash.update(canonical(row))

    def hexdigest(self) -> str:
        """Return the hash of the rows so far, in hexadecimal."""
        return self._hash.hexdigest()

    def value(self) -> list[Any]:
        """Return [number of rows, hash]."""
        return [self.count, self.hexdigest()]


class TrailEntry:
    """The entry of the current transaction: sealed rows go through `write`, and `close` makes the entry.

    Rows come without id and trail; the write lock makes it safe to continue the table's ids. Where the order
    of the rows matters, as in a study that another store wrote, more entries may follow in the same
    transaction (`follow`).
    """

    def __init__(
        self, connection: Connection, actor: str, action: str, study: int | None = None, seals: bool = True
    ) -> None:
        """`seals`: False for rows that are staged, and written again under an entry that seals them."""
        self._connection, self._seals = connection, seals
        self._actor, self.action, self.study = actor, action, study
        last = connection.execute(_LAST).first()
        self.seq = (last.seq if last else 0) + 1
        self._previous = last.hash if last else START
        self._digests: dict[tuple[int, str], TableDigest] = {}
        self._following: list[tuple[str, str, int | None]] = []
        self._next_id: dict[str, int] = {}
        self._records_act = False
        self.at = now()

    def write(self, table: Table, row: Mapping[str, Any]) -> int:
        """Insert a row and return its id."""
        return self.write_many(table, [row])[0]

    def write_many(self, table: Table, rows: Iterable[Mapping[str, Any]]) -> list[int]:
        """Insert rows and return their ids. A row with `trail` is of the following entry of that number."""
        names = [column.name for column in table.columns]
        return self.write_values(table, [list(map(row.get, names)) for row in rows])

    def write_values(self, table: Table, rows: Sequence[list[Any]]) -> list[int]:
        """Insert rows with a value for each column, in the columns' order, and return their ids. `id` and a
        missing `trail` or `at` are set here.
        """
        first = self._next_id.get(table.name) or next_id(self._connection, table)
        place = {column.name: number for number, column in enumerate(table.columns)}
        for number, values in enumerate(rows, start=first):
            trail: int = values[place["trail"]] or self.seq
            values[place["id"]], values[place["trail"]] = number, trail
            if "at" in place and values[place["at"]] is None:
                values[place["at"]] = self.at
            if self._seals:
                self._digests.setdefault((trail, table.name), TableDigest()).add(values)
        if rows:
            insert_rows(self._connection, table, rows)
        self._next_id[table.name] = first + len(rows)
        return list(range(first, first + len(rows)))

    def follow(self, action: str, detail: str, study: int | None = None) -> int:
        """Add an entry after this one and those added before, and return its number.

        `detail`: canonical JSON. `study`: the id of its study; None for the study of this entry.
        """
        self._following.append((action, detail, study))
        return self.seq + len(self._following)

    def record_act(self) -> None:
        """Make the entry even without rows: only the act is recorded."""
        self._records_act = True

    def close(self, detail: Mapping[str, Any] | None = None) -> int | None:
        """Make the entry if rows were written or an act is recorded; return its number, or None."""
        if not (self._records_act or any(digest.count for digest in self._digests.values())):
            return None
        written: dict[int, dict[str, Any]] = {}
        for (seq, name), digest in self._digests.items():
            if digest.count:
                written.setdefault(seq, {})[name] = digest.value()
        own = canonical(dict(detail or {})).decode("utf-8", "replace")  # a file name may not be UTF-8
        rows, previous = [], self._previous
        entries = [(self.action, own, self.study), *self._following]
        for seq, (action, spelled, study) in enumerate(entries, start=self.seq):
            row = {
                "seq": seq,
                "at": self.at,
                "actor": self._actor,
                "action": action,
                "study": self.study if study is None else study,
                "detail": spelled,
                "digest": canonical(written.get(seq, {})).decode(),
                "previous": previous,
            }
            previous = entry_hash(row)
            rows.append({**row, "hash": previous})
        self._connection.execute(insert(schema.trail), rows)
        return self.seq


def store_name(connection: Connection) -> str:
    """Return the start of the first entry's hash, which tells stores apart."""
    return str(connection.execute(_FIRST).scalar() or START)[:12]


def last_moment(connection: Connection) -> str | None:
    """Return the time of the last entry as stored; None for an empty trail."""
    table = schema.trail
    statement = select(table.c.at).order_by(table.c.seq.desc()).limit(1)
    moment: str | None = connection.execute(statement).scalar()
    return moment


def next_id(connection: Connection, table: Table) -> int:
    """Return the id after the highest; it was never used, because rows are never deleted."""
    return (connection.execute(_last_id(table)).scalar() or 0) + 1


@lru_cache
def _last_id(table: Table) -> Select[int]:
    return select(table.c.id).order_by(table.c.id.desc()).limit(1)
