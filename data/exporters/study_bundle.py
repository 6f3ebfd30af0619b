"""Write a whole study, with the trail it rests on, as one file or folder that another store can import."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection, Row, Table, select

from data import schema
from data.record.studies import Study
from data.record.study_bundle import (
    ABOUT,
    ABOUT_FILE,
    EXPORTED,
    FORMAT,
    OFTEN_SHARED,
    TABLES,
    BundleDigest,
    columns,
    select_rows,
)
from data.store import migrate
from data.store.errors import Refused
from data.store.private_files import make_folder, open_private, write_whole
from data.store.store import Store

BATCH = 1_000
ENDINGS = (".sqlite", ".db")
_OF_OTHERS = ("seq", "previous", "hash")  # all that is told of entries of other studies


class WrittenBundle(NamedTuple):
    """`head`: the hash of the entry `seq` of the trail, with which the bundle ends."""

    rows: int
    seq: int
    head: str


class BundleWriter(Protocol):
    def write(self, table: str, names: Mapping[str, type], rows: Iterable[dict[str, Any]]) -> None: ...


def export_study(store: Store, study: Study, path: Path, actor: str) -> WrittenBundle:
    """Write a study to a new file (.sqlite or .db) or folder; record the export in the trail.

    The entry that records it holds the digest of all rows, so that its hash, kept elsewhere, shows later
    whether the bundle is the same.

    Raises:
        Refused: another ending.
        FileExistsError: the path exists.
    """
    if path.suffix and path.suffix.lower() not in ENDINGS:
        raise Refused("bundle_of_unknown_kind", name=path.name, endings=", ".join(ENDINGS))
    with _sqlite_writer(path) if path.suffix else _json_lines_writer(path) as writer:
        digest = BundleDigest()
        with store.reading() as connection:
            unowned = set(
                connection.execute(select(schema.trail.c.seq).where(schema.trail.c.study.is_(None))).scalars()
            )
            ours: dict[int, Counter[str]] = {seq: Counter() for seq in unowned}
            for table in (*TABLES, schema.content):
                writer.write(table.name, _types(table), _rows(connection, table, study.id, digest, ours))
            entries = connection.execute(
                select(schema.trail).order_by(schema.trail.c.seq), execution_options={"yield_per": BATCH}
            )
            whole_or_not = (_entry(row, _is_of_study(row, study.id, ours)) for row in entries)
            last = [0]
            writer.write(schema.trail.name, _types(schema.trail), _noting_last(whole_or_not, last))
        detail = {"rows": digest.rows, "sha256": digest.hexdigest()}
        with store.writing(actor, EXPORTED, study.id, **detail) as (_, entry):
            entry.record_act()
        with store.reading() as connection:
            later = connection.execute(
                select(schema.trail)
                .where(schema.trail.c.seq.between(last[0] + 1, entry.seq))
                .order_by(schema.trail.c.seq)
            ).all()
        # Rows that somebody wrote meanwhile are not in the bundle.
        writer.write(
            schema.trail.name, _types(schema.trail), [_entry(row, row.seq == entry.seq) for row in later]
        )
        head = later[-1].hash
        about = {
            "format": FORMAT,
            "program": f"second-reader {version('second-reader')}",
            "schema": migrate.head(),
            "study": study.key,
            "title": study.title,
            "at": entry.at,
            "rows": digest.rows,
            "head_seq": entry.seq,
            "head_hash": head,
        }
        writer.write(ABOUT, {name: type(value) for name, value in about.items()}, [about])
    return WrittenBundle(digest.rows, entry.seq, head)


def _types(table: Table) -> dict[str, type]:
    return {column.name: column.type.python_type for column in columns(table)}


def _rows(
    connection: Connection, table: Table, study_id: int, digest: BundleDigest, ours: dict[int, Counter[str]]
) -> Iterator[dict[str, Any]]:
    sealed = table is not schema.content
    for row in connection.execute(select_rows(table, study_id), execution_options={"yield_per": BATCH}):
        if sealed:
            digest.add(table.name, list(row))
            if row.trail in ours:
                ours[row.trail][table.name] += 1
        yield dict(row._mapping)


def _is_of_study(row: Row[Any], study_id: int, ours: Mapping[int, Counter[str]]) -> bool:
    """Tell whether the whole entry may be told: it is of this study, or of none and wrote rows of this one
    alone.
    """
    if row.study is not None:
        return bool(row.study == study_id)
    written = {name: count for name, (count, _) in json.loads(row.digest).items() if name not in OFTEN_SHARED}
    return bool(written) and all(ours[row.seq][name] == count for name, count in written.items())


def _entry(row: Row[Any], whole: bool) -> dict[str, Any]:
    return {name: value if whole or name in _OF_OTHERS else None for name, value in row._mapping.items()}


def _noting_last(entries: Iterable[dict[str, Any]], last: list[int]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        last[0] = entry["seq"]
        yield entry


class _SqliteWriter:
    def __init__(self, database: Any) -> None:
        self._database = database

    def write(self, table: str, names: Mapping[str, type], rows: Iterable[dict[str, Any]]) -> None:
        target = self._database.table(table)
        if not target.exists():
            target.create(dict(names), pk="id" if "id" in names else "seq" if "seq" in names else None)
        target.insert_all(rows, batch_size=BATCH)


class _JsonLinesWriter:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, table: str, names: Mapping[str, type], rows: Iterable[dict[str, Any]]) -> None:
        if table == ABOUT:
            with open_private(self._folder / ABOUT_FILE, "x", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False, indent=1) + "\n" for row in rows)
            return
        with open_private(self._folder / f"{table}.jsonl", "a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False, default=bytes.hex) + "\n" for row in rows)


@contextmanager
def _sqlite_writer(path: Path) -> Iterator[BundleWriter]:
    from sqlite_utils import Database

    with write_whole(path) as part, closing(Database(part, execute_plugins=False)) as database:
        yield _SqliteWriter(database)


@contextmanager
def _json_lines_writer(path: Path) -> Iterator[BundleWriter]:
    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    make_folder(path)
    with ExitStack() as undo:
        undo.callback(shutil.rmtree, path, ignore_errors=True)
        yield _JsonLinesWriter(path)
        undo.pop_all()
