"""What stops a run leaves the rest pending: no unit is given a failure for it, and the same run again
finishes the work.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from data import schema
from data.record import judge_runs
from data.record.judge_runs import JudgeRunOptions
from data.store.errors import StoreError
from runs.asking import engine
from runs.judging import judge_study, run
from tests.servers.judging import CALLS, Lead, about, after, only
from tests.servers.model_server import MODEL, Reply, Seen, as_json, error, gemini, too_many, valid_text, well
from tests.studies import importing

pytestmark = pytest.mark.slow

KEY_INVALID = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
PRICE = {"date": "2026-11-01", "currency": "USD", "input": "1", "output": "10"}


def other(seen: Seen) -> Reply:
    return gemini(valid_text(seen.schema), model="gemini-3.9-flash")


STOPS: dict[str, tuple[Callable[[Seen], Reply], str, str]] = {
    "wrong key": (
        lambda _: error(401, "UNAUTHENTICATED"),
        "refused_key",
        "did not accept the key (401 UNAUTHENTICATED). Check the variable TEST_JUDGE_KEY.",
    ),
    "invalid key": (
        lambda _: error(400, "INVALID_ARGUMENT", details=KEY_INVALID),
        "refused_key",
        "did not accept the key",
    ),
    "gone": (
        lambda _: error(404, "NOT_FOUND"),
        "gone",
        f"has no model {MODEL} (404 NOT_FOUND). Name another one in models.yaml",
    ),
    "quota": (lambda _: too_many(day=True), "quota", "quota is used up"),
    "very long wait": (lambda _: too_many(3600), "quota", "quota is used up"),
    "bad request": (
        lambda _: error(400, "INVALID_ARGUMENT"),
        "rejected",
        "did not accept the requests (400 INVALID_ARGUMENT)",
    ),
    "down": (lambda _: error(503, "UNAVAILABLE"), "unreachable", "could not be reached (503 UNAVAILABLE)"),
    "something else answers": (
        lambda _: Reply(200, b"<html>Sign in</html>"),
        "unreachable",
        "could not be reached",
    ),
}


@pytest.mark.parametrize("well_before", [0, 4])
@pytest.mark.parametrize("what", STOPS)
def test_a_hard_stop_decides_nothing_about_any_unit(lead: Lead, what: str, well_before: int) -> None:
    reply, outcome, sentence = STOPS[what]
    finished = lead.judge(after(well_before, reply), in_flight=1)
    assert (finished.outcome, finished.done, finished.failed) == (outcome, well_before, 0)
    assert sentence in finished.said
    assert lead.statuses() == ({"ok": well_before} if well_before else {})
    assert (lead.run(finished.run_id).outcome, lead.run(finished.run_id).said) == (outcome, finished.said)
    assert (lead.judge(well).done, lead.statuses()) == (CALLS - well_before, {"ok": CALLS})


@pytest.mark.parametrize("what", ["wrong key", "gone", "quota", "very long wait"])
def test_what_stops_everybody_costs_one_request(lead: Lead, what: str) -> None:
    lead.judge(STOPS[what][0], in_flight=32)
    assert len(lead.server.requests) == 1


@pytest.mark.parametrize("what", STOPS)
def test_with_many_in_flight_a_stop_from_the_beginning_decides_nothing_either(lead: Lead, what: str) -> None:
    assert lead.judge(STOPS[what][0], in_flight=32).outcome == STOPS[what][1]
    assert lead.statuses() == {}


def test_a_stop_leaves_a_call_that_got_no_answer_before_it_pending(lead: Lead) -> None:
    down = only(2, "warm", lambda _: error(500, "INTERNAL"), after(5, lambda _: too_many(day=True)))
    lead.judge(down, in_flight=1)
    tries = lead.tries()
    assert tries["transport"] >= 1 and tries["ok"] >= 1 and tries["quota"] == 1
    assert lead.statuses() == {"ok": tries["ok"]}


def test_a_single_call_that_nobody_answers_is_not_decided(lead: Lead) -> None:
    finished = lead.judge(lambda _: error(400, "INVALID_ARGUMENT"), JudgeRunOptions(limit=1))
    assert (finished.outcome, finished.said) == (
        "rejected",
        "The service did not accept the requests (400 INVALID_ARGUMENT). Check the model and its parameters "
        "in models.yaml. "
        "Answers so far are kept; the rest is pending.",
    )
    assert lead.statuses() == {}


def test_a_server_that_is_not_there_is_unreachable(lead: Lead) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    finished = lead.judge(base_url=f"http://127.0.0.1:{port}")
    assert (finished.outcome, finished.said) == (
        "unreachable",
        "The service could not be reached (ConnectError). Start again when it is back. Answers so far are kept; the rest is pending.",
    )
    assert lead.statuses() == {}


def test_a_server_that_hangs_is_given_up(lead: Lead) -> None:
    finished = lead.judge(lambda _: Reply(hang=True), timeout_seconds=0.1, in_flight=3)
    assert (finished.outcome, lead.statuses()) == ("unreachable", {})


def test_a_server_that_drips_holds_a_place_no_longer_than_the_limit(lead: Lead) -> None:
    finished = lead.judge(lambda _: Reply(200, b" " * 1000, drip=0.02), timeout_seconds=0.5, in_flight=3)
    assert (finished.outcome, lead.statuses()) == ("unreachable", {})
    assert {row.detail for row in lead.rows(schema.attempt)} == {"no complete reply in time"}


# ---- the model that answers ----


def test_another_model_on_the_first_call_waits_for_a_person(lead: Lead) -> None:
    finished = lead.judge(other)
    assert (finished.outcome, finished.served, finished.done) == ("unconfirmed", "gemini-3.9-flash", 0)
    assert (
        "The server answers as gemini-3.9-flash, which models.yaml does not list for cloud." in finished.said
    )
    assert (len(lead.server.requests), lead.statuses()) == (1, {})


def test_a_name_that_was_confirmed_goes_on_and_is_remembered(lead: Lead) -> None:
    lead.judge(other)
    assert lead.judge(other, JudgeRunOptions(limit=1), served="gemini-3.9-flash").outcome == "finished"
    assert (lead.judge(other).outcome, lead.statuses()) == ("finished", {"ok": CALLS})
    with lead.store.reading() as connection:
        assert judge_runs.served_names(connection, 1) == {"gemini-3.9-flash"}


def test_a_name_that_models_yaml_lists_needs_no_confirmation(lead: Lead) -> None:
    assert lead.judge(other, served_as=["gemini-3.9-flash"]).outcome == "finished"


def test_another_model_in_the_middle_stops_the_run_and_nothing_of_it_is_taken(lead: Lead) -> None:
    finished = lead.judge(after(4, other), in_flight=1)
    assert (finished.outcome, finished.served) == ("drift", "gemini-3.9-flash")
    assert f"The server answered as gemini-3.9-flash, not as {MODEL}." in finished.said
    assert (len(lead.server.requests), lead.statuses(), lead.tries()) == (5, {"ok": 4}, {"ok": 4, "drift": 1})


@pytest.mark.parametrize(
    "counts", [True, False], ids=["a server that counts tokens", "a server that does not"]
)
def test_another_model_than_in_an_earlier_run_is_a_drift_and_not_a_question(lead: Lead, counts: bool) -> None:
    def plain(seen: Seen) -> Reply:
        body = json.loads(well(seen).body)
        return as_json(
            body if counts else {name: value for name, value in body.items() if name != "usageMetadata"}
        )

    lead.judge(plain, JudgeRunOptions(limit=1))
    assert lead.statuses() == {"ok": 2}
    assert lead.judge(other).outcome == "drift"


def test_a_conversation_in_signs_of_many_bytes_passes_no_budget_either(lead: Lead) -> None:
    """Every sign of it counts as a token, which English words do not."""
    path = lead.folder / "more.jsonl"
    path.write_text(
        json.dumps(
            {
                "id": "long",
                "turns": [{"user": "conversation 9. " + "\u4f60" * 4000, "assistant": "\u597d" * 4000}] * 2,
            }
        ),
        encoding="utf-8",
    )
    importing.import_conversations(lead.store, "small", path, "tests")

    def counted(seen: Seen) -> Reply:
        tokens = len(seen.prompt) // 4 + seen.prompt.count("\u4f60") + seen.prompt.count("\u597d")
        return gemini(
            valid_text(seen.schema),
            usage={"promptTokenCount": tokens, "candidatesTokenCount": 10, "totalTokenCount": tokens + 10},
        )

    budget = 18_000_000  # enough for the English ones, and less than one of the others costs
    finished = lead.judge(
        counted, JudgeRunOptions(budget_nano=budget), price={**PRICE, "output": "0"}, in_flight=1
    )
    assert (finished.outcome, finished.done) == ("budget", CALLS)
    assert lead.totals(finished.run_id).cost_nano <= budget


@pytest.mark.parametrize(
    "reply",
    [
        lambda text: gemini(text, "MAX_TOKENS", model="m2"),
        lambda _: gemini(None, "SAFETY", model="m2"),
        lambda _: gemini("no JSON", model="m2"),
        lambda text: gemini(text, model=None),
    ],
)
def test_any_reply_of_another_model_stops_the_run(lead: Lead, reply: Callable[[str], Reply]) -> None:
    assert lead.judge(after(4, lambda seen: reply(valid_text(seen.schema))), in_flight=1).outcome == "drift"
    assert lead.statuses() == {"ok": 4}


# ---- money ----


@pytest.mark.parametrize("in_flight", [1, 32])
@pytest.mark.parametrize("calls", [0, 1, 3, 7])
def test_a_budget_is_never_passed(lead: Lead, calls: int, in_flight: int) -> None:
    call_cost = 1000 * 1000 + 150 * 10_000  # what the server says that a call took
    finished = lead.judge(
        options=JudgeRunOptions(budget_nano=calls * call_cost + call_cost - 1),
        price=PRICE,
        in_flight=in_flight,
    )
    assert finished.outcome == "budget"
    assert finished.said == (
        f"The next call would exceed the budget of this run: {finished.done * call_cost / 1e9:.4f} of "
        f"{(calls * call_cost + call_cost - 1) / 1e9:.4f} USD is spent."
    )
    assert lead.totals(finished.run_id).cost_nano <= calls * call_cost + call_cost - 1
    assert lead.statuses() == ({"ok": finished.done} if finished.done else {})
    assert lead.judge().done == CALLS - finished.done


@pytest.mark.parametrize("in_flight", [1, 32])
def test_what_is_in_flight_does_not_use_up_a_budget_that_is_enough(lead: Lead, in_flight: int) -> None:
    call_cost = 1000 * 1000 + 150 * 10_000
    # Enough for all, and far less than all may cost at most together.
    budget = CALLS * call_cost + 256 * 10_000
    assert (
        lead.judge(options=JudgeRunOptions(budget_nano=budget), price=PRICE, in_flight=in_flight).outcome
        == "finished"
    )


def test_a_budget_of_nothing_sends_nothing(lead: Lead) -> None:
    assert lead.judge(options=JudgeRunOptions(budget_nano=0), price=PRICE).outcome == "budget"
    assert lead.server.requests == []


def test_a_budget_that_is_enough_is_no_limit(lead: Lead) -> None:
    assert lead.judge(options=JudgeRunOptions(budget_nano=10**9), price=PRICE).outcome == "finished"


# ---- people ----


def asked_for(lead: Lead) -> int:
    with lead.store.writing("lead", "ask", lead.small.study.id) as (connection, entry):
        return judge_runs.ask(connection, entry, lead.small.study.id, "cloud", "page", JudgeRunOptions())


def cancel(lead: Lead, run_id: int) -> None:
    with lead.store.writing("lead", "cancel", lead.small.study.id) as (connection, entry):
        judge_runs.note(connection, entry, run_id, "cancel")


def test_a_run_that_is_cancelled_keeps_what_was_in_flight(lead: Lead) -> None:
    run_id = asked_for(lead)

    def cancelled_meanwhile(seen: Seen) -> Reply:
        if seen.number == 3:
            cancel(lead, run_id)
        reply = well(seen)
        reply.after = 1.0 if seen.number == 3 else 0.0
        return reply

    finished = lead.judge(cancelled_meanwhile, run_id=run_id, in_flight=1)
    assert (finished.outcome, finished.said) == (
        "cancelled",
        "Cancelled. Calls in flight were finished and kept.",
    )
    assert (len(lead.server.requests), lead.statuses()) == (3, {"ok": 3})
    assert (lead.run(run_id).state, lead.run(run_id).cancelled) == ("ended", True)
    assert lead.judge(well).done == CALLS - 3


def test_a_run_that_was_cancelled_before_it_began_sends_nothing(lead: Lead) -> None:
    run_id = asked_for(lead)
    cancel(lead, run_id)
    assert lead.judge(run_id=run_id).outcome == "cancelled"
    assert lead.server.requests == []


def test_what_a_run_spent_before_it_was_broken_off_counts_against_its_budget(lead: Lead) -> None:
    call_cost = 1000 * 1000 + 150 * 10_000
    budget = JudgeRunOptions(budget_nano=7 * call_cost)
    run_id = asked_for(lead)
    lead.judge(after(4, lambda _: too_many(day=True)), budget, price=PRICE, in_flight=1, run_id=run_id)
    finished = lead.judge(well, budget, price=PRICE, in_flight=1, run_id=run_id)
    assert finished.outcome == "budget" and 5 * call_cost <= lead.totals(run_id).cost_nano <= 7 * call_cost


def test_a_stop_in_the_last_moment_of_a_run_is_heard(lead: Lead, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the loop has nothing left to do, nobody would ask it for its signals."""
    stopped, note = threading.Event(), judge_runs.note

    def last(connection: Any, entry: Any, run_id: int, kind: str, *more: Any, **detail: Any) -> None:
        if kind == "ended":
            os.kill(os.getpid(), signal.SIGTERM)
        note(connection, entry, run_id, kind, *more, **detail)

    monkeypatch.setattr(judge_runs, "note", last)
    before = signal.getsignal(signal.SIGTERM)
    assert (
        judge_study(lead.setting(), JudgeRunOptions(), "worker", "page", on_stop=stopped.set).outcome
        == "finished"
    )
    assert stopped.is_set() and signal.getsignal(signal.SIGTERM) is before


