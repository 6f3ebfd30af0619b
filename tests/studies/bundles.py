"""Bundles of studies for tests: written, read as plain rows, and compared without ids and numbers of entries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from data import schema
from data.exporters.study_bundle import WrittenBundle, export_study
from data.importers.report import ImportReport
from data.importers.study_bundle import import_bundle
from data.record import studies
from data.record.study_bundle import SHARED, TABLES, content_columns, references
from data.store import ids_in_texts
from data.store.store import Store

Rows = list[dict[str, Any]]
REMADE = {
    "known_words",
    "successor",
    "trial",
}  # under the key of the store, or about a study that isn't there


def write_bundle(store: Store, key: str, path: Path) -> WrittenBundle:
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
    return export_study(store, study, path, "tests")


def bring(store: Store, path: Path, heads: dict[int, str] | None = None) -> ImportReport:
    return import_bundle(store, path, "tests", heads or {})


def read_rows(folder: Path, table: str) -> Rows:
    return [json.loads(line) for line in (folder / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()]


def write_rows(folder: Path, table: str, rows: Rows) -> None:
    (folder / f"{table}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def plain_rows(folder: Path) -> dict[str, Rows]:
    """The rows of a bundle in a folder, each id by its place in its table, texts in words."""
    rows = {table.name: read_rows(folder, table.name) for table in (*TABLES, schema.content, schema.trail)}
    places = {
        name: {row["id"]: place for place, row in enumerate(some)}
        for name, some in rows.items()
        if name != "trail"
    }
    texts = {row["id"]: [row["salt"], row["text"]] for row in rows["content"]}
    moments = {row["seq"]: row["at"] for row in rows["trail"]}
    compared = [table for table in TABLES if table not in SHARED and table.name not in REMADE]
    entries = sorted({row["trail"] for table in compared for row in rows[table.name]})
    order = {seq: place for place, seq in enumerate(entries)}
    for table in TABLES:
        for row in rows[table.name]:
            if table.name in ids_in_texts.COLUMNS:
                ids_in_texts.replace_ids(table.name, row, lambda name, number: places[name][number])
            for name, target in references(table).items():
                if row[name] is not None and name not in content_columns(table) and table.name not in REMADE:
                    row[name] = (
                        texts[row[name]] if target is schema.content else places[target.name][row[name]]
                    )
            for name in content_columns(table):
                row[name] = texts.get(row[name])
            imported = row.get("source") == "imported" or row.get("origin") == "import"
            if imported and row["at"] == moments[row["trail"]]:
                row["at"] = None  # no day is known
            row["id"], row["trail"] = None, None if table in SHARED else order.get(row["trail"])
            row.pop("of_study_id", None)
    return {table.name: rows[table.name] for table in TABLES if table.name not in REMADE}
