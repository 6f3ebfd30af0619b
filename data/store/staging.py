"""Rows laid aside in a file of their own, to be inserted later in one short transaction.

A connection with this overlay reads the store as it stood at one moment together with the rows laid aside,
and whatever it inserts goes to the staging file: no lock is held, and nobody else sees it. Ids continue
those of the store at that moment. `insert_staged` gives the rows the ids that are free when they are
inserted, and moves every reference to them along.

How: the staging file is attached, each table is hidden by a temporary view of the store's rows and the new
ones, and a trigger on the view inserts into the staging file. Rows can't be updated or deleted through the
views.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Table, UniqueConstraint, insert
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import sort_tables

from data import schema
from data.store.trail import TrailEntry, next_id

BATCH = 1_000  # rows that are held while they are inserted
_SEALED = frozenset(table.name for table in schema.SEALED)


@dataclass(frozen=True)
class StagedRows:
    """`path`: the staging file. `after`: the last trail entry of the store that the rows build on."""

    path: Path
    after: int


def lay_over(connection: Connection, path: Path) -> None:
    """Hide the tables of the store by the views described above. The connection must not be used for anything
    else afterwards, and not be returned to a pool. Raises sqlite3.Error for a file that can't be written.
    """
    run = connection.exec_driver_sql
    run("PRAGMA foreign_keys=OFF")  # rows may refer to rows of either file
    run("ATTACH DATABASE ? AS staged", (str(path),))
    run("PRAGMA staged.journal_mode=OFF")
    run("PRAGMA staged.synchronous=OFF")
    run("BEGIN")
    for statement in _statements():
        run(statement)


@cache
def _statements() -> tuple[str, ...]:
    dialect = sqlite.dialect()
    statements = []
    for table in schema.metadata.tables.values():
        name, keys = table.name, list(table.primary_key)
        types = ", ".join(
            f'"{column.name}" {column.type.compile(dialect)}{" PRIMARY KEY" if keys == [column] else ""}'
            for column in table.columns
        )
        columns = [f'"{column.name}"' for column in table.columns]
        listed = ", ".join(columns)
        statements.append(f"CREATE TABLE staged.new_{name} ({types})")
        for number, indexed in enumerate(_indexed_columns(table)):
            statements.append(f"CREATE INDEX staged.new_{name}_{number} ON new_{name} ({', '.join(indexed)})")
        statements.append(
            f"CREATE TEMP VIEW {name} AS SELECT {listed} FROM main.{name} "
            f"UNION ALL SELECT {listed} FROM staged.new_{name}"
        )
        values = ", ".join(f"NEW.{column}" for column in columns)
        statements.append(
            f"CREATE TEMP TRIGGER stage_{name} INSTEAD OF INSERT ON {name} "
            f"BEGIN INSERT INTO new_{name} ({listed}) VALUES ({values}); END"
        )
    return tuple(statements)


def _indexed_columns(table: Table) -> Iterator[list[str]]:
    """The columns of each index and each unique constraint of a table."""
    unique = [part.columns for part in table.constraints if isinstance(part, UniqueConstraint)]
    for columns in (*(index.columns for index in table.indexes), *unique):
        yield [f'"{column.name}"' for column in columns]


def insert_staged(
    connection: Connection, entry: TrailEntry, staged: StagedRows, staged_at: str
) -> dict[str, int]:
    """Insert the rows under `entry`, BATCH at a time; those of the moment `staged_at`, when they were laid
    aside, get the moment of the entry. Returns by how much the ids of each table moved.
    """
    moved: dict[str, int] = {}
    first: dict[str, int] = {}
    with closing(_open_staged(staged)) as source:
        source.row_factory = sqlite3.Row
        tables = [table for table in _in_order() if _has_rows(source, table)]
        for table in tables:
            if "id" in table.c:
                first[table.name] = source.execute(f"SELECT min(id) FROM new_{table.name}").fetchone()[0]
                moved[table.name] = next_id(connection, table) - first[table.name]
        for table in tables:
            for rows in _batches(source, table, first, moved):
                _insert(connection, entry, table, rows, staged_at)
    return moved


def first_id(staged: StagedRows, table: Table) -> int | None:
    """The lowest id of the rows of a table that are laid aside; None where there are none."""
    with closing(_open_staged(staged)) as source:
        lowest: int | None = source.execute(f"SELECT min(id) FROM new_{table.name}").fetchone()[0]
    return lowest


def holds_any(staged: StagedRows, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> bool:
    """Whether a row is laid aside that has one of these rows' values under `names`."""
    conditions = " AND ".join(f'"{name}" IS ?' for name in names)
    statement = f"SELECT 1 FROM new_{table.name} WHERE {conditions} LIMIT 1"
    with closing(_open_staged(staged)) as source:
        return any(source.execute(statement, tuple(row)).fetchone() is not None for row in rows)


def _open_staged(staged: StagedRows) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(staged.path))}?mode=ro", uri=True)


@cache
def _in_order() -> tuple[Table, ...]:
    """Every table after those that it refers to. Texts come first: they name their conversation, which the
    store checks at the end of the transaction.
    """
    content = schema.content
    others = [table for table in schema.metadata.tables.values() if table not in (content, schema.trail)]
    in_order = sort_tables(others, skip_fn=_is_left_out_of_order)
    return content, *in_order


def _is_left_out_of_order(key: Any) -> bool:  # a ForeignKey, whatever SQLAlchemy's types say
    return key.column.table in (schema.content, key.parent.table)


def _has_rows(source: sqlite3.Connection, table: Table) -> bool:
    return source.execute(f"SELECT 1 FROM new_{table.name} LIMIT 1").fetchone() is not None


def _batches(
    source: sqlite3.Connection, table: Table, first: dict[str, int], moved: dict[str, int]
) -> Iterator[list[dict[str, Any]]]:
    """The rows of a table with the ids that they get in the store."""
    references = {
        column.name: key.column.table.name
        for column in table.columns
        for key in column.foreign_keys
        if moved.get(key.column.table.name)
    }
    if moved.get(table.name) and "id" in table.c:
        references["id"] = table.name
    cursor = source.execute(f"SELECT * FROM new_{table.name} ORDER BY rowid")
    while some := cursor.fetchmany(BATCH):
        rows = [dict(row) for row in some]
        for name, target in references.items():
            least, by = first[target], moved[target]
            for row in rows:
                if row[name] is not None and row[name] >= least:
                    row[name] += by
        yield rows


def _insert(
    connection: Connection, entry: TrailEntry, table: Table, rows: list[dict[str, Any]], at: str
) -> None:
    if table.name not in _SEALED:
        connection.execute(insert(table), rows)
        return
    for row in rows:
        if row.get("at") == at:  # the moment of the import, which is that of its entry
            row["at"] = None
    entry.write_many(table, rows)
