"""Make a consistent copy while the program runs, and restore one after checking it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from data.keeping.verify import verify
from data.store import store as stores
from data.store.errors import StoreError
from data.store.private_files import FILE, make_folder, open_private


def backup(store: stores.Store, target: Path) -> None:
    """Copy the store to `target`, mode 0600, complete or not at all. Raises StoreError."""
    if target.exists():
        raise StoreError("backup_exists", path=target)
    part = target.with_name(target.name + ".part")
    try:
        part.unlink(missing_ok=True)
        open_private(part, "xb").close()
        with closing(sqlite3.connect(store.path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        os.replace(part, target)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        raise StoreError("backup_not_written", path=target, trouble=str(error)) from None


def restore(source: Path, url: str) -> Path | None:
    """Replace the store by a checked backup; return the path of the old store, or None if there was none.

    Raises StoreError if the backup is damaged, altered or newer, or the store is in use; then nothing is
    changed.
    """
    path = stores.sqlite_path(url)
    if not source.is_file():
        raise StoreError("no_backup", path=source)
    _is_a_store(source)
    if source.with_name(source.name + "-wal").exists():
        raise StoreError("backup_not_closed", path=source, name=source.name)
    candidate = path.with_name(path.name + ".restoring")
    try:
        make_folder(path.parent)
        with source.open("rb") as original, open_private(candidate, "wb") as copy:
            shutil.copyfileobj(original, copy)
        candidate.chmod(FILE)  # a file left by an earlier attempt may have another mode
        _check(candidate, source)
        return _swap(candidate, path)
    except OSError as error:
        raise StoreError("backup_not_restored", path=source, trouble=error.strerror) from None
    finally:
        for suffix in ("", "-wal", "-shm", ".lock"):
            candidate.with_name(candidate.name + suffix).unlink(missing_ok=True)


def _is_a_store(source: Path) -> None:
    """Refuse an empty or foreign file, which would replace a full store by an empty one."""
    try:
        with closing(
            sqlite3.connect(f"file:{source}?mode=ro&immutable=1".replace("#", "%23"), uri=True)
        ) as raw:
            entries = raw.execute("SELECT count(*) FROM trail").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if source.stat().st_size == 0:
            raise StoreError("backup_empty", path=source) from None
        raise StoreError(
            "backup_damaged" if "malformed" in str(error) else "backup_of_another_program", path=source
        ) from None
    if not entries:
        raise StoreError("backup_of_empty_store", path=source)


def _check(candidate: Path, source: Path) -> None:
    try:
        opened = stores.open_store(stores.url_of(candidate))
    except StoreError as error:  # it names the copy, which will be gone
        facts = {name: source if value == candidate else value for name, value in error.facts.items()}
        raise StoreError(error.reason, **facts) from None
    try:
        with opened.reading() as connection:
            sound = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
            verdict = verify(connection)
    finally:
        opened.close()
    if sound != "ok":
        raise StoreError("backup_not_sound", path=source, trouble=sound)
    if verdict.problems:
        raise StoreError("backup_not_verified", path=source, problem=verdict.problems[0])
    with closing(sqlite3.connect(candidate)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")


def _swap(candidate: Path, path: Path) -> Path | None:
    kept_copy: Path | None = None
    if path.exists():
        try:
            with closing(sqlite3.connect(path, timeout=0.2, isolation_level=None)) as old:
                # Only the last connection may leave WAL mode, so an idle server is noticed as well.
                mode = old.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
        except sqlite3.OperationalError as error:
            mode = "wal" if "locked" in str(error) else "damaged"
        except sqlite3.DatabaseError:
            mode = "damaged"  # the usual reason to restore a backup
        if mode == "wal":
            raise StoreError("store_in_use")
        kept_copy = next(
            name
            for number in count(1)
            if not (name := path.with_name(f"{path.name}.before-restore-{number}")).exists()
        )
        for suffix in ("", "-wal", "-shm"):
            if path.with_name(path.name + suffix).exists():
                os.replace(path.with_name(path.name + suffix), kept_copy.with_name(kept_copy.name + suffix))
    os.replace(candidate, path)
    return kept_copy
