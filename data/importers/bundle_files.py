"""Read a study bundle, which anybody may have made, into a database of its own. Afterwards it has the form
that Second Reader gives it, values of the right types, and rows in the order of their ids; nothing has been
compared with its hashes yet.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Column, LargeBinary, Table

from data import schema
from data.record.study_bundle import ABOUT, ABOUT_FILE, FORMAT, TABLES, columns, references, value_fits
from data.store import migrate
from data.store.errors import Refused

LONGEST_ROW = 64_000_000  # bytes
LARGEST_ABOUT = 100_000  # bytes
MOST_PAGES = 600_000_000 // 4096  # of the database that a bundle is read into, of 4,096 bytes each
HEADER = b"SQLite format 3\x00"
_STORED = (*TABLES, schema.content, schema.trail)


def is_bundle(path: Path) -> bool:
    """Tell whether a file is a SQLite database, or a folder has an about.json: a study folder has none."""
    if path.is_dir():
        return (path / ABOUT_FILE).is_file()
    with path.open("rb") as file:
        return file.read(len(HEADER)) == HEADER


@contextmanager
def read_bundle(path: Path) -> Iterator[tuple[sqlite3.Connection, dict[str, Any]]]:
    """Give the bundle's rows and what it says about itself. Each table has, besides its columns, `n`: the
    place of the row, from 1.

    The database lies in a nameless file that vanishes with the process.

    Raises:
        Refused: the bundle is of a newer program, damaged, too large, or not a bundle.
    """
    with closing(sqlite3.connect("", isolation_level=None)) as scratch:
        scratch.execute(f"PRAGMA max_page_count={MOST_PAGES}")
        scratch.execute("BEGIN")
        with _explained(path), _source(path) as source:
            about = source.about()
            _check_version(path, about)
            for table in _STORED:
                source.check(table)
                _load(scratch, table, source.rows(table), path)
        yield scratch, about


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, ValueError, OverflowError, RecursionError, OSError) as error:
        if "full" in str(error) or "too big" in str(error):
            raise Refused("bundle_too_large", name=path.name) from None
        raise Refused("bundle_damaged", name=path.name, where="its contents") from error


def _check_version(path: Path, about: dict[str, Any]) -> None:
    if not isinstance(about.get("format"), int) or not isinstance(about.get("schema"), str):
        raise Refused("not_a_bundle", name=path.name)
    if about["format"] > FORMAT or about["schema"] > migrate.head():
        raise Refused("bundle_newer", name=path.name, program=str(about.get("program"))[:40])
    if about["schema"] < migrate.head():
        raise Refused("bundle_older", name=path.name, program=str(about.get("program"))[:40])


def _load(scratch: sqlite3.Connection, table: Table, rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Raises Refused for a row that can't be of this table, or is not in the order of the ids."""
    own, key = columns(table), "seq" if table is schema.trail else "id"
    names = [column.name for column in own]
    scratch.execute(f"CREATE TABLE {table.name} (n INTEGER PRIMARY KEY, {', '.join(names)})")
    insert = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    scratch.executemany(insert, _checked(table, own, key, rows, path))
    indexed = {key, *references(table)}
    for name in sorted(indexed & set(names)):
        scratch.execute(f"CREATE INDEX {table.name}__{name} ON {table.name} ({name})")


def _checked(
    table: Table, own: list[Column[Any]], key: str, rows: Iterable[dict[str, Any]], path: Path
) -> Iterator[list[Any]]:
    names, last = {column.name for column in own}, (-1, -1)
    for number, row in enumerate(rows, start=1):
        fits = row.keys() == names and all(
            value_fits(column, row[column.name]) or (table is schema.trail and row[column.name] is None)
            for column in own
        )
        if fits:
            here = (row.get("trail") or 0, row[key]) if table in TABLES else (0, row[key])
            fits = type(row[key]) is int and row[key] > 0 and last[1] < row[key] and last[0] <= here[0]
        if not fits:
            raise Refused("bundle_damaged", name=path.name, where=f"row {number:,} of {table.name}")
        last = here
        yield [row[column.name] for column in own]


@contextmanager
def _source(path: Path) -> Iterator[_Folder | _File]:
    if path.is_dir():
        yield _Folder(path)
        return
    from sqlite_utils import Database

    raw = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
    with closing(raw):
        raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "query_only=ON"):
            raw.execute(f"PRAGMA {pragma}")
        # Of a foreign database nothing is asked that could run a statement of it.
        odd = raw.execute(
            "SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') OR upper(sql) LIKE '%VIRTUAL%'"
        ).fetchone()
        if odd:
            raise Refused("not_a_bundle", name=path.name)
        yield _File(path, Database(raw, execute_plugins=False, recursive_triggers=False))


class _File:
    """A bundle that is one SQLite file; read with sqlite-utils."""

    def __init__(self, path: Path, database: Any) -> None:
        self._path, self._database = path, database

    def about(self) -> dict[str, Any]:
        if not self._database[ABOUT].exists() or self._database[ABOUT].count != 1:
            raise Refused("not_a_bundle", name=self._path.name)
        return dict(next(iter(self._database[ABOUT].rows)))

    def check(self, table: Table) -> None:
        here = self._database.execute(
            "SELECT name, hidden FROM pragma_table_xinfo(?)", (table.name,)
        ).fetchall()
        if {(column.name, 0) for column in columns(table)} != set(here):
            raise Refused("bundle_damaged", name=self._path.name, where=f"the table {table.name}")

    def rows(self, table: Table) -> Iterable[dict[str, Any]]:
        rows: Iterable[dict[str, Any]] = self._database[table.name].rows
        return rows


class _Folder:
    """A bundle that is a folder of JSON Lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def about(self) -> dict[str, Any]:
        with (self._path / ABOUT_FILE).open("rb") as file:
            about = json.loads(file.read(LARGEST_ABOUT))
        return about if isinstance(about, dict) else {}

    def check(self, table: Table) -> None:
        if not self._file(table).is_file():
            raise Refused("bundle_damaged", name=self._path.name, where=f"the file {table.name}.jsonl")

    def rows(self, table: Table) -> Iterator[dict[str, Any]]:
        as_bytes = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
        with self._file(table).open("rb") as file:
            while line := file.readline(LONGEST_ROW):
                row = json.loads(line) if line.endswith(b"\n") else None
                if not isinstance(row, dict):
                    raise ValueError("not a row")
                for name in as_bytes:
                    if isinstance(row.get(name), str):
                        row[name] = bytes.fromhex(row[name])
                yield row

    def _file(self, table: Table) -> Path:
        return self._path / f"{table.name}.jsonl"
