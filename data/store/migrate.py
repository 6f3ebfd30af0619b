"""Migrate a store to the schema of this program: forward only, one transaction per step."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, Engine, create_engine, text

from data.store import triggers
from data.store.errors import StoreError
from data.store.locks import file_lock

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).with_name("migrations")
BEFORE_0_3 = re.compile(r"00\d\d")  # schema versions up to 0.2.0


class DatabaseObject(NamedTuple):
    """A table, index, trigger or view, its table, and the statement that made it; None if a rule of the table
    made it.
    """

    kind: str
    name: str
    table: str
    sql: str | None


def _config() -> Config:
    from alembic.config import Config  # slow to import, and most stores are up to date

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def revisions() -> tuple[str, ...]:
    """Return all schema versions, the oldest first; the names of the steps begin with them."""
    return _revisions_in(MIGRATIONS)


@lru_cache
def _revisions_in(migrations: Path) -> tuple[str, ...]:
    return tuple(
        sorted(path.name.partition("_")[0] for path in (migrations / "versions").glob("[0-9]*_*.py"))
    )


def head() -> str:
    """Return the newest schema version."""
    return revisions()[-1]


def bring_up_to_date(engine: Engine, path: Path) -> None:
    """Create or migrate the store. Raises StoreError as `current` does."""
    with engine.connect() as connection:
        if current(connection, path) == head():
            return
    # Of two processes that start at once, the second waits and then finds nothing to do.
    with file_lock(path.with_name(path.name + ".lock")), engine.connect() as connection:
        if current(connection, path) == head():
            return
        _upgrade(connection, path)


def _upgrade(connection: Connection, path: Path) -> None:
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    # A step may replace a table, which foreign keys forbid while rows refer to it. They can only be switched
    # off outside a transaction, so they are checked by hand before the commit.
    raw = connection.connection
    raw.execute("PRAGMA foreign_keys=OFF")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        triggers.remove(connection)
        command.upgrade(config, "head")
        triggers.install(connection)
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StoreError("store_not_migrated", path=path, table=broken[0])
        connection.commit()
    finally:
        connection.rollback()
        raw.execute("PRAGMA foreign_keys=ON")


def current(connection: Connection, path: Path) -> str | None:
    """Return the schema version of the store; None for an empty file.

    Raises StoreError if the file is newer than the program, from 0.2.0 or earlier, or another program's.
    """
    rows = connection.execute(
        text("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
    )
    tables = set(rows.scalars())
    if not tables:
        return None
    if not {"alembic_version", "trail"} <= tables:
        raise StoreError("store_of_another_program", path=path)
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if BEFORE_0_3.fullmatch(str(revision)):
        raise StoreError("store_too_old", path=path)
    if revision is not None and revision not in revisions():
        raise StoreError("store_too_new", path=path)
    return revision


def objects(connection: Connection) -> list[DatabaseObject]:
    """Return everything that the connection's database consists of."""
    return [
        DatabaseObject(*row)
        for row in connection.execute(
            text("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
        )
    ]


def objects_of_new_store() -> tuple[DatabaseObject, ...]:
    """Return everything that the database of a new store consists of."""
    return _objects_made_by(MIGRATIONS)


@lru_cache
def _objects_made_by(_migrations: Path) -> tuple[DatabaseObject, ...]:
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            _upgrade(connection, Path(":memory:"))
            return tuple(objects(connection))
    finally:
        engine.dispose()
