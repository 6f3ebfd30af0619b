"""Writing what comes back: whoever brings a result waits until it is committed, and all who wait share one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from data import ledger
from data.ledger import Attempt, Label
from data.store import Store

GATHER = 0.01  # seconds in which results gather, so that a commit is shared


@dataclass
class _Waiting:
    attempt: Attempt | None
    labels: Sequence[Label]
    kept: asyncio.Future[None]


class Book:
    """One for a run. `keep` returns when the try and its labels are on disk; an error of the store is raised to everyone who waits."""

    def __init__(self, store: Store, study_id: int, actor: str, run_id: int) -> None:
        self._store, self._study_id, self._actor, self._run_id = store, study_id, actor, run_id
        self._pending: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def keep(self, attempt: Attempt | None, labels: Sequence[Label]) -> None:
        one = _Waiting(attempt, labels, asyncio.get_running_loop().create_future())
        self._pending.append(one)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        await one.kept

    async def _write(self) -> None:
        while self._pending:
            await asyncio.sleep(GATHER)
            taken, self._pending = self._pending, []
            try:
                await asyncio.to_thread(self._commit, taken)
            except BaseException as error:  # noqa: BLE001  everyone who waits has to hear it, or the run would hang
                for one in taken:
                    if not one.kept.done():
                        one.kept.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
                continue
            for one in taken:
                if not one.kept.done():
                    one.kept.set_result(None)

    def _commit(self, taken: Sequence[_Waiting]) -> None:
        with self._store.writing(self._actor, "judge", self._study_id, run=self._run_id) as (connection, entry):
            ledger.write(connection, entry, self._study_id, f"run {self._run_id}", [one.attempt for one in taken if one.attempt],
                         [label for one in taken for label in one.labels])
