"""The calls of a phase handed over as batch jobs. What a job does not answer in time, or not readably, is
asked one by one afterwards.

Each job is written down before it is handed over, under a label by which the service finds it again: a reply
or a commit that was lost on the way leaves no job behind that is paid and never taken back.
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

MOST_CALLS, MOST_CHARACTERS = 1_000, 12_000_000  # of one job: the service takes 20 MB
TOGETHER = 32  # answers that share a commit
TRIES = 4  # of handing a job over
SPELL = 2.0  # seconds before the second; each further one waits twice as long
LAST_LOOKS = 30  # at a job that was called off: its last answers take a while

Pairs = list[tuple[int, str]]  # (unit, the criterion or criteria of a call)


class Batches:
    """`calls` gives the calls that are still pending, anew each time it is asked; `about` those of given
    pairs, pending or not.
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
        self._set_aside: dict[str, int] = {}  # job -> what it may cost

    async def run(self, more: bool, answered_before: bool) -> None:
        """Take back what earlier runs handed over, so that nothing is paid twice; with `more`, hand over the
        rest and take that back.

        `answered_before`: whether this judge ever answered.
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
        """One job after the other, each as much as the service takes at once."""
        waiting = self._calls()
        number = 0
        while self._engine.stop is None and (some := await asyncio.to_thread(_as_much_as_fits, waiting)):
            # What is asked once more gets twice the room, which a job does not give.
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
        """The run stops where the service takes no job: asked one by one, the calls would cost more than was
        agreed to.
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
            f"The service took no batch job ({answer.detail or answer.status}). What was answered is kept. "
            "Start again later, or without a batch to ask one by one at the full price.",
        )

    async def _was_made(self, label: str) -> bool:
        """Whether the job is there, and only the reply was lost."""
        try:
            return await self._found(label) is not None
        except BatchFailed:
            return False

    async def _found(self, label: str) -> str | None:
        """The name of the job that stands under this label, kept; None where there is none. Raises
        BatchFailed where that cannot be learned.
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
                    "What a batch job answered could not be asked for. It is kept there; go on later.",
                )
                return
            answers = await self._answers(name, job["at"]) if name else {}
            if answers is None or self._engine.stop is not None:
                return
            other = next((answer for answer in answers.values() if self._engine.is_other_model(answer)), None)
            if other is not None:  # nothing is taken, and the job stays open: the name may be confirmed yet
                self._engine.drifted(other)
                return
            await self._keep(job["calls"], answers)
            self._engine.free(self._set_aside.pop(job["label"], 0))
            self._note("batch_ended", label=job["label"], answers=len(answers))

    async def _answers(self, name: str, at: str) -> Mapping[str, JudgeAnswer] | None:
        """The answers of a job once it is over or too late; None where the run stops first, and then the job
        stays open.
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
        """Every answer is kept as a try, whatever this run was asked for: it is paid."""
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
