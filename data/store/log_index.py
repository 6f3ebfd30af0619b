"""What SQLite's connections believe of the write-ahead log: the header of the index that they share in
memory, in the file named -shm (https://www.sqlite.org/walformat.html).

A file on which this process holds locks must not be opened and closed: closing any of its descriptors lets
all of the locks go. So there is one descriptor for each such file, which is closed when the last store of
it in this process is.
"""

from __future__ import annotations

import os
import struct
import threading
from typing import NamedTuple

SIZE = 48  # bytes of the header, which stands there twice
_HEADER = struct.Struct("=III BBH II II 8s")
_descriptors: dict[tuple[int, int], list[int]] = {}  # device and inode -> descriptor, how many use it
_lock = threading.Lock()


class LogIndex(NamedTuple):
    """`frames`: how many are committed. `checksum`: of the last of them. `salts`: as the log has them."""

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
        """None where there is none yet, or it is being written."""
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
        """After the connections of this store were closed."""
        with _lock:
            if self._key is None:
                return
            _descriptors[self._key][1] -= 1
            if not _descriptors[self._key][1]:
                os.close(_descriptors.pop(self._key)[0])
            self._key = None
