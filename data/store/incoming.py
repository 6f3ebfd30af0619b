"""The folder next to the store for files on their way in: what was dropped on a page, and rows laid aside
for an import. Each part of it belongs to whoever holds its lock. A part that nobody holds, as after a
crash, is removed when a store is opened; erasing a conversation removes all of them.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from filelock import Timeout

from data.store.locks import file_lock
from data.store.private_files import make_folder

LOCK = ".lock"


class IncomingFolder:
    """A private folder that lasts until `remove`, or until the process ends."""

    def __init__(self, store: Path) -> None:
        self.path = _make_part(folder_of(store))
        self._lock = file_lock(self.path / LOCK)
        self._lock.acquire()

    def remove(self) -> None:
        self._lock.release()
        _remove(self.path)

    def __enter__(self) -> IncomingFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def folder_of(store: Path) -> Path:
    store = store.resolve()
    return store.with_name(f"{store.name}.incoming")


def remove_abandoned(store: Path) -> None:
    """Remove every part that nobody holds. Does nothing where the folder can't be read."""
    for part in _parts(store):
        try:
            with file_lock(part / LOCK).acquire(blocking=False):
                pass
        except (Timeout, OSError):
            continue
        _remove(part)


def remove_all(store: Path) -> None:
    """Remove every part, whoever holds it: what they hold may be what was erased."""
    for part in _parts(store):
        _remove(part)


def _make_part(folder: Path) -> Path:
    """A new folder of mode 0700 inside of `folder`."""
    while True:
        make_folder(folder)
        try:
            return Path(tempfile.mkdtemp(dir=folder))
        except FileNotFoundError:  # somebody removed the last other part, and the folder with it
            continue


def _remove(part: Path) -> None:
    shutil.rmtree(part, ignore_errors=True)
    with suppress(OSError):  # others are in it
        part.parent.rmdir()


def _parts(store: Path) -> list[Path]:
    try:
        return [part for part in folder_of(store).iterdir() if part.is_dir()]
    except OSError:
        return []