def test_an_answer_without_a_count_of_tokens_is_taken_for_the_dearest(lead: Lead) -> None:
    def uncounted(seen: Seen) -> Reply:
        reply = json.loads(well(seen).body)
        del reply["usageMetadata"]
        return as_json(reply)

    finished = lead.judge(uncounted, JudgeRunOptions(budget_nano=3 * 256 * 10_000), price=PRICE, in_flight=1)
    assert finished.outcome == "budget" and len(lead.server.requests) <= 3


def test_a_refusal_that_costs_nothing_uses_up_no_budget(lead: Lead) -> None:
    call_cost = 1000 * 1000 + 150 * 10_000
    trouble = iter([error(503, "UNAVAILABLE")] * 6)
    finished = lead.judge(
        lambda seen: next(trouble, None) or well(seen),
        JudgeRunOptions(budget_nano=CALLS * call_cost + 256 * 10_000),
        price=PRICE,
        in_flight=1,
    )
    assert finished.outcome == "finished"


@pytest.mark.parametrize("refusal", [too_many(1.2), error(503, "UNAVAILABLE", retry_after="1.2")])
def test_a_call_is_not_tried_again_before_the_server_allows_it(lead: Lead, refusal: Reply) -> None:
    refusals, at = iter([refusal]), []

    def behave(seen: Seen) -> Reply:
        at.append((about(seen), time.monotonic()))
        return (next(refusals, None) if len(at) == 5 else None) or well(seen)

    lead.judge(behave, in_flight=1)
    refused, when = at[4]
    assert next(moment - when for place, moment in at[5:] if place == refused) >= 1.19


