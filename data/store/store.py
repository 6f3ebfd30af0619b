"""Open the store, and do units of work on it.

SQLite with WAL, synchronous=FULL and foreign keys. Every write runs in BEGIN IMMEDIATE, so that what was read
is still true when it is written. A connection belongs to one unit of work and so to one thread.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event, func, select

from data import schema
from data.store import incoming, migrate, staging, triggers
from data.store.checkpoints import Checkpoints
from data.store.errors import Refused, StoreError
from data.store.kept_parts import OPTION, KeptParts
from data.store.letter_case import fold
from data.store.path_kinds import refuse_foreign_database, refuse_irregular
from data.store.private_files import make_folder, open_private
from data.store.staging import StagedRows
from data.store.store_files import OpenFiles, StoreFiles, not_reachable
from data.store.trail import TrailEntry
from data.store.writer_note import WriterNote

A_MOMENT = 0.05  # seconds too short to count as waiting

__all__ = ["Connection", "Store", "open_store", "sqlite_path", "url_of"]


class Store:
    """One database. `reading()` and `writing()` are the only ways in."""

    def __init__(self, engine: Engine, path: Path, busy_seconds: float = 10.0) -> None:
        self._engine, self.path = engine, path
        self._parts: KeptParts | None = None
        self._lock = threading.Lock()
        self._limit, self._note = busy_seconds, WriterNote(path.resolve())
        # Closing the last connection to a database removes its log, so one of ours is always open.
        self._always_open = engine.connect()
        self._files = OpenFiles(path, self._open_anew, busy_seconds)
        self._checkpoints = Checkpoints(self._empty_log)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a consistent view for the block. Raises StoreError if the store is no longer at its path."""
        with _in_words(self.path), self._files.unit_of_work(), self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection.execution_options(**{OPTION: self._parts})
            finally:
                connection.rollback()

    def keep_parts(self) -> None:
        """Cache what is read of a study for later readers (data/store/kept_parts.py)."""
        self._parts = self._parts or KeptParts()

    def forget_parts(self) -> None:
        """Drop everything that is cached of studies."""
        if self._parts is not None:
            self._parts.clear()

    @contextmanager
    def writing(
        self, actor: str, action: str, study: int | None = None, **detail: Any
    ) -> Iterator[tuple[Connection, TrailEntry]]:
        """Write all or nothing: when the block ends without an error, its writes are committed to the file at
        the store's path.

        Raises StoreError, naming the writer, if others write for longer than the store's limit.
        """
        with (
            _in_words(self.path, self._note, self._files),
            self._files.unit_of_work(),
            self._turn() as seconds_left,
            self._engine.connect() as connection,
        ):
            self._files.check_whole()
            _begin_writing(connection, seconds_left, self._limit)
            self._note.put(action)
            try:
                entry = TrailEntry(connection, actor, action, study)
                yield connection, entry
                entry.close(detail)
                self._files.check_reachable()
                connection.commit()
                self._files.check_committed()
                self._checkpoints.note_write()
            except BaseException:
                connection.rollback()
                raise
            finally:
                self._note.clear()

    @contextmanager
    def _turn(self) -> Iterator[float]:
        """Let the writers of this process take turns, which is fairer and faster than SQLite's polling.
        Yields the seconds left of the limit.
        """
        began = time.monotonic()
        if not self._lock.acquire(timeout=self._limit):
            raise StoreError("store_busy", path=self.path, writer=self._note.describe())
        try:
            yield max(0.0, self._limit - (time.monotonic() - began))
        finally:
            self._lock.release()

    @contextmanager
    def staging(self, file: Path) -> Iterator[tuple[Connection, StagedRows]]:
        """Give a view of the store whose inserted rows are staged in the new file `file`; see
        data/store/staging.py. It blocks nobody.
        """
        with _in_words(self.path), self._files.unit_of_work(), self._engine.connect() as connection:
            try:
                staging.lay_over(connection, file)
                after = connection.execute(select(func.max(schema.trail.c.seq))).scalar() or 0
                yield connection, StagedRows(file, after)
                connection.commit()
            finally:
                connection.invalidate()  # nobody else must get the views

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database file and empty it, so that erased text is gone from
        both.
        """
        self._truncate_log(self._limit)

    def _empty_log(self) -> bool:
        """Do the same soon after the last write, if nobody else needs the log; return whether it is done."""
        try:
            return self._truncate_log(0.0)
        except (StoreError, sa.exc.SQLAlchemyError, OSError):  # the calling thread continues
            return False

    def _truncate_log(self, seconds: float) -> bool:
        """Empty the log, waiting `seconds` for readers. Data that differs from what was committed is never
        copied.
        """
        with (
            _in_words(self.path),
            self._files.unit_of_work(),
            self._turn(),
            self._engine.connect() as connection,
        ):
            self._files.check_whole()
            connection.exec_driver_sql(f"PRAGMA busy_timeout={int(1000 * seconds)}")
            try:
                is_busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
            finally:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={int(1000 * self._limit)}")
            return not is_busy

    def close(self) -> None:
        """Close every connection and file; wait for a checkpoint in progress."""
        self._checkpoints.close()
        self._always_open.close()
        self._engine.dispose()
        self._files.log.close()
        self._note.close()

    def _open_anew(self, before: StoreFiles, now: StoreFiles) -> None:
        """Reopen the store while no unit of work runs. What only a deleted log holds is first written into
        the database, as the open connections can still read it.
        """
        if now.database == before.database and now.log is None and before.log is not None:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self._always_open.close()
        self._engine.dispose()
        self._files.log.close()  # before new connections lock the same files
        with self._engine.connect() as connection:
            if migrate.current(connection, self.path) != migrate.head():
                raise StoreError("store_replaced", path=self.path)
            triggers.check(connection)
        self._always_open = self._engine.connect()


def sqlite_path(url: str) -> Path:
    """Return the file of a sqlite:/// address, which need not exist. Raises StoreError for any other address,
    and for a path that is not a regular file.
    """
    try:
        parsed = sa.engine.make_url(url)
    except sa.exc.ArgumentError:
        raise StoreError("store_address_unreadable", url=url) from None
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise StoreError("store_not_sqlite")
    if "?" in url:
        raise StoreError("store_address_with_options")
    path = Path(parsed.database).expanduser().absolute()
    refuse_irregular(path)
    return path


def url_of(path: Path) -> str:
    """Return the address of a store by its file, "sqlite:///PATH"."""
    return f"sqlite:///{path}"


def open_store(url: str, busy_seconds: float = 10.0) -> Store:
    """Open the store, create or migrate it if needed, and check its triggers.

    `busy_seconds`: how long a write waits for another one. Raise StoreError if it can't be used.
    """
    path = sqlite_path(url)
    with _in_words(path):
        _prepare_file(path)
        # mode=rw: a missing file is not replaced by an empty one.
        address = sa.URL.create(
            "sqlite", database=f"file:{quote(str(path))}", query={"mode": "rw", "uri": "true"}
        )
        engine = sa.create_engine(
            address,
            hide_parameters=True,
            connect_args={"timeout": busy_seconds},
            pool_size=20,
            max_overflow=80,
        )
        try:
            with engine.connect() as connection:
                migrate.current(connection, path)  # refuses a foreign file before changing anything
                triggers.refuse_foreign(connection)  # before a migration, which would fire it
            engine.dispose()
            if not hasattr(os, "getuid") or path.stat().st_uid == os.getuid():
                path.chmod(0o600)
            event.listen(engine, "connect", partial(_prepare_connection, busy_seconds=busy_seconds))
            migrate.bring_up_to_date(engine, path)
            with engine.connect() as connection:
                triggers.check(connection)
        except OSError as error:
            engine.dispose()
            raise StoreError("store_not_opened", path=path, trouble=error.strerror) from None
        except BaseException:
            engine.dispose()
            raise
    incoming.remove_abandoned(path)
    return Store(engine, path, busy_seconds)


def _prepare_file(path: Path) -> None:
    try:
        make_folder(path.parent)
        if not path.exists():
            open_private(path, "ab").close()
    except OSError as error:
        raise StoreError("store_not_created", path=path, trouble=error.strerror) from None
    if not os.access(path, os.W_OK):
        raise StoreError("store_read_only_at_start", path=path)
    refuse_foreign_database(path)


def _prepare_connection(raw: sqlite3.Connection, _record: object, busy_seconds: float) -> None:
    raw.isolation_level = None  # we begin transactions ourselves
    _use_write_ahead_log(raw, busy_seconds)
    for pragma in ("synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON", "secure_delete=ON"):
        raw.execute(f"PRAGMA {pragma}")
    raw.create_function("fold", 1, fold, deterministic=True)


def _use_write_ahead_log(raw: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to WAL, which needs a moment without readers. SQLite doesn't wait for it by itself, so one of
    several programs that open a new store at once would be refused.
    """
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _begin_writing(connection: Connection, seconds_left: float, limit: float) -> None:
    if seconds_left < limit - A_MOMENT:  # other threads of this process went first
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(1000 * seconds_left)}")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={int(1000 * limit)}")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _in_words(path: Path, note: WriterNote | None = None, files: OpenFiles | None = None) -> Iterator[None]:
    """Turn the driver's errors into ours, without the SQL and its values, which hold people's words."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        reason = str(getattr(error, "orig", error)).lower()
        if "locked" in reason or "busy" in reason:
            writer = (note or WriterNote(path.resolve())).describe()
            raise StoreError("store_busy", path=path, writer=writer) from None
        if triggers.OF_ERASED in reason:
            raise Refused("erased_while_saving") from None
        if files is not None and not files.is_whole():
            raise not_reachable(path) from None
        raise _explain(reason, path) from None


def _explain(message: str, path: Path) -> StoreError:
    if "malformed" in message or "not a database" in message or "corrupt" in message:
        return StoreError("store_damaged", path=path)
    if "readonly" in message:
        return StoreError("store_read_only", path=path)
    if "full" in message or "disk i/o" in message:
        return StoreError("disk_full", path=path)
    if "unable to open" in message:
        return StoreError("store_unreachable", path=path)
    if "append-only" in message or "never" in message:
        return StoreError("never_changed")
    return StoreError("change_refused", path=path, trouble=message.split(":")[0])
