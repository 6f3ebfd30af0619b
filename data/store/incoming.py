"""The folder next to the store for incoming files: uploads of a page, and staged rows of an import. Each part
belongs to the process that holds its lock. A part without a holder, as after a crash, is removed when a store
is opened; erasing a conversation removes all of them.
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
        """Release the folder and remove it with everything in it."""
        self._lock.release()
        _remove(self.path)

    def __enter__(self) -> IncomingFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def folder_of(store: Path) -> Path:
    """Return the folder beside a store in which uploaded files are kept during an import."""
    store = store.resolve()
    return store.with_name(f"{store.name}.incoming")


def remove_abandoned(store: Path) -> None:
    """Remove every part without a holder. Does nothing if the folder can't be read."""
    for part in _parts(store):
        try:
            with file_lock(part / LOCK).acquire(blocking=False):
                pass
        except (Timeout, OSError):
            continue
        _remove(part)


def remove_all(store: Path) -> None:
    """Remove every part, even if a process holds it: it may contain what was erased."""
    for part in _parts(store):
        _remove(part)


def _make_part(folder: Path) -> Path:
    """Return a new folder of mode 0700 inside `folder`."""
    while True:
        make_folder(folder)
        try:
            return Path(tempfile.mkdtemp(dir=folder))
        except FileNotFoundError:  # another process removed the last part and the folder
            continue


def _remove(part: Path) -> None:
    shutil.rmtree(part, ignore_errors=True)
    with suppress(OSError):  # other parts are in it
        part.parent.rmdir()


def _parts(store: Path) -> list[Path]:
    try:
        return [part for part in folder_of(store).iterdir() if part.is_dir()]
    except OSError:
        return []