def test_a_server_that_is_away_for_a_day_ends_the_run_and_does_not_hold_it(lead: Lead) -> None:
    finished = lead.judge(lambda _: error(503, "UNAVAILABLE", retry_after="86400"))
    assert (finished.outcome, len(lead.server.requests), lead.statuses()) == ("unreachable", 1, {})


def test_a_hint_of_no_time_at_all_makes_no_storm(lead: Lead, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SPELL", (0.25, 8.0))
    over = threading.Timer(2.0, lambda: setattr(lead.server, "behave", well))
    over.start()
    lead.judge(lambda _: too_many(0), in_flight=1)
    assert len(lead.server.requests) <= CALLS + 6


def test_a_beat_that_cannot_be_written_neither_ends_a_run_nor_makes_it_deaf(
    lead: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "REPORT_EVERY", 0.05)
    beats, put = iter([StoreError("in use")] * 2), judge_runs.put_progress

    def now_and_then(*given: Any) -> None:
        fault = next(beats, None) if lead.server.requests else None
        if fault is not None:
            raise fault
        put(*given)

    monkeypatch.setattr(judge_runs, "put_progress", now_and_then)
    run_id = asked_for(lead)

    def behave(seen: Seen) -> Reply:
        reply = well(seen)
        reply.after = 0.1
        if seen.number == 4:
            cancel(lead, run_id)
        return reply

    assert lead.judge(behave, run_id=run_id, in_flight=1).outcome == "cancelled"
    assert next(beats, None) is None
