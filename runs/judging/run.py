"""A judge run from beginning to end: its phases, and the sentence at its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from data.record import judge_runs, judgements, ledger, ledger_totals, units
from data.record.judge_runs import From, JudgeRunOptions, JudgeRunProgress
from data.record.ledger import LedgerLabel, is_of_judge
from data.schema.vocabulary import JudgementOrigin
from data.store.errors import StoreError
from data.store.locks import only_one
from data.store.trail import now
from runs.asking.engine import Engine
from runs.asking.ledger_writer import LedgerWriter
from runs.judging import replicates
from runs.judging.batch import Batches
from runs.judging.ledger_rows import LedgerRows
from runs.judging.pending import PendingCalls, calls_about, first_labels
from runs.judging.phases import first_phase
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.open_client import open_judge_client
from scoring.judges.server_words import name
from words.plurals import count

REPORT_EVERY = 0.5  # seconds between progress reports
LOCK = "judging"

# After these stops the same command continues; after the others something has to be changed first.
RESUMABLE_STOPS = {"cancelled", "budget", "quota", "unreachable", "put_down"}


@dataclass(frozen=True)
class RunOutcome:
    """`outcome`: finished, cancelled, or what stopped the run. `done`: calls that were answered or failed for
    good; `failed` of them failed.
    """

    run_id: int
    outcome: str
    said: str
    done: int
    failed: int
    served: str | None = None

    @property
    def good(self) -> bool:
        return self.outcome == "finished"


def judge_study(
    setting: RunConfiguration,
    options: JudgeRunOptions,
    actor: str,
    asked_from: From = "command line",
    run_id: int | None = None,
    served: str | None = None,
    on_stop: Callable[[], None] | None = None,
) -> RunOutcome:
    """Run until everything is answered or something stops the run; run it again to continue.

    Args:
        run_id: a run that was requested before.
        served: a name under which the server may answer, confirmed by the actor.
        on_stop: in the main thread, Ctrl+C cancels the run; with `on_stop`, Ctrl+C and SIGTERM suspend it
            instead.

    Raises:
        LockTaken: another process judges with this store.
        JudgeUnusable, StoreError: the run can't start or continue.
    """
    with only_one(
        setting.store.path,
        LOCK,
        "Another judge run is using this store; start again when it has ended",
    ):
        setting.check(options)
        run = _Run(setting, options, actor, asked_from, run_id, served)
        try:
            with contextlib.closing(asyncio.new_event_loop()) as loop:
                return loop.run_until_complete(run.judge(on_stop))
        finally:
            run.restore_signals()


class _Run:
    def __init__(
        self,
        setting: RunConfiguration,
        options: JudgeRunOptions,
        actor: str,
        asked_from: From,
        run_id: int | None,
        served: str | None,
    ) -> None:
        self._setting, self._options, self._actor = setting, options, actor
        self._store, self._study, self._caller = setting.store, setting.study, setting.caller
        self._digest = setting.identity().digest()
        self._asked_from = asked_from
        self._handlers: dict[int, Any] = {}
        self._adopted = self._erased = 0
        self._total = 0
        with self._store.writing(actor, "start judge run", self._study.id) as (connection, entry):
            self._id = run_id or judge_runs.ask(
                connection, entry, self._study.id, setting.name, asked_from, options
            )
            self._judge_id = judgements.register(connection, entry, self._study.id, setting.identity())
            ledger.keep_prompt(
                connection,
                entry,
                setting.prompt.file.key,
                setting.prompt.file.version,
                setting.prompt.body,
                setting.prompt.sha256,
            )
            judge_runs.note(connection, entry, self._id, "started", self._judge_id)
            before = set(ledger.answered_as(connection, self._judge_id))
            if served is not None:
                self._refuse_another_name(served, before)
                judge_runs.note(connection, entry, self._id, "served", self._judge_id, name=served)
            confirmed = judge_runs.served_names(connection, self._judge_id)
            self._confirmed_names = {
                confirmation for confirmation in confirmed if not before or name(confirmation) in before
            }  # names confirmed in any study at any time
            self._all_units = units.ids(connection, self._study.id)
            self._unit_ids = self._all_units[: options.limit]
            self._answered_before = ledger.answered(connection, is_of_judge(self._judge_id))

    @property
    def _served_names(self) -> set[str]:
        """Return the names under which the model may answer, in the stored spelling."""
        return {
            name(one) or ""
            for one in (self._setting.asked_as.model, *self._setting.entry.served_as, *self._confirmed_names)
        }

    def _refuse_another_name(self, served: str, before: set[str]) -> None:
        if before and name(served) not in before:
            raise JudgeUnusable(
                f"{self._setting.name} has answered as {', '.join(sorted(before))}, so {served} is another "
                "model and another judge. "
                "Give it an entry of its own in models.yaml."
            )

    async def judge(self, on_stop: Callable[[], None] | None) -> RunOutcome:
        entry = self._setting.entry
        if not self._setting.permitted:
            return self._record_end("not_sent_policy", self._setting.refusal())
        try:
            judge = open_judge_client(self._setting.catalogue, self._setting.name)
        except JudgeUnusable as error:
            return self._record_end("unusable", str(error))
        self._judge = judge
        writer = LedgerWriter(self._store, self._study.id, self._actor, "judge", self._id)
        rows = LedgerRows(self._id, self._judge_id, entry, judge.adapter)
        self._engine = Engine(judge, entry, writer, rows, self._may_answer_as, self._options.budget_nano)
        # A resumed run has done and spent something already.
        with self._store.reading() as connection:
            self._engine.budget.spent = ledger_totals.totals(connection, run_id=self._id).cost_nano
            self._engine.done, self._engine.failed = ledger.settled(
                connection, self._judge_id, self._id, JudgementOrigin.RUN, self._asks_whole_units
            )
            self._adopted, _ = ledger.settled(
                connection, self._judge_id, self._id, JudgementOrigin.LEDGER, self._asks_whole_units
            )
        self._handle_signals(on_stop)
        reporting = asyncio.create_task(self._keep_reporting())
        try:
            self._check_cancelled()  # it may have been cancelled before it began
            await self._run_phases()
        finally:
            reporting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reporting
            with contextlib.suppress(StoreError):
                self._report_progress("")
            await judge.close()
        return self._conclude()

    def _may_answer_as(self, served: str | None) -> bool:
        entry = self._setting.entry
        return entry.is_replay or (served or "") in self._served_names

    async def _run_phases(self) -> None:
        phase = first_phase(self._store, self._study.id, self._unit_ids, self._caller, self._options)
        first = phase.pending(self._store, self._caller, self._judge_id, self._options.retry_failures)
        self._total = self._engine.done + self._adopted + await asyncio.to_thread(first.count)
        batches = Batches(
            self._store,
            self._study.id,
            self._actor,
            self._id,
            self._judge_id,
            self._judge,
            self._setting.entry,
            self._engine,
            lambda: first.calls(self._adopt),
            lambda pairs: calls_about(self._store, self._caller, pairs),
        )
        await batches.run(self._options.batch, self._answered_before)
        await self._ask(first)
        self._erased = len({unit for unit, _ in first.erased})
        self._total -= sum(first.erased.values())
        while phase.in_rounds(self._caller) and self._engine.stop is None:
            following = phase.pending(self._store, self._caller, self._judge_id, retry_failures=False)
            self._total += (calls := await asyncio.to_thread(following.count))
            await self._ask(following)
            self._total -= (erased := sum(following.erased.values()))
            if calls == erased:  # nothing is left to ask
                break
        draws = (self._draw_random_replicates, self._draw_safety_replicates)
        for draw in draws if self._options.replicates > 1 else ():
            if self._engine.stop is None:
                repeated = await asyncio.to_thread(draw)
                self._total += repeated.count()
                await self._ask(repeated)

    async def _ask(self, pending: PendingCalls) -> None:
        if self._engine.stop is not None:
            return
        await self._engine.run(pending.handfuls(self._adopt))
        # If a request occurred twice, the ledger holds its answer by now.
        if pending.twice and self._engine.stop is None:
            await self._engine.run(pending.leftover().handfuls(self._adopt))

    def _adopt(self, labels: list[LedgerLabel]) -> None:
        """Use this judge's earlier answer to the very same request, and send nothing."""
        with self._store.writing(self._actor, "judge", self._study.id, run=self._id) as (connection, entry):
            ledger.write(connection, entry, self._study.id, [], labels, self._id, JudgementOrigin.LEDGER)
        self._adopted += (
            len({(label.unit_id, label.anchor_round, label.replicate) for label in labels})
            if self._asks_whole_units
            else len(labels)
        )

    @property
    def _asks_whole_units(self) -> bool:
        return self._setting.asked_as.batching == "trial"

    def _draw_random_replicates(self) -> PendingCalls:
        """Draw from all units of the study, so that runs with different limits and shares draw parts of one
        random order.
        """
        drawn = replicates.random_units(self._digest, self._all_units, self._options.share)
        chosen = sorted(set(drawn) & set(self._unit_ids))
        with self._store.reading() as connection:
            pairs = [
                (unit.id, c.id)
                for start in range(0, len(chosen), 500)
                for unit in units.by_ids(connection, chosen[start : start + 500])
                for c in self._caller.asked(unit)
            ]
        return self._repeat_calls("random", pairs)

    def _draw_safety_replicates(self) -> PendingCalls:
        labels = first_labels(self._store, self._study.id, self._judge_id, self._unit_ids)
        return self._repeat_calls(
            "safety", replicates.safety_labels(self._digest, self._study.instrument, labels)
        )

    def _repeat_calls(self, arm: str, drawn: list[tuple[int, str]]) -> PendingCalls:
        """Return the calls that repeat these. A question without a first label is not repeated, because there
        is nothing to compare.
        """
        with self._store.writing(self._actor, "draw replicates", self._study.id) as (connection, entry):
            ledger.keep_replicated(connection, entry, self._judge_id, arm, self._options.replicates, drawn)
        unit_ids = sorted({unit for unit, _ in drawn})
        chosen = set(drawn) & set(first_labels(self._store, self._study.id, self._judge_id, unit_ids))
        return PendingCalls(
            self._store,
            self._caller,
            self._judge_id,
            unit_ids,
            list(range(1, self._options.replicates)),
            self._options.retry_failures,
            lambda unit: [c for c in self._caller.asked(unit) if (unit.id, c.id) in chosen],
        )

    def _handle_signals(self, on_stop: Callable[[], None] | None) -> None:
        """Handle signals in the process, not the event loop, so that none is lost at the end of a run."""
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()

        def put_down() -> None:
            self._engine.halt("put_down", "The program was stopped. Calls in flight were finished and kept.")

        def handler(act: Callable[[], None]) -> Callable[[int, object], None]:
            def handle(_number: int, _frame: object) -> None:
                if on_stop:
                    on_stop()
                with contextlib.suppress(RuntimeError):  # the loop is over
                    loop.call_soon_threadsafe(act)

            return handle

        for number, act in (
            (signal.SIGTERM, put_down),
            (signal.SIGINT, put_down if on_stop else self._cancel_run),
        ):
            self._handlers[number] = signal.signal(number, handler(act))

    def restore_signals(self) -> None:
        for number, before in self._handlers.items():
            signal.signal(number, before)

    def _cancel_run(self) -> None:
        self._engine.halt("cancelled", "Cancelled. Calls in flight were finished and kept.")

    async def _keep_reporting(self) -> None:
        while True:
            await asyncio.sleep(REPORT_EVERY)
            with contextlib.suppress(StoreError):  # the progress can be reported next time
                self._check_cancelled()

    def _check_cancelled(self) -> None:
        if self._report_progress("") and self._engine.stop is None:
            self._cancel_run()

    def _report_progress(self, note: str) -> bool:
        """Record the progress; return whether somebody cancelled the run."""
        pace, calls_done = self._engine.pace, self._engine.done + self._adopted
        with self._store.writing(self._actor, "beat") as (connection, _):
            judge_runs.put_progress(
                connection,
                self._id,
                JudgeRunProgress(
                    os.getpid(),
                    now(),
                    calls_done,
                    max(self._total, calls_done),
                    pace.in_flight,
                    pace.at_once,
                    note,
                ),
            )
            if self._asked_from == "page":  # then the worker does it
                judge_runs.put_worker_beat(connection)
            return judge_runs.cancelled(connection, self._id)

    def _conclude(self) -> RunOutcome:
        stop = self._engine.stop
        if stop is None:
            failed = self._engine.failed
            failures = count(failed, "failure", "failures") if failed else "no failures"
            sentence = (
                f"{self._engine.done + self._adopted:,} of {self._total:,} calls, {failures}."
                if self._total
                else "Everything that this judge may be asked has an answer, so nothing was asked."
            )
            sentence += f" {self._adopted:,} were answered before and cost nothing." if self._adopted else ""
            if self._erased:
                sentence += f" Erased and not sent: {self._study.noun.count(self._erased)}."
            return self._record_end("finished", sentence)
        if stop.kind == "put_down":  # not ended: the next start of the program resumes it
            return RunOutcome(self._id, stop.kind, stop.said, self._engine.done, self._engine.failed)
        if stop.kind == "drift" and not self._answered_before and not self._engine.answered:
            return self._record_end(
                "unconfirmed",
                f"The server answers as {stop.served or 'a model without a name'}, which models.yaml does "
                "not list for "
                f"{self._setting.name}. If that is the model you mean, confirm it. None of its answers are "
                "used yet.",
                stop.served,
            )
        return self._record_end(stop.kind, stop.said, stop.served)

    def _record_end(self, outcome: str, sentence: str, served: str | None = None) -> RunOutcome:
        engine = getattr(self, "_engine", None)
        finished = RunOutcome(
            self._id,
            outcome,
            sentence,
            (engine.done if engine else 0) + self._adopted,
            engine.failed if engine else 0,
            served,
        )
        with self._store.writing(self._actor, "end judge run", self._study.id) as (connection, entry):
            judge_runs.note(
                connection,
                entry,
                self._id,
                "ended",
                self._judge_id,
                outcome=outcome,
                said=sentence,
                done=finished.done,
                failed=finished.failed,
                total=self._total,
                **({"served": served} if served is not None else {}),
            )
        return finished
