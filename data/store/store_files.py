"""Whether the files at the path of a store are still those that its connections have open.

A program writes on into a file that was deleted, moved or replaced under it, and nothing at the path knows of
it. So a unit of work begins and is acknowledged only while device and inode of the database and of its
write-ahead log at the path are those that were opened. Where they are not, the units of work that go on end
first, and the store is opened anew: from the same path, or not at all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from data.store.errors import StoreError

File = tuple[int, int]  # device, inode


@dataclass(frozen=True)
class StoreFiles:
    """Which files stand at the path; None where there is none."""

    database: File | None
    log: File | None


def files_at(path: Path) -> StoreFiles:
    return StoreFiles(_file(str(path)), _file(f"{path}-wal"))


def _file(path: str) -> File | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def not_reachable(path: Path) -> StoreError:
    return StoreError(
        f"The database {path} was deleted, moved or replaced while Second Reader was running. Nothing is "
        "saved until it is back: "
        "put the file back in its place, or restart Second Reader."
    )


def not_acknowledged(path: Path) -> StoreError:
    return StoreError(
        f"The database {path} was deleted, moved or replaced at this moment. What was just done is not "
        "confirmed as saved; do it again, "
        "or let the page send it again."
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
                if files_at(self._path) != self._files:
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

    def check_reachable(self) -> None:
        """Before something is called saved. Raises StoreError where it could not be read back from the
        path.
        """
        if files_at(self._path) != self._files:
            raise not_acknowledged(self._path)

    def _enter(self) -> None:
        self._wait_while(lambda: self._opening)
        now = files_at(self._path)
        if now == self._files:
            return
        if now.database is None:
            raise not_reachable(self._path)
        self._opening = True
        try:
            self._wait_while(lambda: self._working > 0)
            self._open_anew(self._files, now)
            self._files = files_at(self._path)
        finally:
            self._opening = False
            self._changed.notify_all()

    def _wait_while(self, busy: Callable[[], bool]) -> None:
        if not self._changed.wait_for(lambda: not busy(), self._patience):
            raise not_reachable(self._path)
