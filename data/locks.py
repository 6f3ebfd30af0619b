"""One at a time, over processes: a lock that the operating system lets go of when its holder dies, however it
dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from data.errors import Refused


class LockTaken(Refused):
    """Another process holds the lock; `pid` is its number where it could be read."""

    def __init__(self, what: str, pid: str) -> None:
        super().__init__(f"{what} (process {pid})." if pid else f"{what}.")
        self.pid = pid


@contextmanager
def only_one(store: Path, name: str, otherwise: str) -> Iterator[None]:
    """Hold the lock `name` of a store for the length of the block. Raises Taken, with the sentence
    `otherwise`, at once.
    """
    with _opened(store, name) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LockTaken(otherwise, file.read().strip()) from None
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextmanager
def in_turn(store: Path, name: str) -> Iterator[None]:
    """Hold the lock `name` of a store for the length of the block; wait for whoever holds it."""
    with _opened(store, name) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def held(store: Path, name: str) -> bool:
    """Whether somebody holds the lock just now."""
    with _opened(store, name) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def _opened(store: Path, name: str) -> TextIOWrapper:
    store = store.resolve()  # a link to a store is that store
    return os.fdopen(
        os.open(store.with_name(f"{store.name}.{name}.lock"), os.O_CREAT | os.O_RDWR, 0o600), "r+"
    )
