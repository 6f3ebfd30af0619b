"""One at a time, over processes: a lock that the operating system lets go of when its holder dies, however it
dies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from data.store.errors import Refused
from data.store.private_files import open_private


class LockTaken(Refused):
    """Another process holds the lock; `pid` is its number where it could be read."""

    def __init__(self, what: str, pid: str) -> None:
        super().__init__(f"{what} (process {pid})." if pid else f"{what}.")
        self.pid = pid


@contextmanager
def only_one(store: Path, name: str, otherwise: str) -> Iterator[None]:
    """Hold the lock `name` of a store for the length of the block. Raises LockTaken, with the sentence
    `otherwise`, at once.
    """
    holder = _beside(
        store, f"{name}.pid"
    )  # a file of its own: where a file is locked, others may not read it
    lock = file_lock(_beside(store, f"{name}.lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise LockTaken(otherwise, _read_holder(holder)) from None
    try:
        with open_private(holder, "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
        yield
    finally:
        lock.release()


@contextmanager
def in_turn(store: Path, name: str) -> Iterator[None]:
    """Hold the lock `name` of a store for the length of the block; wait for whoever holds it."""
    with file_lock(_beside(store, f"{name}.lock")):
        yield


def held(store: Path, name: str) -> bool:
    """Whether somebody holds the lock just now."""
    try:
        with file_lock(_beside(store, f"{name}.lock")).acquire(blocking=False):
            return False
    except Timeout:
        return True


def file_lock(path: Path) -> FileLock:
    """The lock of a file that only its owner may read."""
    return FileLock(path, mode=0o600)


def _beside(store: Path, ending: str) -> Path:
    store = store.resolve()  # a link to a store is that store
    return store.with_name(f"{store.name}.{ending}")


def _read_holder(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
