"""A run asks what is pending, keeps what comes, and asks nothing twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from data import schema
from data.keeping.erase import erase_conversation
from data.labels import agreement_labels
from data.record import judge_runs, judgements
from data.record.judge_runs import JudgeRunOptions
from data.record.ledger_totals import AttemptTotals
from data.work import answers_to_judges
from runs.asking import call_stream
from runs.judging import dry_run
from scoring.judges.catalogue import JudgeUnusable
from tests.servers.judging import CALLS, Lead, about, only
from tests.servers.model_server import (
    MODEL,
    Reply,
    Seen,
    as_json,
    error,
    gemini,
    in_turn,
    too_many,
    valid_text,
    well,
)
from tests.studies import importing
from tests.studies.small_study import SAID, conversation_lines

pytestmark = pytest.mark.slow

REFUSED = as_json({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": MODEL})
CUT = gemini("{", "MAX_TOKENS")


def all_places() -> set[tuple[int, str, int]]:
    return {(number, criterion, 0) for number in range(1, 5) for criterion in ("warm", "safe", "deep")} - {
        (1, "deep", 0)
    }


def test_every_question_that_applies_is_asked_once_and_its_label_is_kept(lead: Lead) -> None:
    finished = lead.judge(lambda seen: well(seen, "NO" if about(seen) == (3, "safe") else None))
    assert (finished.outcome, finished.done, finished.failed, finished.said) == (
        "finished",
        CALLS,
        0,
        "11 of 11 calls, no failures.",
    )
    assert {(*about(seen), 0) for seen in lead.server.requests} == all_places()
    assert len(lead.server.requests) == CALLS
    assert lead.verdicts() == {
        place: ("ok", "NO" if place == (3, "safe", 0) else "YES") for place in all_places()
    }


def test_a_label_is_shown_with_its_reasoning_and_the_turns_it_cites(lead: Lead) -> None:
    lead.judge()
    desk = lead.small.desk()
    desk.rate(2)
    desk.reveal(2)
    with lead.store.reading() as connection:
        shown = answers_to_judges.read_shown(connection, desk.unit(2), desk.rater)
    assert {
        (judgement.criterion, judgement.label, judgement.reasoning, judgement.cited) for judgement in shown
    } == {
        (criterion, "YES", "What was said in turn 1 carries this.", (1,))
        for criterion in ("warm", "safe", "deep")
    }


def test_every_try_is_in_the_ledger_with_what_it_cost(lead: Lead) -> None:
    finished = lead.judge(price={"date": "2026-11-01", "currency": "USD", "input": "0.75", "output": "3.75"})
    assert lead.totals(finished.run_id) == AttemptTotals(
        CALLS, CALLS * 1000, CALLS * 150, CALLS * 100, 0, {"USD": CALLS * (1000 * 750 + 150 * 3750)}, 0
    )
    row = lead.rows(schema.attempt)[0]
    assert (row.status, row.served, row.finish, row.response_id) == ("ok", MODEL, "STOP", "r-1")
    assert (row.price_date, row.currency, row.tried, row.repair) == ("2026-11-01", "USD", 0, 0)
    assert (row.batched, row.replayed) == (0, 0)


def test_the_same_run_again_asks_nothing(lead: Lead) -> None:
    lead.judge()
    before = lead.rows(schema.judgement)
    finished = lead.judge()
    assert (finished.outcome, finished.said, len(lead.server.requests)) == (
        "finished",
        "Everything that this judge may be asked has an answer, so nothing was asked.",
        CALLS,
    )
    assert lead.rows(schema.judgement) == before


def test_a_limit_asks_about_the_first_units_only_and_the_next_run_about_the_rest(lead: Lead) -> None:
    assert lead.judge(options=JudgeRunOptions(limit=1)).done == 2
    assert lead.judge().done == CALLS - 2
    assert len(lead.server.requests) == CALLS


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.0},
        {"seed": 3},
        {"thinking_level": "LOW"},
        {"max_output_tokens": 300},
        {"batching": "trial"},
        {"safety": {"HARM_CATEGORY_HARASSMENT": "OFF"}},
        {"model": "gemini-3.9-flash"},
    ],
    ids=str,
)
def test_another_model_or_parameter_is_another_judge_that_is_asked_everything(
    lead: Lead, change: dict[str, Any]
) -> None:
    lead.judge()
    before = lead.rows(schema.judgement)
    lead.judge(**change)
    assert lead.rows(schema.judgement)[: len(before)] == before
    assert {row.judge_id: 0 for row in lead.rows(schema.judgement)} == {1: 0, 2: 0}
    assert len(lead.rows(schema.judgement)) == 2 * CALLS


@pytest.mark.parametrize(
    "change",
    [{"in_flight": 1}, {"timeout_seconds": 9}, {"rpm": 6000}, {"data_classes": ["synthetic", "phi"]}],
    ids=str,
)
def test_how_it_is_asked_makes_no_other_judge(lead: Lead, change: dict[str, Any]) -> None:
    lead.judge()
    assert lead.judge(**change).done == 0


def test_a_changed_prompt_is_another_judge(lead: Lead) -> None:
    lead.judge()
    text = (lead.prompts / "rubric_judge.yaml").read_text(encoding="utf-8")
    lead.prompts = lead.folder
    (lead.folder / "rubric_judge.yaml").write_text(
        text.replace("Judge what is on the page", "Judge what stands on the page"), encoding="utf-8"
    )
    lead.judge()
    assert len(lead.rows(schema.judge)) == len(lead.rows(schema.judge_prompt)) == 2
    assert "stands on the page" in lead.server.requests[-1].body["systemInstruction"]["parts"][0]["text"]


# ---- failures ----


@pytest.mark.parametrize(
    ("reply", "status", "tries"),
    [
        (REFUSED, "blocked_prompt", 1),
        (gemini(None, "SAFETY"), "blocked_output", 1),
        (CUT, "truncated", 2),
        (gemini("I cannot say."), "invalid", 2),
        (gemini('{"reasoning": "r", "cited_turns": [9], "label": "YES"}'), "invalid", 2),
        (gemini(None), "invalid", 2),
        (gemini("{}", "OTHER"), "invalid", 2),
        (error(500, "INTERNAL"), "transport", 5),
        (error(400, "INVALID_ARGUMENT"), "rejected", 1),
        (Reply(200, b"<html>"), "transport", 5),
    ],
)
def test_a_failure_of_one_call_has_its_own_status_and_takes_no_other_with_it(
    lead: Lead, reply: Reply, status: str, tries: int
) -> None:
    finished = lead.judge(only(3, "safe", lambda _: reply))
    assert (finished.outcome, finished.done, finished.failed, finished.said) == (
        "finished",
        CALLS,
        1,
        "11 of 11 calls, 1 failure.",
    )
    assert lead.verdicts() == {
        place: (status, None) if place == (3, "safe", 0) else ("ok", "YES") for place in all_places()
    }
    assert [about(seen) for seen in lead.server.requests].count((3, "safe")) == tries


@pytest.mark.parametrize(
    "bad",
    [CUT, gemini("```json\n{}{}\n```"), gemini('{"reasoning": "r", "cited_turns": [1], "label": "maybe"}')],
)
def test_a_reply_that_was_cut_off_or_unreadable_is_asked_once_more_with_more_room_and_the_same_words(
    lead: Lead, bad: Reply
) -> None:
    once = in_turn(bad)
    lead.judge(only(2, "warm", once))
    first, second = (seen for seen in lead.server.requests if about(seen) == (2, "warm"))
    assert (
        first.body["generationConfig"]["maxOutputTokens"],
        second.body["generationConfig"]["maxOutputTokens"],
    ) == (256, 512)
    assert first.body["contents"] == second.body["contents"]
    assert lead.statuses() == {"ok": CALLS}
    assert [(row.repair, row.tried, row.status) for row in lead.rows(schema.attempt) if row.repair] == [
        (1, 1, "ok")
    ]


def test_a_call_that_fails_now_and_then_is_tried_again(lead: Lead) -> None:
    lead.judge(only(2, "warm", in_turn(error(503, "UNAVAILABLE"), error(500, "INTERNAL"), Reply(200, b"{}"))))
    assert lead.statuses() == {"ok": CALLS}
    assert lead.tries() == {"ok": CALLS, "transport": 3}


def test_failures_are_asked_again_only_when_that_is_asked_for(lead: Lead) -> None:
    lead.judge(only(3, "safe", lambda _: REFUSED))
    lead.server.requests.clear()
    assert lead.judge(well).done == 0
    assert lead.server.requests == []
    assert lead.judge(well, JudgeRunOptions(retry_failures=True)).done == 1
    assert [about(seen) for seen in lead.server.requests] == [(3, "safe")]


def test_a_new_answer_replaces_the_failure_everywhere_and_the_old_row_stays(lead: Lead) -> None:
    lead.judge(only(3, "safe", lambda _: REFUSED))
    old, study = lead.rows(schema.judgement), lead.small.study
    lead.judge(well, JudgeRunOptions(retry_failures=True))
    assert lead.rows(schema.judgement)[:CALLS] == old
    desk = lead.small.desk()
    desk.rate(3)
    desk.reveal(3)
    unit = desk.unit(3)
    with lead.store.reading() as connection:
        assert {
            judgement.criterion: (judgement.status, judgement.label)
            for judgement in answers_to_judges.read_shown(connection, unit, desk.rater)
        } == {criterion: ("ok", "YES") for criterion in ("warm", "safe", "deep")}
        assert (
            judgements.first_labels(connection, study.id, [unit.conversation_id])[unit.id][1]["safe"] == "YES"
        )
        assert (
            len(
                [
                    label
                    for label in agreement_labels.judge_labels(connection, study.id, 1)
                    if (label.unit_id, label.criterion) == (unit.id, "safe")
                ]
            )
            == 1
        )
        assert agreement_labels.failures(connection, study.id, 1) == {}


def test_a_second_failure_replaces_the_first(lead: Lead) -> None:
    lead.judge(only(3, "safe", lambda _: REFUSED))
    lead.judge(only(3, "safe", lambda _: gemini(None, "SAFETY")), JudgeRunOptions(retry_failures=True))
    with lead.store.reading() as connection:
        assert agreement_labels.failures(connection, lead.small.study.id, 1) == {"blocked_output": 1}
    assert lead.verdicts()[3, "safe", 0] == ("blocked_output", None)


# ---- what is not asked ----


def test_an_erased_conversation_is_not_sent_and_the_run_says_so(lead: Lead) -> None:
    with lead.store.writing("lead", "erase", lead.small.study.id) as (connection, entry):
        erase_conversation(connection, entry, lead.small.study, "c2", "consent withdrawn")
    finished = lead.judge()
    assert {about(seen)[0] for seen in lead.server.requests} == {1, 3, 4}
    assert (finished.outcome, finished.done) == ("finished", 8)
    assert finished.said.endswith("Erased and not sent: 1 conversation.")


def test_the_same_conversation_imported_twice_is_asked_about_once(lead: Lead) -> None:
    path = lead.folder / "again.jsonl"
    path.write_text(conversation_lines(4).replace('"id": "c', '"id": "again'), encoding="utf-8")
    importing.import_conversations(lead.store, "small", path, "tests")
    lead.judge()
    assert len(lead.server.requests) == CALLS
    assert lead.statuses() == {"ok": 2 * CALLS}
    assert len({seen.prompt for seen in lead.server.requests}) == CALLS


def test_asked_again_after_a_failure_the_twin_takes_the_answer_as_well(lead: Lead) -> None:
    path = lead.folder / "again.jsonl"
    path.write_text(conversation_lines(4).replace('"id": "c', '"id": "again'), encoding="utf-8")
    importing.import_conversations(lead.store, "small", path, "tests")
    lead.judge(only(2, "safe", lambda _: REFUSED))
    assert lead.statuses()["blocked_prompt"] == 2
    before = len(lead.server.requests)
    finished = lead.judge(well, JudgeRunOptions(retry_failures=True))
    assert (finished.failed, len(lead.server.requests) - before) == (0, 1)
    assert lead.verdicts()[6, "safe", 0] == lead.verdicts()[2, "safe", 0] == ("ok", "YES")


def test_words_that_are_erased_during_a_run_are_sent_no_more_and_nothing_said_of_them_is_kept(
    lead: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_stream, "FRESH", 0.0)

    def behave(seen: Seen) -> Reply:
        if about(seen)[0] == 2 and seen.number <= 3:  # while this one is in flight
            with lead.store.writing("lead", "erase", lead.small.study.id) as (connection, entry):
                for key in ("c2", "c3"):
                    erase_conversation(connection, entry, lead.small.study, key, "consent withdrawn")
        return well(seen)

    lead.judge(behave, in_flight=1)
    assert [about(seen)[0] for seen in lead.server.requests].count(2) <= 2 and 3 not in {
        about(seen)[0] for seen in lead.server.requests
    }
    gone = {lead.small.desk().unit(number).id for number in (2, 3)}
    assert {row.reply_content for row in lead.rows(schema.attempt) if row.unit_id in gone} == {None}
    assert {row.reasoning_content for row in lead.rows(schema.judgement) if row.unit_id in gone} == {None}


def test_another_server_is_another_judge_and_another_port_is_not(lead: Lead) -> None:
    here = lead.setting().identity().digest()
    assert lead.setting(base_url="http://127.0.0.1:1").identity().digest() == here
    assert lead.setting(base_url="https://judge.example").identity().digest() != here


def test_a_dry_run_with_repeats_says_what_comes_on_top_and_prices_only_the_first_answers_as_a_batch(
    lead: Lead,
) -> None:
    price = {"date": "2026-11-01", "currency": "USD", "input": "1000", "output": "0", "batch": "0.5"}
    once, thrice = (
        dry_run(lead.setting(price=price), JudgeRunOptions(times, 1.0, batch=True)) for times in (1, 3)
    )
    assert thrice.calls == 3 * once.calls
    assert once.cost_nano is not None and thrice.cost_nano == once.cost_nano * 5
    assert "Safety answers" not in once.sentence()


def test_a_judge_that_answered_takes_no_other_name(lead: Lead) -> None:
    lead.judge(options=JudgeRunOptions(limit=1))
    with pytest.raises(
        JudgeUnusable,
        match=r"has answered as gemini-3\.8-flash, so gemini-9 is another model and another judge",
    ):
        lead.judge(served="gemini-9")


def test_a_name_that_was_confirmed_after_the_first_answer_is_another_model_all_the_same(lead: Lead) -> None:
    """A page that stood open from before may still offer it."""
    first = lead.judge(options=JudgeRunOptions(limit=1))
    with lead.store.writing("lead", "confirm") as (connection, entry):
        judge_runs.note(connection, entry, first.run_id, "served", 1, name="gemini-9")
    assert lead.judge(lambda seen: gemini(valid_text(seen.schema), model="gemini-9")).outcome == "drift"


def test_a_model_whose_name_holds_a_blank_may_be_named(lead: Lead) -> None:
    finished = lead.judge(
        lambda seen: gemini(valid_text(seen.schema), model="/models/My Model.gguf"),
        served_as=["/models/My Model.gguf"],
    )
    assert finished.outcome == "finished"


def test_a_judge_that_was_refused_before_its_first_call_is_none(lead: Lead) -> None:
    lead.judge(data_classes=["phi"])
    with lead.store.reading() as connection:
        assert judgements.judges(connection, lead.small.study.id) == []


def test_a_run_that_is_gone_on_with_counts_what_it_did_before(lead: Lead) -> None:
    with lead.store.writing("lead", "ask") as (connection, entry):
        run_id = judge_runs.ask(connection, entry, lead.small.study.id, "cloud", "page", JudgeRunOptions())
    assert (
        lead.judge(
            lambda seen: well(seen) if seen.number <= 4 else too_many(day=True), run_id=run_id, in_flight=1
        ).done
        == 4
    )
    finished = lead.judge(well, run_id=run_id)
    assert (finished.done, finished.said) == (CALLS, "11 of 11 calls, no failures.")


def test_a_dry_run_tells_the_calls_and_asks_nothing(lead: Lead) -> None:
    price = {"date": "2026-11-01", "currency": "USD", "input": "1000", "output": "0"}
    expected = dry_run(lead.setting(price=price), JudgeRunOptions())
    assert (expected.calls, lead.server.requests, lead.rows(schema.judge_run)) == (CALLS, [], [])
    assert expected.tokens_in > 0
    assert expected.cost_nano == expected.tokens_in * 1_000_000
    assert expected.sentence().startswith("11 calls, about ")
    lead.judge(price=price)
    assert dry_run(lead.setting(price=price), JudgeRunOptions()).calls == 0


def test_erasing_a_conversation_removes_what_the_judge_replied(lead: Lead) -> None:
    lead.judge(only(2, "safe", lambda _: error(400, "INVALID_ARGUMENT", f"bad: {SAID} 2.0")))
    replies = [
        row.reply_content for row in lead.rows(schema.attempt) if row.unit_id == lead.small.desk().unit(2).id
    ]
    with lead.store.writing("lead", "erase", lead.small.study.id) as (connection, entry):
        erase_conversation(connection, entry, lead.small.study, "c2", "consent withdrawn")
    texts = {row.id: row.text for row in lead.rows(schema.content)}
    assert len(replies) == 3
    assert [texts[reply] for reply in replies] == [None] * 3
    assert not [text for text in texts.values() if text and f"{SAID} 2." in text]


# ---- who may be asked ----


def test_a_study_that_may_not_be_sent_is_sent_nowhere_and_the_run_says_why(lead: Lead) -> None:
    finished = lead.judge(data_classes=["deidentified"])
    assert (finished.outcome, lead.server.requests) == ("not_sent_policy", [])
    assert "holds synthetic data, and cloud is not marked for it. Nothing was sent." in finished.said
    run = lead.run(finished.run_id)
    assert (run.state, run.outcome, run.said) == ("ended", "not_sent_policy", finished.said)
    last = lead.rows(schema.run_event)[-1]
    assert (last.kind, json.loads(last.detail)["outcome"]) == ("ended", "not_sent_policy")
    assert lead.rows(schema.judgement) == lead.rows(schema.attempt) == []


def test_without_its_key_a_run_ends_with_the_name_of_the_variable(
    lead: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TEST_JUDGE_KEY")
    finished = lead.judge()
    assert finished.outcome == "unusable"
    assert finished.said.startswith("Set the environment variable TEST_JUDGE_KEY to the key of cloud")


def test_a_budget_needs_prices(lead: Lead) -> None:
    with pytest.raises(JudgeUnusable, match=r"A budget needs prices, and models\.yaml has none for cloud"):
        lead.judge(options=JudgeRunOptions(budget_nano=1))
    assert lead.rows(schema.judge_run) == []
