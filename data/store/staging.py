"""Stage rows in a separate file, to insert them later in one short transaction.

A connection with this overlay reads the store as of one moment together with the staged rows, and its inserts
go to the staging file: it holds no lock, and nobody else sees the rows. Ids continue those of the store at
that moment. `insert_staged` gives the rows the ids that are free at insertion, and updates every reference to
them.

How: the staging file is attached. A temporary view of old and new rows hides each table, and a trigger on the
view inserts into the staging file. The views allow no updates or deletions.
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

from sqlalchemy import Connection, Table, UniqueConstraint
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import sort_tables

from data import schema
from data.store import ids_in_texts
from data.store.driver import insert_rows
from data.store.trail import TrailEntry, next_id

BATCH = 1_000  # rows inserted at a time
_SEALED = frozenset(table.name for table in schema.SEALED)


@dataclass(frozen=True)
class StagedRows:
    """`path`: the staging file. `after`: the last trail entry on which the rows build."""

    path: Path
    after: int


def lay_over(connection: Connection, path: Path) -> None:
    """Hide the tables of the store by the views described above. Raises sqlite3.Error if the file can't be
    written.

    The connection must not be used for anything else afterwards, nor returned to a pool.
    """
    run = connection.exec_driver_sql
    run("PRAGMA foreign_keys=OFF")  # rows may refer to rows in either file
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
    """Yield the columns of each index and unique constraint of a table."""
    unique = [part.columns for part in table.constraints if isinstance(part, UniqueConstraint)]
    for columns in (*(index.columns for index in table.indexes), *unique):
        yield [f'"{column.name}"' for column in columns]


def insert_staged(
    connection: Connection, entry: TrailEntry, staged: StagedRows, staged_at: str
) -> dict[str, int]:
    """Insert the rows under `entry`; return by how much the ids of each table moved.

    Rows with the time `staged_at` get the time of the entry. Staged entries of the trail follow `entry`, with
    the rows that name them.
    """
    moved: dict[str, int] = {schema.trail.name: entry.seq - staged.after - 1}
    first: dict[str, int] = {}
    with closing(_open_staged(staged)) as source:
        tables = [table for table in _in_order() if _has_rows(source, table)]
        for table in tables:
            if "id" in table.c:
                first[table.name] = source.execute(f"SELECT min(id) FROM new_{table.name}").fetchone()[0]
                moved[table.name] = next_id(connection, table) - first[table.name]
        following = source.execute(f"SELECT action, detail FROM new_{schema.trail.name} ORDER BY seq")
        for action, detail in following:
            entry.follow(action, detail)
        for table in tables:
            for rows in _batches(source, table, first, moved):
                _insert(connection, entry, table, rows, staged_at)
    return moved


def first_id(staged: StagedRows, table: Table) -> int | None:
    """Return the lowest id of a table's staged rows; None if there are none."""
    with closing(_open_staged(staged)) as source:
        lowest: int | None = source.execute(f"SELECT min(id) FROM new_{table.name}").fetchone()[0]
    return lowest


def holds_any(staged: StagedRows, table: Table, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> bool:
    """Tell whether a staged row has the same values under `names` as one of `rows`."""
    conditions = " AND ".join(f'"{name}" IS ?' for name in names)
    statement = f"SELECT 1 FROM new_{table.name} WHERE {conditions} LIMIT 1"
    with closing(_open_staged(staged)) as source:
        return any(source.execute(statement, tuple(row)).fetchone() is not None for row in rows)


def _open_staged(staged: StagedRows) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(staged.path))}?mode=ro", uri=True)


@cache
def _in_order() -> tuple[Table, ...]:
    """Return every table after those it refers to. Texts come first: they name their conversation, which the
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
) -> Iterator[list[list[Any]]]:
    """Yield the rows of a table, as values in the columns' order, with their ids in the store."""
    references = [
        (place, first[key.column.table.name], moved[key.column.table.name])
        for place, column in enumerate(table.columns)
        for key in column.foreign_keys
        if moved.get(key.column.table.name)
    ]
    if moved.get(table.name) and "id" in table.c:
        references.append((list(table.c).index(table.c.id), first[table.name], moved[table.name]))

    def present_id(target: str, number: int) -> int:
        return number + moved.get(target, 0) if number >= first.get(target, number + 1) else number

    cursor = source.execute(f"SELECT * FROM new_{table.name} ORDER BY rowid")
    while some := cursor.fetchmany(BATCH):
        rows = list(map(list, some))
        for place, least, by in references:
            for row in rows:
                if row[place] is not None and row[place] >= least:
                    row[place] += by
        if "trail" in table.c:
            place = list(table.c).index(table.c.trail)
            for row in rows:
                row[place] += moved[schema.trail.name]
        if table.name in ids_in_texts.COLUMNS:
            column, replace = ids_in_texts.COLUMNS[table.name]
            place = list(table.c).index(table.c[column])
            for row in rows:
                row[place] = replace(row[place], present_id)
        yield rows


def _insert(connection: Connection, entry: TrailEntry, table: Table, rows: list[list[Any]], at: str) -> None:
    if table.name not in _SEALED:
        insert_rows(connection, table, rows)
        return
    if "at" in table.c:
        place = list(table.c).index(table.c.at)
        for row in rows:
            if row[place] == at:  # the time of the import, which becomes that of its entry
                row[place] = None
    entry.write_values(table, rows)
