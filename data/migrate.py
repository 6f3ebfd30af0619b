"""Bringing a store to the form that this program needs: forward only, in one transaction a step."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, inspect, text

from data import triggers
from data.errors import StoreError
from data.locks import file_lock


class DatabaseObject(NamedTuple):
    """A table, index, trigger or view, the table that it belongs to, and the statement that made it; None
    where a rule of the table made it.
    """

    kind: str
    name: str
    table: str
    sql: str | None


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


def head() -> str:
    return _revisions(_migrations())[0]


def _migrations() -> str:
    """The folder of the migrations."""
    return str(_config().get_main_option("script_location"))


@lru_cache
def _revisions(migrations: str) -> tuple[str, ...]:
    """The forms that a store may have had, the newest first. Reading the folder takes longer than opening a
    store, so once a program.
    """
    config = Config()
    config.set_main_option("script_location", migrations)
    return tuple(script.revision for script in ScriptDirectory.from_config(config).walk_revisions())


def bring_up_to_date(engine: Engine, path: Path) -> None:
    """Create or migrate. Raises StoreError where the file is newer than the program or is somebody else's."""
    with engine.connect() as connection:
        if current(connection, path) == head():
            return
    # Two processes starting at once must not both migrate: the second waits, and then finds nothing to do.
    with file_lock(path.with_name(path.name + ".lock")), engine.connect() as connection:
        if current(connection, path) == head():
            return
        _upgrade(connection, path)


def _upgrade(connection: Connection, path: Path) -> None:
    config = _config()
    config.attributes["connection"] = connection
    # A step that makes a table anew drops the old one, which foreign keys forbid while rows refer to it. They
    # can only be switched off outside a transaction; what they guard is checked by hand before the commit.
    raw = connection.connection
    raw.execute("PRAGMA foreign_keys=OFF")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        command.upgrade(config, "head")
        triggers.install(connection)
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StoreError(
                f"The database {path} could not be brought to the form of this program: "
                f"rows of {broken[0]} refer to nothing. Nothing was changed."
            )
        connection.commit()
    finally:
        connection.rollback()
        raw.execute("PRAGMA foreign_keys=ON")


def current(connection: Connection, path: Path) -> str | None:
    """The form that the store has, None for an empty file. Raises StoreError where the file is newer or
    somebody else's.
    """
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not {"alembic_version", "trail"} <= tables:
        raise StoreError(
            f"{path} is a database of another program. Choose another file with SECOND_READER_DATABASE_URL."
        )
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision is not None and revision not in _revisions(_migrations()):
        raise StoreError(
            f"The database {path} was written by a newer Second Reader than this one. "
            f"Nothing was changed. Update the program, or point SECOND_READER_DATABASE_URL at another file."
        )
    return revision


def objects(connection: Connection) -> list[DatabaseObject]:
    """Everything that the database of this connection consists of."""
    return [
        DatabaseObject(*row)
        for row in connection.execute(
            text("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
        )
    ]


def objects_of_new_store() -> tuple[DatabaseObject, ...]:
    """Everything that the database of a store consists of that is made now."""
    return _objects_made_by(_migrations())


@lru_cache
def _objects_made_by(_migrations: str) -> tuple[DatabaseObject, ...]:
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            _upgrade(connection, Path(":memory:"))
            return tuple(objects(connection))
    finally:
        engine.dispose()
