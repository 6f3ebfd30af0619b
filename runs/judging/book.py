"""Writing what comes back: whoever brings a result waits until it is committed, and all who wait share one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from data import ledger
from data.ledger import Attempt, Label
from data.store import Store

GATHER = 0.03  # seconds in which results gather, so that a commit is shared


@dataclass
class _Waiting:
    attempt: Attempt | None
    labels: Sequence[Label]
    kept: asyncio.Future[None]


class Book:
    """One for a run. `keep` returns when the try and its labels are on disk; an error of the store is raised to everyone who waits.

    `enough`: how many results are worth a commit at once. The commit is made in the event loop: in a thread it would wait
    for the interpreter after every statement, and the calls in flight with it, for longer than the commit takes.
    """

    def __init__(self, store: Store, study_id: int, actor: str, run_id: int) -> None:
        self.enough: Callable[[], int] = lambda: 1
        self._store, self._study_id, self._actor, self._run_id = store, study_id, actor, run_id
        self._pending: list[_Waiting] = []
        self._later: asyncio.TimerHandle | None = None

    async def keep(self, attempt: Attempt | None, labels: Sequence[Label]) -> None:
        one = _Waiting(attempt, labels, asyncio.get_running_loop().create_future())
        self._pending.append(one)
        if len(self._pending) >= self.enough():
            self._write()
        elif len(self._pending) == 1:
            self._later = asyncio.get_running_loop().call_later(GATHER, self._write)
        await one.kept

    def _write(self) -> None:
        if self._later is not None:
            self._later.cancel()
        taken, self._pending = self._pending, []
        failed: Exception | None = None
        try:
            self._commit(taken)
        except Exception as error:  # noqa: BLE001  everyone who waits has to hear it, or the run would hang
            failed = error
        for one in taken:
            if not one.kept.done():
                one.kept.set_result(None) if failed is None else one.kept.set_exception(failed)

    def _commit(self, taken: Sequence[_Waiting]) -> None:
        with self._store.writing(self._actor, "judge", self._study_id, run=self._run_id) as (connection, entry):
            ledger.write(connection, entry, self._study_id, f"run {self._run_id}", [one.attempt for one in taken if one.attempt],
                         [label for one in taken for label in one.labels])
