"""Check that the files at a store's path are still those that its connections have open.

A program goes on writing into a file that was deleted, moved or replaced, and nothing at the path shows it.
So a unit of work begins and is acknowledged only while device and inode of the database and its write-ahead
log at the path are those that were opened. If they differ, running units of work end first, and the store is
reopened from the same path, or not at all. SQLite keeps the log next to the file behind links, so links are
followed once. A database that became shorter, or a log that lost commits (data/store/log_watch.py), is
unreachable until the program restarts.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from data.store.errors import StoreError
from data.store.log_watch import LogWatch

File = tuple[int, int]  # device, inode


@dataclass(frozen=True)
class StoreFiles:
    """The files at a path: the database at the path, the one at `real` behind links, and its log; None if
    missing. The first two differ if the database was replaced by a link.
    """

    real: str
    database: File | None
    real_database: File | None
    log: File | None


def files_at(path: Path, real: str | None = None) -> StoreFiles:
    """Return the files at a path. `real`: where links led before; None follows them anew."""
    real = os.path.realpath(path) if real is None else real
    return StoreFiles(real, _file(os.stat, str(path)), _file(os.lstat, real), _file(os.lstat, f"{real}-wal"))


def _file(look: Callable[[str], os.stat_result], path: str) -> File | None:
    try:
        found = look(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def not_reachable(path: Path) -> StoreError:
    """Return the error for a database or log that was deleted, moved or replaced."""
    return StoreError("store_gone", path=path)


def not_acknowledged(path: Path) -> StoreError:
    """Return the error for a database or log that was replaced during a write, whose change is not
    confirmed.
    """
    return StoreError("store_gone_while_saving", path=path)


class OpenFiles:
    """Counts the units of work on a store, and reopens it between them if its files changed.

    `open_anew(before, now)` closes every connection and then `log`, and opens the store at its path; raises
    StoreError if it can't.
    `patience`: seconds to wait for running units of work.
    """

    def __init__(
        self, path: Path, open_anew: Callable[[StoreFiles, StoreFiles], None], patience: float
    ) -> None:
        self._path, self._open_anew, self._patience = path, open_anew, patience
        self._files = files_at(path)
        self.log = LogWatch(self._files.real)
        self._least_size = 0  # of the database, in bytes
        self._working, self._opening = 0, False
        self._changed = threading.Condition()
        self._own = threading.local()  # how many units of work this thread is in; an inner one doesn't wait

    @contextmanager
    def unit_of_work(self) -> Iterator[None]:
        """Count a unit of work during the block; the store is reopened before it if its files changed.

        Raise StoreError if the files are not at their place.
        """
        depth = getattr(self._own, "depth", 0)
        with self._changed:
            if depth:
                if files_at(self._path, self._files.real) != self._files:
                    raise not_reachable(self._path)
            else:
                self._enter()
            self._working += 1
        self._own.depth = depth + 1
        try:
            yield
        finally:
            self._own.depth = depth
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def check_whole(self) -> None:
        """Raise StoreError, before a write, if saved data can't be read any more: the database is shorter
        than it was, or its log lost commits.
        """
        if self._is_shorter() or not self.log.holds_commits(compares=True):
            raise not_reachable(self._path)

    def check_reachable(self) -> None:
        """Raise StoreError, before a commit, if it could not be read back from the path."""
        if not self._is_here() or not self.log.holds_commits(compares=True):
            raise not_acknowledged(self._path)

    def check_committed(self) -> None:
        """Raise StoreError, after a commit, if it can't be read back, so that it doesn't count as saved."""
        if not self._is_here() or not self.log.holds_commits(compares=False):
            raise not_acknowledged(self._path)

    def is_whole(self) -> bool:
        """Tell whether everything that was saved can be read."""
        return self._is_here() and self.log.holds_commits(compares=True)

    def _is_here(self) -> bool:
        return files_at(self._path, self._files.real) == self._files and not self._is_shorter()

    def _is_shorter(self) -> bool:
        try:
            size = os.lstat(self._files.real).st_size
        except OSError:
            return True
        if size < self._least_size:
            return True
        self._least_size = size
        return False

    def _enter(self) -> None:
        self._wait_while(lambda: self._opening)
        if files_at(self._path, self._files.real) == self._files:
            if self._is_shorter() or not self.log.holds_commits(compares=False):
                raise not_reachable(self._path)
            return
        now = files_at(self._path)
        if now.database is None:
            raise not_reachable(self._path)
        self._opening = True
        try:
            self._wait_while(lambda: self._working > 0)
            self._open_anew(self._files, now)
            self._files = files_at(self._path)
            self.log, self._least_size = LogWatch(self._files.real), 0
        finally:
            self._opening = False
            self._changed.notify_all()

    def _wait_while(self, busy: Callable[[], bool]) -> None:
        if not self._changed.wait_for(lambda: not busy(), self._patience):
            raise not_reachable(self._path)
