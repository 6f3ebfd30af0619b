"""A note next to the store of who is writing into it, for those who wait too long to be told."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from data.store.private_files import open_private

LONGEST = 200  # bytes
_EMPTY = b"\n" * LONGEST


class WriterNote:
    """Kept by every process that has the store open, in one file that they share: only one of them writes
    at a time. A note that can't be kept hinders nobody.
    """

    def __init__(self, store: Path) -> None:
        self._path = store.with_name(f"{store.name}.writer")
        self._file: int | None = None

    def put(self, action: str) -> None:
        moment = datetime.now().astimezone().strftime("%H:%M:%S")
        self._write(f"{os.getpid()}\t{moment}\t{action}".encode()[:LONGEST])

    def clear(self) -> None:
        self._write(b"")

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def describe(self) -> str:
        """Who is writing: "process 1234 (import ratings, since 14:03:05)", or "another program" where none
        of ours says so.
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
