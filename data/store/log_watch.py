"""Check that the write-ahead log still holds what was committed to it.

SQLite's connections trust an index in shared memory. If somebody empties, truncates or overwrites the log,
they continue behind the gap, and a program that opens the store later finds nothing of it. So the log is
compared with the index: same salts, same length, and the checksum of its last committed frame, which covers
all before. While the salts are the same, committed data never changes, so its last part is also compared with
what it was (https://www.sqlite.org/fileformat2.html#walformat).

Other programs may write, restart and empty the log at any time, so only a lasting difference counts.
"""

from __future__ import annotations

import os
import struct
import threading
import time
import zlib

from data.store.log_index import IndexFile, LogIndex

HEADER, FRAME_HEADER = 32, 24  # bytes
MOST_COMPARED = 4 << 20  # bytes before the end of the committed part
TRIES, PAUSE = 40, 0.002  # seconds
_CHECKSUM = struct.Struct(">II")
Look = tuple[int, int, int]  # inode, size, time of the last change


class LogWatch:
    """Watches one log, by the path of its database with links resolved."""

    def __init__(self, database: str) -> None:
        self._path, self._index = f"{database}-wal", IndexFile(database)
        self._lock = threading.Lock()
        self._look: Look | None = None
        self._salts, self._start, self._end, self._crc = b"", 0, 0, 0

    def holds_commits(self, compares: bool) -> bool:
        """Tell whether the log holds what was committed. `compares`: also whether its bytes are unchanged."""
        with self._lock:
            for _ in range(TRIES):
                if self._is_whole(compares):
                    return True
                time.sleep(PAUSE)
            return False

    def close(self) -> None:
        """Release the files; call it after closing the store's connections."""
        self._index.close()

    def _is_whole(self, compares: bool) -> bool:
        index = self._index.read()
        if index is None or not index.frames:
            return True  # everything is in the database file
        try:
            with open(self._path, "rb", buffering=0) as file:
                log = file.fileno()
                return self._agrees(log, index) and (not compares or self._is_unchanged(log, index))
        except OSError:
            return True  # a missing file is noticed elsewhere

    def _agrees(self, log: int, index: LogIndex) -> bool:
        if os.pread(log, HEADER, 0)[16:24] != index.salts:
            return False
        last = os.pread(log, FRAME_HEADER, _end_of(index) - index.page_size - FRAME_HEADER)
        return (
            len(last) == FRAME_HEADER
            and last[8:16] == index.salts
            and _CHECKSUM.unpack(last[16:24]) == index.checksum
            and os.fstat(log).st_size >= _end_of(index)
        )

    def _is_unchanged(self, log: int, index: LogIndex) -> bool:
        """Compare the log with what is known, and remember the rest."""
        status, end = os.fstat(log), _end_of(index)
        look = status.st_ino, status.st_size, status.st_mtime_ns
        if index.salts != self._salts or end < self._end:
            self._salts, self._start, self._end, self._crc, self._look = index.salts, 0, 0, 0, None
        if self._look not in (None, look):
            earlier = os.pread(log, self._end - self._start, self._start)
            if zlib.crc32(earlier) != self._crc:
                return False
        if end - self._start > 2 * MOST_COMPARED:
            self._start = self._end = end - MOST_COMPARED
            self._crc = 0
        self._crc = zlib.crc32(os.pread(log, end - self._end, self._end), self._crc)
        self._end, self._look = end, look
        return True


def _end_of(index: LogIndex) -> int:
    return HEADER + index.frames * (FRAME_HEADER + index.page_size)
