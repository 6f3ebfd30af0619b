"""Empty the write-ahead log about a second after the last write, so that what was saved is in the database
file.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

AFTER = 1.0  # seconds without a write
AGAIN = 1.0  # seconds until the next try, if a reader needs the log


class Checkpoints:
    """Calls `empty_log()` in a thread that starts with the first write, until it returns True."""

    def __init__(self, empty_log: Callable[[], bool]) -> None:
        self._empty_log = empty_log
        self._written, self._closing = threading.Event(), threading.Event()
        self._last_write = 0.0
        self._thread: threading.Thread | None = None

    def note_write(self) -> None:
        """Start the thread with the first write; later calls record when the last write was."""
        self._last_write = time.monotonic()
        if self._written.is_set():
            return
        self._written.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True, name="checkpoints")
            self._thread.start()

    def close(self) -> None:
        """Wait for a checkpoint in progress."""
        self._closing.set()
        self._written.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def _run(self) -> None:
        while not self._closing.is_set():
            self._written.wait()
            while not self._closing.is_set() and (left := self._last_write + AFTER - time.monotonic()) > 0:
                self._closing.wait(left)
            if self._closing.is_set():
                return
            self._written.clear()
            if not self._empty_log():
                self._written.set()
                self._closing.wait(AGAIN)
