"""Ask calls with retries until they are settled or something stops the run; unanswered calls stay pending.

A call ends with labels or with a failure of its own (blocked, cut off, unreadable). A fault of the service or
the settings stops the run instead, so no unit gets a failure for a wrong key.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Sequence

from runs.asking.attempt_rows import AttemptRows
from runs.asking.budget import Budget
from runs.asking.call_stream import CallStream
from runs.asking.engine_parts import CallOutcome, EngineCall
from runs.asking.judge_answers import REPLIED, drift, may_have_cost, with_status
from runs.asking.ledger_writer import LedgerWriter
from runs.asking.rate_limits import RateLimiter
from runs.asking.stops import STOPPING, UNANSWERED, EarlyStop, UnreadableReplies, explain_stop
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import DataClassGate, JudgeAnswer
from scoring.judges.reply_parsing import UnreadableReply, Verdict
from scoring.judges.statuses import OK, UNREADABLE

TRIES = 5  # for a call that gets no reply
SUSPECTS = 3  # unanswered calls in a row that mean the service is at fault, not the call
MISSES = 50  # the same for a file of recordings, where looking costs nothing
ROOM_OF_A_REPAIR = 2
SPELL = (0.25, 8.0)  # seconds before a retry: the first, and the maximum
SLOWER = 3  # factor for each further retry
PATIENCE = 900.0  # seconds of only refusals after which the quota counts as used up


class Engine:
    def __init__(
        self,
        judge: DataClassGate,
        entry: JudgeEntry,
        writer: LedgerWriter,
        rows: AttemptRows,
        allowed: Callable[[str | None], bool],
        budget_nano: int | None = None,
    ) -> None:
        self._judge, self._entry, self._book, self._allowed = judge, entry, writer, allowed
        self._rows = rows
        self.budget = Budget(entry, budget_nano)
        self.pace = RateLimiter(entry.in_flight, entry.rpm, entry.tpm)
        writer.commit_after(lambda: max(1, self.pace.in_flight // 3))
        self.stop: EarlyStop | None = None
        self.done = self.failed = 0
        self._replies = 0
        self.answered = 0  # readable answers of this judge
        self._unreadable = UnreadableReplies()
        self._suspects: list[tuple[EngineCall, JudgeAnswer]] = []
        self._last_good = time.monotonic()

    async def run(self, handfuls: Iterator[Sequence[EngineCall]]) -> None:
        """Ask all calls until they are settled or something stops the run. Raises what the store raises."""
        source = CallStream(handfuls, self._book.has_words, self.find_asked_once)
        self.heard()

        async def next_call() -> tuple[EngineCall, bool] | None:
            return None if self.stop else await source.next()

        async def work() -> None:
            while (call := await next_call()) is not None:
                await self._one(*call)

        try:
            # One call first: a wrong key, model or parameter then costs only one call.
            if self._replies == 0 and (first := await next_call()) is not None:
                await self._one(*first)
            async with asyncio.TaskGroup() as group:
                for _ in range(
                    2 * self._entry.in_flight
                ):  # the rate limiter gives the places; a call that waits for a retry holds none
                    group.create_task(work())
        except BaseExceptionGroup as group_error:
            raise group_error.exceptions[0] from None
        await self._clear_suspects(at_the_end=True)

    def set_aside(self, calls: Sequence[EngineCall]) -> int | None:
        """Reserve and return what these calls may cost as a batch; `free` releases it. None if it exceeds the
        budget, and the run stops.
        """
        worst = sum(self.budget.worst_cost(call, 1, batched=True) for call in calls)
        if self.budget.passed_by(worst):
            self._halt_for_budget("batch")
            return None
        self.budget.reserved += worst
        return worst

    def free(self, amount: int) -> None:
        """Release an amount that `set_aside` returned."""
        self.budget.reserved -= amount

    def drifted(self, answer: JudgeAnswer) -> None:
        """Record that the service answered as another model, which stops the run."""
        self.met(drift(answer))

    def is_other_model(self, answer: JudgeAnswer) -> bool:
        """Tell whether the service answered under a name that the judge may not have."""
        nameless = answer.status == "blocked_prompt" and answer.served is None
        return answer.status in REPLIED and not nameless and not self._allowed(answer.served)

    async def accept(self, call: EngineCall, answer: JudgeAnswer) -> None:
        """Keep the answer of a batch to a call. An unreadable answer is kept as a try, and the call stays
        pending.
        """
        answer, verdicts = self._judged(call, answer)
        labels = self._rows.labels(call, answer, verdicts, repair=False)
        attempt = self._rows.attempt(call, answer, 0, False, 0.0, batched=True)
        unknown = attempt.cost_nano is None and may_have_cost(answer)
        self.budget.spent += (
            self.budget.worst_cost(call, 1, batched=True) if unknown else attempt.cost_nano or 0
        )
        self.met(answer)
        await self._book.keep(attempt, labels)
        self._count(answer, labels)

    def heard(self) -> None:
        """Note that the service answers, so that refusals are counted from zero."""
        self._last_good = time.monotonic()

    def halt(self, kind: str, said: str, served: str | None = None) -> None:
        """Stop the run: calls in flight finish, no new one starts. The first reason is kept."""
        self._stop_because(EarlyStop(kind, said, served))

    def find_asked_once(self, calls: Sequence[EngineCall]) -> set[str]:
        """Return the keys of calls that may be asked only once more, because their first reply was
        unreadable.
        """
        return self._book.find_asked_once(self._rows.asked, calls)

    def _stop_because(self, reason: EarlyStop | None) -> None:
        if reason is not None:
            self.stop = self.stop or reason
            self.pace.over.set()

    async def _one(self, call: EngineCall, repair: bool) -> None:
        """Ask until the call has labels or a failure of its own. `repair`: its reply was unreadable, so ask
        only once more.
        """
        silent, number, spell = 0, 0, SPELL[0]
        while self.stop is None:
            answered = await self._try(call, repair, number)
            if answered is None:
                return
            answer, ended = answered
            number += 1
            if ended:
                return
            if answer.status == "quota":  # a hint of zero seconds must not cause a storm of calls
                await self.pace.rest(max(answer.wait or 0.0, spell * random.uniform(0.5, 1.0)))
                spell = min(SPELL[1], spell * SLOWER)
                continue
            if answer.status in UNANSWERED:
                silent += 1
                if (answer.wait or 0.0) > PATIENCE:
                    self._halt_for_silence(answer)
                    return
                if silent >= TRIES or answer.status != "transport":
                    self._suspect(call, answer)
                    return
                await self.pace.rest(max(answer.wait or 0.0, spell * random.uniform(0.5, 1.0)))
                spell = min(SPELL[1], spell * SLOWER)
                continue
            repair = True  # cut off or unreadable: ask once more, with more room

    async def _try(self, call: EngineCall, repair: bool, number: int) -> tuple[JudgeAnswer, bool] | None:
        """Try once and keep the try in the ledger. Return the answer and whether the call is settled; None if
        the run stopped first.
        """
        room = ROOM_OF_A_REPAIR if repair else 1
        ticket = await self.pace.enter(call.tokens)
        reserve: int | None = None
        try:
            if self.stop is not None:
                return None
            reserve = await self._reserve(self.budget.worst_cost(call, room))
            if reserve is None:
                return None
            began = time.monotonic()
            answer = await self._asked(call, room)
            latency = time.monotonic() - began
            answer, verdicts = self._judged(call, answer)
            labels = self._rows.labels(call, answer, verdicts, repair)
            attempt = self._rows.attempt(call, answer, number, repair, latency)
            self.budget.spent += (
                reserve if attempt.cost_nano is None and may_have_cost(answer) else attempt.cost_nano or 0
            )
            self.budget.learn(call, answer, first=not self._replies)
            self.met(answer, ticket)
            await self._book.keep(attempt, labels)
        finally:
            self.budget.reserved -= reserve or 0
            self.pace.leave()
        self._count(answer, labels)
        if answer.status in REPLIED:
            await self._clear_suspects()
        return answer, bool(labels) or self.stop is not None

    async def _reserve(self, worst: int) -> int | None:
        """Reserve what a call may cost. If the budget is short, wait for what calls in flight leave over;
        None if the run stops.
        """
        while self.budget.passed_by(worst):
            if self.budget.reserved == 0:
                self._halt_for_budget("call")
            if self.stop is not None:
                return None
            await self.pace.rest(0.02)
        self.budget.reserved += worst
        return worst

    def _halt_for_budget(self, what: str) -> None:
        self.halt("budget", self.budget.describe_stop(what))

    async def _asked(self, call: EngineCall, room: int) -> JudgeAnswer:
        try:
            # The SDK only limits silence; a server that sends a byte now and then would hold a place for
            # ever.
            async with asyncio.timeout(self._entry.timeout_seconds * 1.25):
                return await self._judge.ask(call.request, room)
        except TimeoutError:
            return JudgeAnswer("transport", detail="no complete reply in time")

    def _judged(self, call: EngineCall, answer: JudgeAnswer) -> tuple[JudgeAnswer, dict[str, Verdict | None]]:
        """Return the answer after checking its model and its text."""
        if self.is_other_model(answer):
            return drift(answer), {}
        if answer.status != OK:
            return answer, {}
        try:
            return answer, call.read(answer.text or "")
        except UnreadableReply as error:
            return with_status(answer, "invalid", str(error)), {}

    def _count(self, answer: JudgeAnswer, labels: Sequence[CallOutcome]) -> None:
        if labels:
            self.done += 1
            self.failed += any(label.status != OK for label in labels)
            self.answered += answer.status == OK

    def met(self, answer: JudgeAnswer, ticket: int | None = None) -> None:
        """Note what an answer says about the service: its pace, its model, its key. `ticket`: None in a
        batch.
        """
        if answer.status in REPLIED:
            self._replies += 1
            self.heard()
            self.pace.answered(ticket, grow=answer.status not in UNREADABLE)
            self._stop_because(self._unreadable.add(answer))
        elif answer.status == "quota":
            self.pace.refused(answer.wait, ticket)
            if (
                answer.exhausted
                or (answer.wait or 0) > PATIENCE
                or time.monotonic() - self._last_good > PATIENCE
            ):
                self.halt(
                    "quota",
                    "The service's quota is used up. Answers so far are kept; start again when there is "
                    "quota.",
                )
        elif answer.status == "drift":
            self.halt(
                "drift",
                f"The server answered as {answer.served or 'a model without a name'}, not as "
                f"{self._entry.model}. "
                "Its answers are not used for this judge.",
                answer.served or "",
            )
        elif answer.status in STOPPING:
            self.halt(answer.status, explain_stop(self._entry, answer))

    def _suspect(self, call: EngineCall, answer: JudgeAnswer) -> None:
        """Decide whose fault an unanswered call is: its own if others are answered, the service's if none
        is.
        """
        self._suspects.append((call, answer))
        if len(self._suspects) >= (MISSES if answer.status == "not_recorded" else SUSPECTS):
            self._halt_for_silence(answer)

    def _halt_for_silence(self, answer: JudgeAnswer) -> None:
        kind, said, advice = UNANSWERED[answer.status]
        self.halt(
            kind,
            f"{said}{f' ({answer.detail})' if answer.detail else ''}. {advice} Answers so far are kept; the "
            "rest is pending.",
        )

    async def _clear_suspects(self, at_the_end: bool = False) -> None:
        """Settle unanswered calls as their own failures, because others were answered."""
        if at_the_end and self._suspects and not self._replies:
            self._halt_for_silence(self._suspects[-1][1])
        if self.stop is not None and (
            at_the_end or self.stop.kind in {kind for kind, *_ in UNANSWERED.values()}
        ):  # nothing proves whose fault it is, so they stay pending
            return
        taken, self._suspects = self._suspects, []
        for call, answer in taken:
            self.done, self.failed = self.done + 1, self.failed + 1
            await self._book.keep(None, self._rows.failures(call, answer))
