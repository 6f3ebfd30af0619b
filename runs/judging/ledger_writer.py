"""Writing what comes back: whoever brings a result waits until it is committed, and all who wait share one
commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from data import ledger, units
from data.errors import StoreError
from data.ledger import Attempt, LedgerLabel
from data.store import Store

GATHER = 0.03  # seconds in which results gather, so that a commit is shared
AGAIN = 1.0  # seconds between tries while the store cannot be written
PATIENCE = 120.0  # seconds of that; each try waits for a busy store itself, too


@dataclass
class _WaitingAttempt:
    attempt: Attempt | None
    labels: Sequence[LedgerLabel]
    kept: asyncio.Future[None]


class LedgerWriter:
    """One for a run. `keep` returns when the try and its labels are on disk. These answers are paid for:
    while the store cannot be written, because a large import holds it or the disk is full, they wait; after
    `PATIENCE` its error is raised to everyone who waits.

    `enough`: how many results are worth a commit at once. The commit is made in the event loop: in a thread
    it would wait for the interpreter after every statement, and the calls in flight with it, for longer than
    the commit takes.
    """

    def __init__(self, store: Store, study_id: int, actor: str, run_id: int) -> None:
        self.enough: Callable[[], int] = lambda: 1
        self._store, self._study_id, self._actor, self._run_id = store, study_id, actor, run_id
        self._pending: list[_WaitingAttempt] = []
        self._later: asyncio.TimerHandle | None = None
        self._failing_since: float | None = None

    async def keep(self, attempt: Attempt | None, labels: Sequence[LedgerLabel]) -> None:
        waiting = _WaitingAttempt(attempt, labels, asyncio.get_running_loop().create_future())
        self._pending.append(waiting)
        if self._failing_since is None and len(self._pending) >= self.enough():
            self._write()
        elif self._later is None:
            self._write_in(GATHER)
        await waiting.kept

    def said(self, unit_id: int) -> bool:
        """Whether the words of the unit are there and were not erased meanwhile."""
        with self._store.reading() as connection:
            return units.erased(connection, [unit_id]) == set()

    def _write_in(self, seconds: float) -> None:
        self._later = asyncio.get_running_loop().call_later(seconds, self._write)

    def _write(self) -> None:
        if self._later is not None:
            self._later.cancel()
        taken, self._pending, self._later = self._pending, [], None
        failed: Exception | None = None
        try:
            self._commit(taken)
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
            if not waiting.kept.done():
                waiting.kept.set_result(None) if failed is None else waiting.kept.set_exception(failed)

    def _commit(self, taken: Sequence[_WaitingAttempt]) -> None:
        with self._store.writing(self._actor, "judge", self._study_id, run=self._run_id) as (
            connection,
            entry,
        ):
            ledger.write(
                connection,
                entry,
                self._study_id,
                self._run_id,
                [waiting.attempt for waiting in taken if waiting.attempt],
                [label for waiting in taken for label in waiting.labels],
            )
