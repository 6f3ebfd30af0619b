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
            raise StoreError(_busy_sentence(self.path, self._note))
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
        self._engine.dispose()
        with self._engine.connect() as connection:
            if migrate.current(connection, self.path) != migrate.head():
                raise StoreError(
                    f"The database {self.path} was replaced by one with another schema. Restart Second "
                    "Reader."
                )
            triggers.check(connection)


def sqlite_path(url: str) -> Path:
    """Return the file of a sqlite:/// address, which need not exist. Raises StoreError for any other address,
    and for a path that is not a regular file.
    """
    try:
        parsed = sa.engine.make_url(url)
    except sa.exc.ArgumentError:
        raise StoreError(
            "SECOND_READER_DATABASE_URL is not a database address: it must look like "
            f"sqlite:////folder/file.sqlite, not {url!r}."
        ) from None
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise StoreError(
            "SECOND_READER_DATABASE_URL must name a SQLite file, such as sqlite:////folder/file.sqlite. "
            "Other databases are not supported yet."
        )
    if "?" in url:
        raise StoreError(
            'SECOND_READER_DATABASE_URL holds a "?": neither options nor a file whose name has one are '
            "supported. Choose another name."
        )
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
            raise StoreError(
                f"The database {path} can't be opened: {error.strerror}. Fix the file or its folder, or "
                "make room on the disk."
            ) from None
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
        raise StoreError(
            f"The database {path} can't be created: {error.strerror}. Choose another place with "
            "SECOND_READER_DATABASE_URL, or fix the folder's permissions."
        ) from None
    if not os.access(path, os.W_OK):
        raise StoreError(
            f"The database {path} is read-only. Nothing could be saved, so the program does not start. Fix "
            "the permissions of the file."
        )
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
    """Turn the driver's errors into sentences without the SQL and its values, which hold people's words."""
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        reason = str(getattr(error, "orig", error)).lower()
        if "locked" in reason or "busy" in reason:
            raise StoreError(_busy_sentence(path, note or WriterNote(path.resolve()))) from None
        if triggers.OF_ERASED in reason:
            raise Refused(
                "The words of this conversation were erased in the meantime, so nothing that is written "
                "about it is kept. What you typed was not saved."
            ) from None
        if files is not None and not files.is_whole():
            raise not_reachable(path) from None
        raise StoreError(_sentence(reason, path)) from None


def _busy_sentence(path: Path, note: WriterNote) -> str:
    return (
        f"The database {path} is in use by {note.describe()}, which is still writing. Nothing was saved "
        "just now; close the other program and try again."
    )


def _sentence(reason: str, path: Path) -> str:
    if "malformed" in reason or "not a database" in reason or "corrupt" in reason:
        return (
            f"The database {path} is damaged or is not a database. "
            "Nothing was changed. Keep the file, and restore the last backup with: second-reader restore "
            "BACKUP."
        )
    if "readonly" in reason:
        return (
            f"The database {path} is read-only. Nothing was saved just now. Fix the permissions of the file "
            "and its folder."
        )
    if "full" in reason or "disk i/o" in reason:
        return (
            f"The disk that holds {path} is full or failing. Nothing was saved just now, and nothing "
            "that was saved before is lost. Make room and try again."
        )
    if "unable to open" in reason:
        return (
            f"The database {path} can't be opened. Check that the file and its folder exist and can be read "
            "and written."
        )
    if "append-only" in reason or "never" in reason:
        return "Ratings, judgements and reveals are never changed or deleted. A change is a new entry."
    return f"The database {path} refused the change ({reason.split(':')[0]}). Nothing was saved just now."
