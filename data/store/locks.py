"""Locks between processes, which the operating system releases when the holder dies."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout, lock_descriptor

from data.store.errors import Refused, StoreError
from data.store.private_files import open_private

SERVED = "served"
LAST_MOMENTS = 4.0  # seconds until the children of a killed parent have ended


class LockTaken(Refused):
    """Another process holds the lock; `pid`: its number if known."""

    def __init__(self, what: str, pid: str) -> None:
        super().__init__(f"{what} (process {pid})." if pid else f"{what}.")
        self.pid = pid


@contextmanager
def only_one(store: Path, name: str, otherwise: str) -> Iterator[None]:
    """Hold the store's lock `name` during the block. Raises LockTaken with the sentence `otherwise` if it is
    taken, and StoreError if the store's folder can't be written.
    """
    holder = _beside(
        store, f"{name}.pid"
    )  # a separate file, because a locked file may be unreadable to others
    lock = file_lock(_beside(store, f"{name}.lock"))
    with _in_words(store):
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise LockTaken(otherwise, _read_holder(holder)) from None
    try:
        with _in_words(store), open_private(holder, "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
        yield
    finally:
        lock.release()


@contextmanager
def in_turn(store: Path, name: str) -> Iterator[None]:
    """Hold the store's lock `name` during the block, after waiting until it is free. Raises StoreError if the
    store's folder can't be written.
    """
    lock = file_lock(_beside(store, f"{name}.lock"))
    with _in_words(store):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def serve_alone(store: Path, address: str) -> Iterator[int]:
    """Be the only program that serves a store during the block; `address` tells others where.

    Yields the lock's descriptor: a process that inherits it holds the lock too, until it ends. Raises Refused
    if another program still serves the store after LAST_MOMENTS, and StoreError if the store's folder can't
    be written.
    """
    with _served_lock(store) as lock:
        with _in_words(store), open_private(_beside(store, f"{SERVED}.at"), "w", encoding="utf-8") as file:
            file.write(address)
        yield lock


def refuse_if_served(store: Path) -> None:
    """Raise Refused or StoreError as `serve_alone` does, without creating a file."""
    if _beside(store, f"{SERVED}.lock").exists():
        with _served_lock(store):
            pass


def held(store: Path, name: str) -> bool:
    """Tell whether any process holds the lock now."""
    try:
        with file_lock(_beside(store, f"{name}.lock")).acquire(blocking=False):
            return False
    except Timeout:
        return True


def file_lock(path: Path) -> FileLock:
    """Return the lock of a file; a new file has mode 0600."""
    return FileLock(path, mode=0o600)


def _beside(store: Path, ending: str) -> Path:
    store = store.resolve()  # a link to a store means that store
    return store.with_name(f"{store.name}.{ending}")


@contextmanager
def _served_lock(store: Path) -> Iterator[int]:
    """Released by closing, not unlocking: a process that inherited the descriptor keeps the lock."""
    until = time.monotonic() + LAST_MOMENTS
    with _in_words(store):
        opened = open_private(_beside(store, f"{SERVED}.lock"), "ab")
    with opened as file:
        while not lock_descriptor(file.fileno(), blocking=False):
            if time.monotonic() > until:
                address = _read_holder(_beside(store, f"{SERVED}.at"))
                if address:
                    raise Refused("store_served", address=address)
                raise Refused("store_served_by_another")
            time.sleep(0.05)
        yield file.fileno()


@contextmanager
def _in_words(store: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError("folder_unwritable", path=store, trouble=error.strerror) from None


def _read_holder(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
