"""The index of the write-ahead log that SQLite's connections share in memory, from its header in the -shm
file (https://www.sqlite.org/walformat.html).

A process must not open and close a file on which it holds locks: closing any descriptor releases them all. So
each such file has one descriptor, which is closed with the last store of it in this process.
"""

from __future__ import annotations

import os
import struct
import threading
from typing import NamedTuple

SIZE = 48  # bytes of the header, which the file holds twice
_HEADER = struct.Struct("=III BBH II II 8s")
_descriptors: dict[tuple[int, int], list[int]] = {}  # (device, inode) -> [descriptor, number of users]
_lock = threading.Lock()


class LogIndex(NamedTuple):
    """`frames`: how many are committed. `checksum`: of the last one. `salts`: as in the log."""

    frames: int
    page_size: int
    checksum: tuple[int, int]
    salts: bytes


class IndexFile:
    """The index of one database, by its path; open until `close`."""

    def __init__(self, database: str) -> None:
        self._path = f"{database}-shm"
        self._key: tuple[int, int] | None = None
        self._descriptor = -1

    def read(self) -> LogIndex | None:
        """Return the index; None if there is none yet, or it is being written."""
        if self._key is None and not self._open():
            return None
        both = os.pread(self._descriptor, 2 * SIZE, 0)
        if len(both) < 2 * SIZE or both[:SIZE] != both[SIZE:]:
            return None
        fields = _HEADER.unpack(both[: _HEADER.size])
        is_ready, page_size, frames = fields[3], fields[5], fields[6]
        if not is_ready:
            return None
        size = 65_536 if page_size == 1 else page_size
        return LogIndex(frames, size, (fields[8], fields[9]), fields[10])

    def _open(self) -> bool:
        try:
            status = os.stat(self._path)
            with _lock:
                key = status.st_dev, status.st_ino
                if key not in _descriptors:
                    _descriptors[key] = [os.open(self._path, os.O_RDONLY), 0]
                self._descriptor = _descriptors[key][0]
                _descriptors[key][1] += 1
        except OSError:
            return False
        self._key = key
        return True

    def close(self) -> None:
        """Release the file; call it after closing the store's connections."""
        with _lock:
            if self._key is None:
                return
            _descriptors[self._key][1] -= 1
            if not _descriptors[self._key][1]:
                os.close(_descriptors.pop(self._key)[0])
            self._key = None
