"""The calls of a phase handed over as batch jobs. What a job does not answer in time, or not readably, is asked one by one afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from data import judge_runs
from data.store import Store
from data.trail import now
from runs.judging.calls import Call
from runs.judging.engine import Engine
from scoring.judges.asking import Answer, BatchFailed, Gated, id_of
from scoring.judges.catalogue import JudgeEntry

MOST_CALLS, MOST_CHARACTERS = 1_000, 12_000_000  # of one job: the service takes 20 MB
TOGETHER = 32  # answers that share a commit


class Batches:
    """`calls` gives the calls that are still pending, anew each time it is asked."""

    def __init__(self, store: Store, study_id: int, actor: str, run_id: int, judge_id: int, judge: Gated, entry: JudgeEntry, engine: Engine,
                 calls: Callable[[], Iterator[Call]]) -> None:
        self._store, self._study_id, self._actor, self._run_id, self._judge_id = store, study_id, actor, run_id, judge_id
        self._judge, self._entry, self._engine, self._calls = judge, entry, engine, calls

    async def run(self, more: bool) -> None:
        """Take back what earlier runs handed over, so that nothing is paid twice; with `more`, hand over the rest and take that back."""
        await self._take_back()
        if more:
            await self._hand_over()
            await self._take_back()

    async def _hand_over(self) -> None:
        """One job after the other, each as much as the service takes at once."""
        waiting = self._calls()
        while self._engine.stop is None and (some := await asyncio.to_thread(_as_much_as_fits, waiting)):
            if not self._engine.may_spend(some):
                return
            try:
                name = await self._judge.hand_over([call.request for call in some], f"second-reader run {self._run_id}")
            except BatchFailed as error:
                self._engine.met(error.answer)
                return  # one by one, then
            self._note("batch", name=name, calls=len(some), at=now())

    async def _take_back(self) -> None:
        with self._store.reading() as connection:
            jobs = judge_runs.open_batches(connection, self._judge_id)
        for job in jobs:
            answers = await self._answers(job)
            if answers is None:
                return
            await self._keep(answers)
            self._note("batch_ended", name=job["name"], answers=len(answers))

    async def _answers(self, job: Mapping[str, str]) -> Mapping[str, Answer] | None:
        """The answers of a job once it is over or too late; None where the run stops first, and then the job stays open."""
        late = False
        while self._engine.stop is None:
            try:
                found = await self._judge.look(job["name"])
            except BatchFailed as error:
                if error.answer.status in ("gone", "rejected"):  # the service forgot it
                    return {}
                self._engine.met(error.answer)
            else:
                if found.over or late:
                    return found.answers
            if not late and judge_runs.seconds_since(job["at"]) > self._entry.batch_hours * 3600:
                late = True
                await self._judge.call_off(job["name"])
                continue
            await self._engine.pace.rest(self._entry.batch_look_seconds)
        return None

    async def _keep(self, answers: Mapping[str, Answer]) -> None:
        waiting = self._calls()
        while some := await asyncio.to_thread(lambda: list(islice(waiting, 500))):
            ours = [(call, answers[id_of(call.request)]) for call in some if id_of(call.request) in answers]
            for start in range(0, len(ours), TOGETHER):
                await asyncio.gather(*[self._engine.accept(call, answer) for call, answer in ours[start:start + TOGETHER]])

    def _note(self, kind: str, **detail: object) -> None:
        with self._store.writing(self._actor, "judge", self._study_id, run=self._run_id) as (connection, entry):
            judge_runs.note(connection, entry, self._run_id, kind, self._judge_id, **detail)


def _as_much_as_fits(waiting: Iterator[Call]) -> list[Call]:
    some: list[Call] = []
    characters = 0
    for call in waiting:
        some.append(call)
        characters += len(call.request.user) + len(call.request.system) + 2_000
        if len(some) >= MOST_CALLS or characters >= MOST_CHARACTERS:
            break
    return some
