"""Submit the calls of a phase as batch jobs. What a job doesn't answer in time, or not readably, is asked one
by one.

Each job is recorded before it is submitted, under a label by which the service finds it again. So a lost
reply or commit leaves no paid job behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from data.record import judge_runs
from data.store.store import Store
from data.store.trail import now
from runs.asking.engine import Engine
from runs.judging.calls import Call
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import BatchFailed, DataClassGate, JudgeAnswer, id_of

MOST_CALLS, MOST_CHARACTERS = 1_000, 12_000_000  # per job; the service takes 20 MB
TOGETHER = 32  # answers per commit
TRIES = 4  # to submit a job
SPELL = 2.0  # seconds before the second try; each further one waits twice as long
LAST_LOOKS = 30  # at a cancelled job, whose last answers take a while

Pairs = list[tuple[int, str]]  # (unit, the criterion or criteria of a call)


class Batches:
    """`calls` returns the calls that are still pending each time; `about` returns those of given pairs,
    pending or not.
    """

    def __init__(
        self,
        store: Store,
        study_id: int,
        actor: str,
        run_id: int,
        judge_id: int,
        judge: DataClassGate,
        entry: JudgeEntry,
        engine: Engine,
        calls: Callable[[], Iterator[Call]],
        about: Callable[[Pairs], Iterator[Call]],
    ) -> None:
        self._store, self._study_id, self._actor, self._run_id, self._judge_id = (
            store,
            study_id,
            actor,
            run_id,
            judge_id,
        )
        self._judge, self._entry, self._engine, self._calls, self._about = judge, entry, engine, calls, about
        self._set_aside: dict[str, int] = {}  # job -> reserved cost

    async def run(self, more: bool, answered_before: bool) -> None:
        """Collect the answers of earlier runs' jobs, so that nothing is paid twice; with `more`, submit the
        rest and collect that too.

        Args:
            answered_before: whether this judge has ever answered.
        """
        await self._take_back()
        if more and self._engine.stop is None:
            if not (
                answered_before or self._engine.answered
            ):  # a wrong key, model or parameter is found at the price of one call
                first = next(self._calls(), None)
                await self._engine.run(iter([[first]] if first else []))
            await self._hand_over()
            await self._take_back()

    async def _hand_over(self) -> None:
        """Submit one job after another, each as large as the service accepts."""
        waiting = self._calls()
        number = 0
        while self._engine.stop is None and (some := await asyncio.to_thread(_as_much_as_fits, waiting)):
            # A repeated call gets twice the room, which a job can't give.
            asked_once = self._engine.find_asked_once(some)
            some = [call for call in some if call.request.key not in asked_once]
            if not some:
                continue
            amount = self._engine.set_aside(some)
            if amount is None:
                return
            number += 1
            label = f"second-reader {self._judge_id}-{self._run_id}-{number}-{some[0].request.key[:8]}"
            self._note(
                "batch", label=label, calls=[[call.unit_id, call.criterion] for call in some], at=now()
            )
            self._set_aside[label] = amount
            await self._handed_over(some, label)

    async def _handed_over(self, some: list[Call], label: str) -> None:
        """Submit a job. The run stops if the service refuses it: asked one by one, the calls would cost more
        than agreed.
        """
        for number in range(TRIES):
            try:
                self._note(
                    "batch_name",
                    label=label,
                    name=await self._judge.hand_over([call.request for call in some], label),
                )
                return
            except BatchFailed as error:
                answer = error.answer
            self._engine.met(answer)
            if answer.status in ("transport", "quota") and self._engine.stop is None:
                await self._engine.pace.rest(max(answer.wait or 0.0, SPELL * 2**number))
                if await self._was_made(label):
                    return
                continue
            break
        if answer.status not in ("transport", "quota"):
            self._note("batch_ended", label=label, answers=0)
        self._engine.halt(
            "no_batch",
            f"The service took no batch job ({answer.detail or answer.status}). Answers so far are kept. "
            "Start again later, or without a batch to ask one by one at the full price.",
        )

    async def _was_made(self, label: str) -> bool:
        """Tell whether the job exists, and only the reply was lost."""
        try:
            return await self._found(label) is not None
        except BatchFailed:
            return False

    async def _found(self, label: str) -> str | None:
        """Return the name of the job with this label, and keep it; None if there is none. Raises BatchFailed
        if the service can't tell.
        """
        name = await self._judge.find(label)
        if name is not None:
            self._note("batch_name", label=label, name=name)
        return name

    async def _take_back(self) -> None:
        with self._store.reading() as connection:
            jobs = judge_runs.open_batches(connection, self._judge_id)
        for job in jobs:
            try:
                name = job["name"] or await self._found(job["label"])
            except BatchFailed as error:
                self._engine.met(error.answer)
                self._engine.halt(
                    "unreachable",
                    "The answers of a batch job could not be fetched. The service keeps them; start again "
                    "later.",
                )
                return
            answers = await self._answers(name, job["at"]) if name else {}
            if answers is None or self._engine.stop is not None:
                return
            other = next((answer for answer in answers.values() if self._engine.is_other_model(answer)), None)
            if other is not None:  # nothing is used, and the job stays open: the name may still be confirmed
                self._engine.drifted(other)
                return
            await self._keep(job["calls"], answers)
            self._engine.free(self._set_aside.pop(job["label"], 0))
            self._note("batch_ended", label=job["label"], answers=len(answers))

    async def _answers(self, name: str, at: str) -> Mapping[str, JudgeAnswer] | None:
        """Return the answers of a job when it ends or its time is up; None if the run stops first, and the
        job stays open.
        """
        late = 0
        while self._engine.stop is None:
            try:
                job = await self._judge.look(name)
                self._engine.heard()
                if job.over or late > LAST_LOOKS:
                    return job.answers
                if late == 0 and judge_runs.seconds_since(at) > self._entry.batch_hours * 3600:
                    await self._judge.call_off(name)
                    late = 1
            except BatchFailed as error:
                if error.answer.status in ("gone", "rejected"):  # the service forgot it
                    return {}
                self._engine.met(error.answer)
            late += late > 0
            await self._engine.pace.rest(self._entry.batch_look_seconds)
        return None

    async def _keep(self, pairs: Pairs, answers: Mapping[str, JudgeAnswer]) -> None:
        """Keep every answer as a try, whatever this run was asked for, because it is paid for."""
        ours = [
            (call, answers[id_of(call.request)])
            for call in await asyncio.to_thread(lambda: list(self._about(pairs)))
            if id_of(call.request) in answers
        ]
        for start in range(0, len(ours), TOGETHER):
            await asyncio.gather(
                *[self._engine.accept(call, answer) for call, answer in ours[start : start + TOGETHER]]
            )

    def _note(self, kind: str, **detail: Any) -> None:
        with self._store.writing(self._actor, "judge", self._study_id, run=self._run_id) as (
            connection,
            entry,
        ):
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
