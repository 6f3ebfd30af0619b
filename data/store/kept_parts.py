"""Cache what pages read of a study repeatedly: sealed tables only grow, so a result stays valid until they
have more rows.

Only a program that serves pages caches anything (`Store.keep_parts`), and only what was read, never what a
transaction is about to write.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, select

from data import schema

OPTION = "kept_parts"  # execution option of a reading connection
MOST_STUDIES = 2  # 100,000 conversations with a million labels take 150 MB
Value = TypeVar("Value")


@dataclass(frozen=True)
class TableEnd:
    """The last row of a table: its id, and the hash of its trail entry, which differs if a store was restored
    and continued differently. (0, "") without rows.
    """

    id: int
    hash: str


@dataclass(frozen=True)
class _Part:
    """`basis`: the ends of the tables and the other state it depends on. `grown_to`: the end of the table
    with which it grows, if any.
    """

    basis: Hashable
    value: Any
    grown_to: TableEnd | None = None


class KeptParts:
    """The cache of one store for all threads: the latest parts of the latest studies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: OrderedDict[int, dict[Hashable, _Part]] = OrderedDict()
        self._part_locks: dict[tuple[int, Hashable], threading.Lock] = {}

    def clear(self) -> None:
        """Drop everything that is cached."""
        with self._lock:
            self._parts.clear()
            self._part_locks.clear()

    def find(self, study_id: int, key: Hashable) -> _Part | None:
        """Return the cached part, or None."""
        with self._lock:
            return self._parts.get(study_id, {}).get(key)

    def put(self, study_id: int, key: Hashable, part: _Part) -> None:
        """Cache a part, and drop the studies used longest ago beyond MOST_STUDIES (2)."""
        with self._lock:
            self._parts.setdefault(study_id, {})[key] = part
            self._parts.move_to_end(study_id)
            while len(self._parts) > MOST_STUDIES:
                self._parts.popitem(last=False)

    def lock_of(self, study_id: int, key: Hashable) -> threading.Lock:
        """Return the lock to hold while a part is made, so that two tabs don't make it at once."""
        with self._lock:
            return self._part_locks.setdefault((study_id, key), threading.Lock())


def keep_part(
    connection: Connection,
    study_id: int,
    key: Hashable,
    tables: Sequence[Table],
    make: Callable[[], Value],
) -> Value:
    """Return what `make` reads of the study, cached until one of `tables` has another last row.

    `key` names it and holds everything else that determines it. The value must not be changed.
    """
    parts = _parts_of(connection)
    if parts is None:
        return make()
    with parts.lock_of(study_id, key):
        ends = table_ends(connection, tables)
        part = parts.find(study_id, key)
        if part is None or part.basis != ends:
            part = _Part(ends, make())
            parts.put(study_id, key, part)
        value: Value = part.value
        return value


def grow_part(
    connection: Connection,
    study_id: int,
    key: Hashable,
    table: Table,
    read: Callable[[int], Value],
    join: Callable[[Value, Value], Value],
    tables: Sequence[Table] = (),
    find_state: Callable[[], Hashable] = lambda: None,
) -> Value:
    """Return what `keep_part` would, but read only the new rows of `table`.

    `read(n)` reads the rows with ids above n, and `join(before, new)` appends them. All is read anew if one
    of `tables` has another last row or `find_state` returns another value. The value must not be changed.
    """
    parts = _parts_of(connection)
    if parts is None:
        return read(0)
    with parts.lock_of(study_id, key):
        (now,) = table_ends(connection, (table,))
        basis = (table_ends(connection, tables), find_state())
        part = parts.find(study_id, key)
        if part is not None and part.grown_to is not None and part.basis == basis:
            before = part.grown_to
            if before == now:
                value: Value = part.value
                return value
            if 0 < before.id < now.id and before == table_end(connection, table, before.id):
                value = join(part.value, read(before.id))
                parts.put(study_id, key, _Part(basis, value, now))
                return value
        value = read(0)
        parts.put(study_id, key, _Part(basis, value, now))
        return value


def table_ends(connection: Connection, tables: Sequence[Table]) -> tuple[TableEnd, ...]:
    """Return the ends of the tables in the state that the connection reads."""
    return tuple(table_end(connection, table) for table in tables)


def table_end(connection: Connection, table: Table, row_id: int | None = None) -> TableEnd:
    """Return the end of a table; with `row_id`, as if that row were the last."""
    trail = schema.trail
    statement = select(table.c.id, trail.c.hash).join(trail, trail.c.seq == table.c.trail)
    row = connection.execute(
        statement.order_by(table.c.id.desc()).limit(1)
        if row_id is None
        else statement.where(table.c.id == row_id)
    ).first()
    return TableEnd(row.id, row.hash) if row is not None else TableEnd(0, "")


def _parts_of(connection: Connection) -> KeptParts | None:
    parts = connection.get_execution_options().get(OPTION)
    return parts if isinstance(parts, KeptParts) else None
