"""Write results in shared commits: each caller waits until its result is committed, together with others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from data.store.errors import StoreError

Result = TypeVar("Result")
GATHER = 0.03  # seconds in which results gather for one commit
AGAIN = 1.0  # seconds between retries while the store can't be written
PATIENCE = 120.0  # seconds of retrying; each try also waits for a busy store


@dataclass
class _WaitingResult(Generic[Result]):
    result: Result
    is_written: asyncio.Future[None]


class SharedCommits(Generic[Result]):
    """The commits of one run. `write` returns when the result is on disk.

    The answers are paid for: while the store can't be written, because a large import holds it or the disk is
    full, they wait. After PATIENCE the error is raised in every waiting call. `enough`: how many results are
    worth a commit at once. The commit runs in the event loop; a thread would wait for the interpreter after
    every statement and take longer.
    """

    def __init__(self, commit: Callable[[Sequence[Result]], None]) -> None:
        self.enough: Callable[[], int] = lambda: 1
        self._commit = commit
        self._pending: list[_WaitingResult[Result]] = []
        self._later: asyncio.TimerHandle | None = None
        self._failing_since: float | None = None

    async def write(self, result: Result) -> None:
        """Wait until the result is written to the store. Raise what the store raises after PATIENCE."""
        waiting = _WaitingResult(result, asyncio.get_running_loop().create_future())
        self._pending.append(waiting)
        if self._failing_since is None and len(self._pending) >= self.enough():
            self._write()
        elif self._later is None:
            self._write_in(GATHER)
        await waiting.is_written

    def _write_in(self, seconds: float) -> None:
        self._later = asyncio.get_running_loop().call_later(seconds, self._write)

    def _write(self) -> None:
        if self._later is not None:
            self._later.cancel()
        taken, self._pending, self._later = self._pending, [], None
        failed: Exception | None = None
        try:
            self._commit([waiting.result for waiting in taken])
            self._failing_since = None
        except StoreError as error:
            now = asyncio.get_running_loop().time()
            self._failing_since = self._failing_since or now
            if now - self._failing_since < PATIENCE:
                self._pending = taken
                self._write_in(AGAIN)
                return
            failed = error
        except Exception as error:  # noqa: BLE001  every waiting call must get the error, or the run would hang
            failed = error
        for waiting in taken:
            if waiting.is_written.done():
                continue
            if failed is None:
                waiting.is_written.set_result(None)
            else:
                waiting.is_written.set_exception(failed)
