"""Taking a store back to an earlier form, to bring it up to date again. Going back is nothing that the
program does.

The rows are sealed anew in the form that they then have, as a program of that form would have sealed them.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from data import schema
from data.schema.earlier_forms import earlier_forms
from data.store import migrate
from data.store.trail import NEW_FORM, START, TableDigest, canonical, entry_hash

STORES = Path(__file__).parents[2] / "stores"
RENAMED = {"seat": "rater_progress", "walk": "rater_cursor", "holding": "reservation", "opening": "slot"}


def write_store_of_form_0010(path: Path) -> None:
    """The store that the last program before step 0011 wrote in a day's work (tests/stores)."""
    dump = gzip.decompress((STORES / "form_0010.sql.gz").read_bytes()).decode()
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(dump)
        raw.execute("PRAGMA journal_mode=WAL")


def back_to_0011(raw: sqlite3.Connection) -> None:
    _drop_tables_after(raw, {*_statements_of("0011")})
    raw.execute("UPDATE alembic_version SET version_num = '0011'")


def back_to_0010(raw: sqlite3.Connection) -> None:
    back_to_0011(raw)
    statements = _statements_of("0010")
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    for table in schema.SEALED:
        for form in earlier_forms(table)[-1:]:
            _rewrite(raw, table.name, form.table, {**form.columns, **{n: n for n in form.named}}, statements)
    _drop_tables_after(raw, {*statements, *RENAMED.values()})
    for before, name in RENAMED.items():
        columns = [column.name for column in schema.metadata.tables[name].columns]
        _rewrite(raw, name, before, {column: column for column in columns}, statements)
    raw.execute("DELETE FROM trail WHERE action = ?", (NEW_FORM,))
    _end_as(raw, "0010")


def _drop_tables_after(raw: sqlite3.Connection, tables: set[str]) -> None:
    """Tables that came later, and what was written into them."""
    raw.execute("PRAGMA foreign_keys=OFF")
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if name not in tables and not name.startswith("sqlite_") and name in schema.metadata.tables:
            raw.execute(f"DROP TABLE {name}")


def rows_as_in_0010(connection: sa.Connection, earlier_name: str) -> list[tuple[object, ...]]:
    """The rows of a table in the columns that it had, and by the name."""
    for table in schema.SEALED:
        for form in earlier_forms(table)[-1:]:
            if form.table == earlier_name:
                columns = ", ".join([*form.columns.values(), *form.named])
                rows = connection.exec_driver_sql(f"SELECT {columns} FROM {table.name} ORDER BY id")
                return [tuple(row) for row in rows]
    rows = connection.exec_driver_sql(f"SELECT * FROM {RENAMED.get(earlier_name, earlier_name)}")
    return [tuple(row) for row in rows]


def back_to_0009(raw: sqlite3.Connection) -> None:
    back_to_0010(raw)
    raw.execute("DROP TABLE rater_identity")
    _end_as(raw, "0009")


def back_to_0008(raw: sqlite3.Connection) -> None:
    back_to_0009(raw)
    raw.execute("DROP TABLE set_aside")
    _end_as(raw, "0008")


def back_to_0007(raw: sqlite3.Connection) -> None:
    back_to_0008(raw)
    raw.execute("DROP TABLE reasoning_comment")
    _end_as(raw, "0007")


def back_to_0006(raw: sqlite3.Connection) -> None:
    back_to_0007(raw)
    raw.execute("ALTER TABLE conflict DROP COLUMN kind")
    _end_as(raw, "0006")


def seal_anew(raw: sqlite3.Connection) -> None:
    """Make every digest and hash from the rows as they are, in the form before step 0011."""
    digests: dict[int, dict[str, TableDigest]] = {}
    names = {form.table for table in schema.SEALED for form in earlier_forms(table)}
    names |= {table.name for table in schema.SEALED}
    existing = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for name in sorted(names & existing):
        cursor = raw.execute(f"SELECT * FROM {name} ORDER BY id")
        columns = [column[0] for column in cursor.description]
        for row in cursor:
            values = dict(zip(columns, row, strict=True))
            kind = [["kind", values.pop("kind")]] if name == "conflict" and values.get("kind") else []
            values.pop("kind", None) if name == "conflict" else None
            digests.setdefault(values["trail"], {}).setdefault(name, TableDigest()).add(
                [*values.values(), *kind]
            )
    previous = START
    cursor = raw.execute("SELECT * FROM trail ORDER BY seq")
    columns = [column[0] for column in cursor.description]
    for row in cursor.fetchall():
        entry = dict(zip(columns, row, strict=True))
        sealed = {name: digest.value() for name, digest in digests.get(entry["seq"], {}).items()}
        entry |= {"digest": canonical(sealed).decode(), "previous": previous}
        previous = entry_hash(entry)
        raw.execute(
            "UPDATE trail SET digest = ?, previous = ?, hash = ? WHERE seq = ?",
            (entry["digest"], entry["previous"], previous, entry["seq"]),
        )


def _end_as(raw: sqlite3.Connection, revision: str) -> None:
    seal_anew(raw)
    raw.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def _rewrite(
    raw: sqlite3.Connection,
    name: str,
    earlier_name: str,
    columns: dict[str, str],
    statements: dict[str, list[str]],
) -> None:
    """Make a table as it was, with its rows. `columns`: the value of each column of then, in SQL."""
    values = ", ".join(columns.values())
    raw.execute(f"CREATE TEMP TABLE kept AS SELECT {values} FROM {name} ORDER BY rowid")
    raw.execute("PRAGMA foreign_keys=OFF")
    raw.execute(f"DROP TABLE {name}")
    for statement in statements[earlier_name]:
        raw.execute(statement)
    listed = ", ".join(f'"{column}"' for column in columns)
    raw.execute(f"INSERT INTO {earlier_name} ({listed}) SELECT * FROM kept")
    raw.execute("DROP TABLE kept")


@lru_cache
def _statements_of(revision: str) -> dict[str, list[str]]:
    """By table the statements that make it and its indexes in a store of this form."""
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        rows = connection.exec_driver_sql(
            "SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC"
        ).all()
    engine.dispose()
    statements: dict[str, list[str]] = {}
    for table, sql in rows:
        statements.setdefault(table, []).append(sql)
    return statements
