"""A run of requests from beginning to end: the estimate, the questions, and the sentence at the end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

from data.record import conversations, requests
from data.schema.vocabulary import AttemptPurpose
from data.store.locks import only_one
from data.store.store import Store
from runs.asking.engine import Engine
from runs.asking.ledger_writer import LedgerWriter
from runs.judging.run import LOCK
from runs.requests.request_rows import RequestCall, RequestRows
from runs.requests.request_setup import RequestSetup
from scoring.judges.open_client import open_judge_client
from words.plurals import count

ANSWER_TOKENS = 120  # per short answer with reasons, until the model has answered
HANDFUL = 64
ACTION = "ask a model"  # in the trail
REPORT_EVERY = 0.5  # seconds
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class RequestOutcome:
    """`outcome`: finished, or what stopped the run. `settled`: requests that were answered or failed for
    good; `failed` of them failed.
    """

    outcome: str
    sentence: str
    settled: int
    failed: int
    cost_nano: int

    @property
    def is_finished(self) -> bool:
        return self.outcome == "finished"


def estimate(setup: RequestSetup, calls: Sequence[RequestCall], answer_tokens: int = ANSWER_TOKENS) -> str:
    """Return what the calls would take: "12 calls, about 3,400 tokens sent and 600 written: about 0.02 USD
    by the price list of 2026-03-23."

    Without a price it says so; for a replay it says that nothing is asked or paid.
    """
    if setup.entry.is_replay:
        return (
            f"{len(calls):,} questions will be looked up in the recorded answers. No model is asked, and it "
            "costs nothing."
        )
    sent, written, price = sum(call.tokens for call in calls), len(calls) * answer_tokens, setup.entry.price
    cost = (
        f"about {price.nano(sent, written) / 1e9:,.2f} {price.currency} by the price list of {price.date}"
        if price
        else "no price is known for this model"
    )
    return f"{len(calls):,} calls, about {sent:,} tokens sent and {written:,} written: {cost}."


def spent_before(setup: RequestSetup, purpose: AttemptPurpose) -> str:
    """Return "Spent so far: 1.20 USD, 0.30 EUR." for such requests about this study; "" if none has a known
    cost.
    """
    with setup.store.reading() as connection:
        costs = requests.costs(connection, setup.study.id, purpose)
    amounts = [f"{nano / 1e9:,.2f} {currency}" for currency, nano in costs.costs.items()]
    return f"Spent so far: {', '.join(amounts)}." if amounts else ""


def ask_requests(
    setup: RequestSetup,
    calls: Sequence[RequestCall],
    actor: str,
    budget_nano: int | None = None,
    progress: Progress | None = None,
) -> RequestOutcome:
    """Ask until everything is answered or something stops the run; answers are kept.

    In the main thread, Ctrl+C finishes the calls in flight and stops. `progress(settled, all)`. Raises
    JudgeUnusable, LockTaken if another process asks with this store, StoreError.
    """
    setup.check(budget_nano)
    busy = "Another run that asks a model is using this store; start again when it has ended"
    with only_one(setup.store.path, LOCK, busy):
        with setup.store.writing(actor, ACTION, setup.study.id) as (connection, entry):
            model_id = requests.register_model(connection, entry, setup.name, setup.identity, setup.sha256)
        with contextlib.closing(asyncio.new_event_loop()) as loop:
            return loop.run_until_complete(_ask(setup, calls, model_id, actor, budget_nano, progress))


async def _ask(
    setup: RequestSetup,
    calls: Sequence[RequestCall],
    model_id: int,
    actor: str,
    budget_nano: int | None,
    progress: Progress | None,
) -> RequestOutcome:
    client = open_judge_client(setup.catalogue, setup.name)
    engine = Engine(
        client,
        setup.entry,
        LedgerWriter(setup.store, setup.study.id, actor, ACTION),
        RequestRows(model_id, setup.entry, client.adapter),
        setup.may_answer_as,
        budget_nano,
    )
    reporting = asyncio.create_task(_report(engine, len(calls), progress))
    try:
        with _stopped_by_ctrl_c(engine):
            await engine.run(_handfuls(setup.store, calls))
    finally:
        reporting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reporting
        await client.close()
    return _outcome(engine, len(calls))


def _handfuls(store: Store, calls: Sequence[RequestCall]) -> Iterator[Sequence[RequestCall]]:
    """Yield the calls without those whose words were erased since they were made."""
    for start in range(0, len(calls), HANDFUL):
        handful = calls[start : start + HANDFUL]
        with store.reading() as connection:
            gone = conversations.find_erased(connection, {call.conversation_id for call in handful})
        if left := [call for call in handful if call.conversation_id not in gone]:
            yield left


def _outcome(engine: Engine, total: int) -> RequestOutcome:
    failures = count(engine.failed, "failure", "failures") if engine.failed else "no failures"
    sentence = f"{engine.done:,} of {count(total, 'question', 'questions')} answered or failed, {failures}."
    kind = "finished"
    if engine.stop is not None:
        kind, sentence = engine.stop.kind, f"{engine.stop.said} {sentence}"
    return RequestOutcome(kind, sentence, engine.done, engine.failed, engine.budget.spent)


async def _report(engine: Engine, total: int, progress: Progress | None) -> None:
    while progress is not None:
        progress(engine.done, total)
        await asyncio.sleep(REPORT_EVERY)


@contextlib.contextmanager
def _stopped_by_ctrl_c(engine: Engine) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()

    def stop(_number: int, _frame: FrameType | None) -> None:
        sentence = "Cancelled. Calls in flight were finished and kept."
        loop.call_soon_threadsafe(engine.halt, "cancelled", sentence)

    handlers = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
