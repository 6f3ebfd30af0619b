"""Writing what comes back: whoever brings a result waits until it is committed, and all who wait share one
commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from data.store.errors import StoreError

Result = TypeVar("Result")
GATHER = 0.03  # seconds in which results gather, so that a commit is shared
AGAIN = 1.0  # seconds between tries while the store cannot be written
PATIENCE = 120.0  # seconds of that; each try waits for a busy store itself, too


@dataclass
class _WaitingResult(Generic[Result]):
    result: Result
    is_written: asyncio.Future[None]


class SharedCommits(Generic[Result]):
    """One for a run. `write` returns when the result is on disk. These answers are paid for:
    while the store cannot be written, because a large import holds it or the disk is full, they wait; after
    `PATIENCE` its error is raised to everyone who waits.

    `enough`: how many results are worth a commit at once. The commit is made in the event loop: in a thread
    it would wait for the interpreter after every statement, and the calls in flight with it, for longer than
    the commit takes.
    """

    def __init__(self, commit: Callable[[Sequence[Result]], None]) -> None:
        self.enough: Callable[[], int] = lambda: 1
        self._commit = commit
        self._pending: list[_WaitingResult[Result]] = []
        self._later: asyncio.TimerHandle | None = None
        self._failing_since: float | None = None

    async def write(self, result: Result) -> None:
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
        except Exception as error:  # noqa: BLE001  everyone who waits has to hear it, or the run would hang
            failed = error
        for waiting in taken:
            if waiting.is_written.done():
                continue
            if failed is None:
                waiting.is_written.set_result(None)
            else:
                waiting.is_written.set_exception(failed)
