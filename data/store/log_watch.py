"""Whether the write-ahead log still holds what was committed into it.

SQLite's connections trust an index in shared memory: when somebody empties the log, cuts it off or writes
into it, they write on behind the gap, and a program that opens the store later finds nothing of it. So this
remembers how far the log was committed and a checksum of the last part of that, and looks again whenever
the file changed.

It relies on the file format of SQLite (https://www.sqlite.org/fileformat2.html#walformat): a header with
two salts, then frames with the same salts, of which the last of a transaction says how large the database
is. Within one pair of salts, what is committed never changes. A log begins anew, with other salts or empty,
only after all of it was written into the database: then the last entry of the trail that was acknowledged
is read from there, past the log.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import threading
import time
import zlib
from contextlib import closing
from urllib.parse import quote

HEADER, FRAME_HEADER = 32, 24  # bytes
MOST_CHECKED = 4 << 20  # bytes before the end of what is committed
READ_AGAIN = 5  # times, where a checkpoint is being written just now
Look = tuple[int, int, int]  # inode, size, moment of the last change


class LogWatch:
    """Of one log, by the path of its database, links resolved."""

    def __init__(self, database: str) -> None:
        self._database, self._path = database, f"{database}-wal"
        self._lock = threading.Lock()
        self._acknowledged: tuple[int, str] | None = None
        self._look: Look | None = None
        self._header, self._start, self._end, self._crc = b"", 0, 0, 0

    def forget(self) -> None:
        """After a checkpoint that wrote all of the log into the database."""
        with self._lock:
            self._look = None
            self._begin(b"")

    def holds_commits(self, compares: bool) -> bool:
        """Whether everything that was committed can still be read, from the log or the database.
        `compares`: also compare the bytes; else only where the log ends and whether it began anew.
        """
        with self._lock:
            return self._look_again(compares, accepts=compares)

    def confirms(self, seq: int | None, digest: str) -> bool:
        """After a commit: whether it can be read as well. `seq`, `digest`: number and hash of the entry of
        the trail that it made, None for a commit without one.
        """
        with self._lock:
            before = self._header, self._end
            self._look = None  # moments are coarser than commits
            if not self._look_again(compares=False, accepts=True):
                return False
            if seq is None:
                return True
            self._acknowledged = seq, digest
            is_longer = (self._header, self._end) != before and self._end > HEADER
            return is_longer or self._database_holds_entry()

    def _look_again(self, compares: bool, accepts: bool) -> bool:
        """`accepts`: the file as it is now needs no second look."""
        try:
            status = os.lstat(self._path)
        except OSError:
            return True  # that the file is gone is noticed elsewhere
        look = status.st_ino, status.st_size, status.st_mtime_ns
        if look == self._look:
            return True
        with open(self._path, "rb", buffering=0) as log:
            header = log.read(HEADER)
            if header[16:24] != self._header[16:24] or len(header) < HEADER:
                if self._end > HEADER and not self._database_holds_entry():
                    return False
                self._begin(header if len(header) == HEADER else b"")
            elif status.st_size < self._end or (compares and self._is_altered(log.fileno())):
                return False
            self._follow(log.fileno())
        if accepts:
            self._look = look
        return True

    def _begin(self, header: bytes) -> None:
        self._header, self._crc = header, 0
        self._start = self._end = HEADER if header else 0

    def _is_altered(self, log: int) -> bool:
        return zlib.crc32(os.pread(log, self._end - self._start, self._start)) != self._crc

    def _follow(self, log: int) -> None:
        """Go on to the last frame that ends a transaction."""
        if not self._header:
            return
        page_size = struct.unpack(">I", self._header[8:12])[0] or 65_536
        place = last = self._end
        while len(frame := os.pread(log, FRAME_HEADER, place)) == FRAME_HEADER:
            if frame[8:16] != self._header[16:24]:
                break
            place += FRAME_HEADER + page_size
            if frame[4:8] != b"\0\0\0\0":
                last = place
        if last == self._end:
            return
        new = os.pread(log, last - self._end, self._end)
        self._crc, self._end = zlib.crc32(new, self._crc), last
        if self._end - self._start > 2 * MOST_CHECKED:
            self._start = self._end - MOST_CHECKED
            self._crc = zlib.crc32(os.pread(log, self._end - self._start, self._start))

    def _database_holds_entry(self) -> bool:
        """Whether the entry that was acknowledged last stands in the database itself."""
        if self._acknowledged is None:
            return True
        seq, digest = self._acknowledged
        address = f"file:{quote(self._database)}?mode=ro&immutable=1"
        for _ in range(READ_AGAIN):
            try:
                with closing(sqlite3.connect(address, uri=True)) as raw:
                    row = raw.execute("SELECT hash FROM trail WHERE seq = ?", (seq,)).fetchone()
                if row == (digest,):
                    return True
            except sqlite3.Error:  # a checkpoint is under way
                pass
            time.sleep(0.02)
        return False
