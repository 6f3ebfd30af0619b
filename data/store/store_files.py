"""Whether the files at the path of a store are still those that its connections have open.

A program writes on into a file that was deleted, moved or replaced under it, and nothing at the path knows
of it. So a unit of work begins and is acknowledged only while device and inode of the database and of its
write-ahead log at the path are those that were opened. Where they are not, the units of work that go on end
first, and the store is opened anew: from the same path, or not at all. SQLite keeps the log next to the
file that links lead to, so links are followed once. A database that became shorter, and a log that no
longer holds what was committed (data/store/log_watch.py), are not reachable until the program starts again.
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
    """Which files stand at a path: the database by the path, the one at `real`, where links lead to, and
    its log next to that; None where there is none. Where somebody puts a link in the place of the database,
    the first two differ.
    """

    real: str
    database: File | None
    real_database: File | None
    log: File | None


def files_at(path: Path, real: str | None = None) -> StoreFiles:
    """`real`: where links led to before; None to follow them anew."""
    real = os.path.realpath(path) if real is None else real
    return StoreFiles(real, _file(os.stat, str(path)), _file(os.lstat, real), _file(os.lstat, f"{real}-wal"))


def _file(look: Callable[[str], os.stat_result], path: str) -> File | None:
    try:
        found = look(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def not_reachable(path: Path) -> StoreError:
    return StoreError(
        f"The database {path}, or its log beside it, was deleted, moved or replaced while Second Reader was "
        "running. Nothing is saved until both are back: put them back in their place, or restart Second "
        "Reader and check that the last labels are there."
    )


def not_acknowledged(path: Path) -> StoreError:
    return StoreError(
        f"The database {path}, or its log beside it, was deleted, moved or replaced at this moment. What was "
        "just done is not confirmed as saved; do it again, or let the page send it again."
    )


class OpenFiles:
    """Counts the units of work on a store, and has it opened anew between them where its files are others.

    `open_anew(now)` closes every connection and opens the store at its path, where `now` stand; raises
    StoreError where that cannot be. `patience`: seconds to wait for the units of work that go on.
    """

    def __init__(
        self, path: Path, open_anew: Callable[[StoreFiles, StoreFiles], None], patience: float
    ) -> None:
        self._path, self._open_anew, self._patience = path, open_anew, patience
        self._files = files_at(path)
        self.log = LogWatch(self._files.real)
        self._least_size = 0  # bytes of the database
        self._working, self._opening = 0, False
        self._changed = threading.Condition()
        self._own = (
            threading.local()
        )  # how many units of work this thread is in: an inner one waits for nobody

    @contextmanager
    def unit_of_work(self) -> Iterator[None]:
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
        """Before something is written. Raises StoreError where what was saved before can't be read any
        more: the database is shorter than it was, or its log isn't what was committed into it.
        """
        if self._is_shorter() or not self.log.holds_commits(compares=True):
            raise not_reachable(self._path)

    def check_reachable(self) -> None:
        """Before a commit. Raises StoreError where it could not be read back from the path."""
        if not self._is_here() or not self.log.holds_commits(compares=True):
            raise not_acknowledged(self._path)

    def check_committed(self) -> None:
        """The same after it, and before it is called saved."""
        if not self._is_here() or not self.log.holds_commits(compares=False):
            raise not_acknowledged(self._path)

    def is_whole(self) -> bool:
        """Whether everything that was saved before can be read."""
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
            self.log.close()
            self._files = files_at(self._path)
            self.log, self._least_size = LogWatch(self._files.real), 0
        finally:
            self._opening = False
            self._changed.notify_all()

    def _wait_while(self, busy: Callable[[], bool]) -> None:
        if not self._changed.wait_for(lambda: not busy(), self._patience):
            raise not_reachable(self._path)
