"""A note next to the store that says who is writing, shown to writers who wait too long."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from data.store.private_files import open_private

LONGEST = 200  # bytes
_EMPTY = b"\n" * LONGEST


class WriterNote:
    """The note that all processes with the store open share, as only one writes at a time. Failing to write
    it blocks nobody.
    """

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(f"{store.name}.writer")
        self._file: int | None = None

    def put(self, action: str) -> None:
        """Write process, time and `action` of the transaction that holds the write lock."""
        moment = datetime.now().astimezone().strftime("%H:%M:%S")
        self._write(f"{os.getpid()}\t{moment}\t{action}".encode()[:LONGEST])

    def clear(self) -> None:
        """Empty the note."""
        self._write(b"")

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def describe(self) -> str:
        """Return who is writing, such as "process 1234 (import ratings, since 14:03:05)"; "another program"
        if unknown.
        """
        try:
            process, moment, action = self._path.read_text(encoding="utf-8").strip().split("\t")
            os.kill(int(process), 0)
        except (OSError, ValueError):
            return "another program"
        return f"process {process} ({action}, since {moment})"

    def _write(self, note: bytes) -> None:
        try:
            if self._file is None:
                with open_private(self._path, "ab"):
                    pass
                self._file = os.open(self._path, os.O_WRONLY)
            os.pwrite(self._file, note + _EMPTY[len(note) :], 0)
        except OSError:
            pass
