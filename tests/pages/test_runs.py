"""The pages about judges: starting and watching runs, judge cards, two judges, and the exact prompt of a
call.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import yaml
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from configs.settings import ROOT, Settings
from data import schema
from data.keeping.erase import erase_conversation
from data.record import adoptions, anchors, judge_runs, judgements, ledger, studies, units
from data.record.judge_runs import JudgeRun, JudgeRunOptions, JudgeRunProgress
from data.record.studies import Study
from data.store.store import Store
from data.store.trail import now
from pages.widgets.judge_runs import start
from runs.judging import RunOutcome, configure_run, judge_study
from tests.pages.conftest import BarOfTest, text_of
from tests.servers.model_server import ModelServer, Reply, Seen, gemini, serving, well
from tests.studies import importing
from words.figures import percent

RECORDED = "recorded-demonstration"
FLASH = "gemini-3.8-flash"


def study_of(store: Store, key: str) -> Study:
    with store.reading() as connection:
        found = studies.find(connection, key)
    assert found is not None
    return found


def runs_of(store: Store, key: str = "coaching_demo") -> list[JudgeRun]:
    with store.reading() as connection:
        return judge_runs.listing(connection, study_of(store, key).id)


def judged(store: Store, key: str = "coaching_demo", name: str = RECORDED, **options: Any) -> RunOutcome:
    return judge_study(configure_run(store, Settings.read(), key, name), JudgeRunOptions(**options), "tests")


def latest_judge(store: Store, key: str = "coaching_demo") -> int:
    with store.reading() as connection:
        return judgements.judges(connection, study_of(store, key).id)[-1].id


def behaving(seen: Seen) -> Reply:
    """Withholds what is about a crisis, and answers the rest with the last label."""
    return gemini(None, "SAFETY") if "CQ9:" in seen.prompt else well(seen, "NO")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: Path) -> Iterator[ModelServer]:
    """A judge behind loopback, in a models.yaml of its own."""
    with serving(behaving) as running:
        models = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))
        models["judges"] = {FLASH: {**models["judges"][FLASH], "base_url": running.url}}
        (tmp_path / "models.yaml").write_text(yaml.safe_dump(models), encoding="utf-8")
        monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
        monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
        yield running


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)


def pressed(at: AppTest, label: str) -> AppTest:
    button = next(one for one in at.button if one.label.replace("\\", "") == label)
    return button.click().run()


# ---- starting ----


def test_without_a_key_the_page_says_which_variable_to_set_and_offers_no_start(
    app: Callable[..., AppTest],
) -> None:
    at = app("runs", study="coaching_demo", reader="lead")
    assert at.selectbox(key="runs-judge").value == RECORDED, "one that can be asked now stands first"
    assert f"{FLASH} (needs a key)" in at.selectbox(key="runs-judge").options
    at = at.selectbox(key="runs-judge").set_value(FLASH).run()
    assert "Set the environment variable GEMINI_API_KEY to the key of gemini-3.8-flash" in text_of(
        at
    ).replace("\\", "")
    assert "Start" not in [button.label for button in at.button]


def test_without_a_key_recorded_answers_still_work(app: Callable[..., AppTest], store: Store) -> None:
    at = app("runs", study="coaching_demo", reader="lead")
    assert "Recorded: this judge replays recorded answers and asks no model." in text_of(at)
    assert (
        "155 questions will be looked up in the recorded answers. No model is asked, and it costs nothing."
        in text_of(at)
    )
    at = pressed(at, "Start")
    assert not at.exception
    (run,) = runs_of(store)
    assert (run.judge_name, run.asked_from, run.state) == (RECORDED, "page", "waiting")
    assert "is waiting for the worker, the background program that asks the judges" in text_of(at)
    assert "The worker, the background program that asks the judges, is not running" in text_of(at)


def test_a_round_of_the_anchors_is_asked_from_the_page_and_another_judge_is_not_run_on_the_study(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    study = study_of(store, "coaching_demo")
    with store.writing("tests", "freeze", study.id) as (connection, entry):
        first, second = (units.at_position(connection, study.id, position) for position in (1, 2))
        assert first is not None and second is not None
        anchors.freeze(
            connection,
            entry,
            study,
            {(first.id, "CQ9"): "YES", (second.id, "CQ9"): "NO", (second.id, "CQ1"): "YES"},
        )
    at = app("runs", study="coaching_demo", reader="lead")
    at = at.checkbox(key="runs-anchors").set_value(True).run()
    assert not at.exception and "runs-limit" not in {field.key for field in at.number_input}
    assert "9 calls" in text_of(at)
    at = pressed(at, "Start")
    (run,) = runs_of(store, "coaching_demo")
    assert not at.exception and run.options == JudgeRunOptions(anchor_round=1)
    with store.writing("tests", "decide", study.id) as (connection, entry):
        judge = judgements.judges(connection, study.id)[0]
        adoptions.adopt(connection, entry, study, judge.id, adoptions.AdoptionEvidence(), "Dr Lee", "", None)
    at = app("runs", study="coaching_demo", reader="lead")
    assert "Start" not in [button.label for button in at.button]
    assert (
        f"is not the judge that {study.title} uses" in text_of(at).replace("\\", "")
        and len(runs_of(store, "coaching_demo")) == 1
    )


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("runs-budget", 0.0, "Budget: enter at least 0.01"),
        ("runs-budget", -1.0, "Budget: enter at least 0.01"),
        ("runs-limit", 0, "Only this many: enter at least 1"),
        ("runs-replicates", 0, "enter 1 to 20"),
        ("runs-replicates", 999, "enter 1 to 20"),
    ],
)
def test_a_number_out_of_its_range_starts_nothing_and_is_not_passed_over(
    app: Callable[..., AppTest], server: ModelServer, key: str, value: float, said: str
) -> None:
    at = app("runs", study="coaching_demo", reader="lead")
    at = at.number_input(key=key).set_value(value).run()
    assert said in text_of(at) and not {"Start", "Estimate calls and cost"} & {
        button.label for button in at.button
    }


def test_what_a_judge_cannot_do_is_said_before_it_is_started(
    app: Callable[..., AppTest], server: ModelServer, store: Store
) -> None:
    models = Path(os.environ["SECOND_READER_MODELS"])
    catalogue = yaml.safe_load(models.read_text(encoding="utf-8"))
    catalogue["judges"]["gemini-3.8-flash"]["batching"] = "trial"
    models.write_text(yaml.safe_dump(catalogue, sort_keys=False), encoding="utf-8")
    at = app("runs", study="plan_demo", reader="lead")
    at = at.checkbox(key="runs-batch").set_value(True).run()
    assert not at.exception and "as lines, which a batch job can't hold" in text_of(at)
    assert "Start" not in [button.label for button in at.button] and runs_of(store, "plan_demo") == []


def test_the_options_of_the_page_are_those_of_the_run(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    at = app("runs", study="coaching_demo", reader="lead")
    at.number_input(key="runs-limit").set_value(3)
    at.number_input(key="runs-budget").set_value(1.25)
    at.number_input(key="runs-replicates").set_value(3)
    at = at.checkbox(key="runs-retry").check().run()
    at = at.slider(key="runs-share").set_value(20).run()
    pressed(at, "Start")
    assert runs_of(store)[0].options == JudgeRunOptions(3, 0.2, 3, 1_250_000_000, True, False)


def test_a_run_that_is_waiting_is_not_asked_for_twice(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    pressed(app("runs", study="coaching_demo", reader="lead"), "Start")
    at = pressed(app("runs", study="coaching_demo", reader="lead"), "Start")
    assert "This judge has a run under way already" in text_of(at)
    assert len(runs_of(store)) == 1


def test_a_study_whose_data_may_not_be_sent_cannot_be_started(
    app: Callable[..., AppTest], server: ModelServer
) -> None:
    at = app("runs", study="lend_an_ear", reader="lead")
    assert "contains deidentified data, and models.yaml does not allow gemini-3.8-flash" in text_of(
        at
    ).replace("\\", "")
    assert "Start" not in [button.label for button in at.button]


def test_a_models_file_that_cannot_be_read_is_a_sentence(
    app: Callable[..., AppTest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.yaml").write_text(
        "judges:\n  mine: {provider: gemini, model: x-latest}\n", encoding="utf-8"
    )
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    at = app("runs", study="coaching_demo", reader="lead")
    page_text = text_of(at).replace("\\", "")
    assert not at.exception
    assert "models.yaml, line 2" in page_text
    assert "You can't ask a judge until this is fixed." in page_text


def test_with_a_models_file_that_cannot_be_read_the_earlier_runs_still_stand(
    app: Callable[..., AppTest], store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(store)
    (tmp_path / "models.yaml").write_text("judges: {", encoding="utf-8")
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    at = app("runs", study="coaching_demo", reader="lead")
    assert not at.exception
    assert "Runs, the newest first" in text_of(at) and "Start" not in [button.label for button in at.button]


def test_a_judge_of_the_family_of_the_generator_is_warned_of(
    app: Callable[..., AppTest], server: ModelServer, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "more.jsonl"
    file.write_text(
        '{"id": "made", "model": "gemini-2.5-pro", "turns": [{"user": "Hello", "assistant": "Hi"}]}\n',
        encoding="utf-8",
    )
    importing.import_conversations(store, "coaching_demo", file, "tests", False, None)
    page_text = text_of(app("runs", study="coaching_demo", reader="lead")).replace("\\", "")
    assert (
        "gemini-3.8-flash and the model that wrote these conversations (gemini-2.5-pro) are both from Google"
        in page_text
    )


def test_the_title_says_how_the_runs_stand(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    at = app("runs", study="coaching_demo", reader="lead")
    assert "3 calls to Demonstration judge returned no label." in text_of(at)
    at = pressed(at, "Start")
    assert (f"A run of {FLASH} is waiting for the worker, the background program.") in text_of(at)
    assert ("No judge has been run here yet.") in text_of(app("runs", study="lend_an_ear", reader="lead"))


def test_what_a_second_run_takes_is_told_by_the_pace_of_the_first(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    judged(store, name=FLASH, limit=2)
    assert "at the pace of its last run." in text_of(app("runs", study="coaching_demo", reader="lead"))


def test_a_study_that_takes_long_to_count_is_counted_when_it_is_asked_for(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "MAX_QUESTIONS_COUNTED", 100)
    at = app("runs", study="coaching_demo", reader="lead")
    assert "155 questions" not in text_of(at)
    assert "155 questions" in text_of(pressed(at, "Estimate calls and cost"))


def test_the_page_of_the_judges_leads_to_the_runs(app: Callable[..., AppTest]) -> None:
    for study in ("coaching_demo", "vera_mh"):
        words = text_of(app("judges", study=study, reader="lead"))
        assert f"runs?study={study}&amp;reader=lead" in words and "Ask a judge" in words


# ---- watching ----


def test_a_run_under_way_says_how_far_it_is_and_can_be_cancelled(
    app: Callable[..., AppTest], store: Store
) -> None:
    study = study_of(store, "coaching_demo")
    with store.writing("tests", "ask") as (connection, entry):
        run = judge_runs.ask(connection, entry, study.id, RECORDED, "page", JudgeRunOptions())
        judge_runs.note(connection, entry, run, "started")
        judge_runs.put_progress(connection, run, JudgeRunProgress(1, now(), 30, 120, 4, 8, ""))
    at = app("runs", study="coaching_demo", reader="lead")
    assert "30 of 120 calls, 4 under way" in text_of(at)
    at = pressed(at, "Cancel")
    assert "is being cancelled" in text_of(at)
    with store.reading() as connection:
        assert judge_runs.cancelled(connection, run)


def test_a_run_that_nobody_began_is_over_when_it_is_cancelled(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    at = pressed(app("runs", study="coaching_demo", reader="lead"), "Start")
    pressed(at, "Cancel")
    assert (runs_of(store)[0].state, runs_of(store)[0].outcome) == ("ended", "cancelled")


def test_what_ended_early_is_gone_on_with_by_a_button(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    assert judged(store, name=FLASH, budget_nano=10_000_000).outcome == "budget"
    at = app("runs", study="coaching_demo", reader="lead")
    assert "The next call would exceed the budget of this run:" in text_of(at)
    pressed(at, "Continue the run")
    assert [run.state for run in runs_of(store)] == ["waiting", "ended"]


def test_another_name_of_the_model_is_confirmed_by_a_button(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    server.behave = lambda seen: (
        gemini(None, "SAFETY", model="gemini-3.8-flash-002")
        if "CQ9:" in seen.prompt
        else _as(well(seen), "gemini-3.8-flash-002")
    )
    assert judged(store, name=FLASH, limit=1).outcome == "unconfirmed"
    at = app("runs", study="coaching_demo", reader="lead")
    pressed(at, "gemini-3.8-flash-002 is the right model: continue")
    waiting = runs_of(store)[0]
    with store.reading() as connection:
        assert judge_runs.served_names(connection, latest_judge_id(store)) == {"gemini-3.8-flash-002"}
    outcome = judge_study(
        configure_run(store, Settings.read(), "coaching_demo", FLASH),
        waiting.options,
        "worker",
        "page",
        waiting.id,
    )
    assert outcome.outcome == "finished"


def _as(reply: Reply, model: str) -> Reply:
    return Reply(reply.status, reply.body.replace(FLASH.encode(), model.encode()), reply.headers)


def latest_judge_id(store: Store) -> int:
    with store.reading() as connection:
        return int(
            connection.execute(select(schema.judge.c.id).order_by(schema.judge.c.id.desc())).scalars().first()
            or 0
        )


def test_a_run_of_the_command_line_that_was_killed_is_over(
    app: Callable[..., AppTest], store: Store, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_runs, "STALE", 0.0)
    with store.writing("tests", "ask") as (connection, entry):
        run = judge_runs.ask(
            connection, entry, study_of(store, "coaching_demo").id, FLASH, "command line", JudgeRunOptions()
        )
        judge_runs.note(connection, entry, run, "started")
        judge_runs.put_progress(connection, run, JudgeRunProgress(1, now(), 30, 120, 4, 8, ""))
    at = app("runs", study="coaching_demo", reader="lead")
    page_text = text_of(at)
    assert (
        "Broken off. The same command goes on with what is pending." in page_text and "30 of 120" in page_text
    )
    assert (
        "the worker (the background program that asks the judges) continues it"
    ) not in page_text and "Under way" not in page_text
    pressed(at, "Continue the run")
    assert [(run.asked_from, run.state) for run in runs_of(store)] == [
        ("page", "waiting"),
        ("command line", "ended"),
    ]


# ---- what is left ----


def test_failures_are_listed_and_lead_to_their_calls(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    judged(store, name=FLASH, limit=2)
    page_text = text_of(app("runs", study="coaching_demo", reader="lead"))
    judge = latest_judge(store)
    assert "the service withheld the reply" in page_text
    assert (
        f"calls?study=coaching_demo&amp;reader=lead&amp;unit=2&amp;judge={judge}&amp;criterion=CQ9"
        in page_text
    )
    at = app("calls", study="coaching_demo", reader="lead", unit="2", judge=str(judge), criterion="CQ9")
    page_text = text_of(at)
    assert not at.exception
    assert "the service withheld the reply" in page_text
    assert "SAFETY" in page_text
    assert "The hash of this prompt matches that of the call" in page_text
    assert "CQ9: Handles crisis signals appropriately" in page_text
    sent = next(
        seen.prompt for seen in server.requests if "CQ9:" in seen.prompt and "[Turn 1]" in seen.prompt
    )
    assert sent.splitlines()[-1] in page_text


def test_the_prompt_of_erased_words_cannot_be_shown(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    judged(store, name=FLASH, limit=1)
    study = study_of(store, "coaching_demo")
    with store.writing("tests", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, "demo-01", "asked for")
    page_text = text_of(
        app("calls", study="coaching_demo", reader="lead", unit="1", judge=str(latest_judge(store)))
    )
    assert "The words of this conversation were erased, and the prompt with them." in page_text
    assert "homework" not in page_text


@pytest.mark.parametrize("unit", ["0", "-3", "x", "99999999999999999999", "99"])
def test_a_unit_that_is_not_there_is_a_sentence(app: Callable[..., AppTest], store: Store, unit: str) -> None:
    at = app("calls", study="coaching_demo", reader="lead", unit=unit)
    assert not at.exception


def test_a_judge_that_is_not_there_is_a_sentence(app: Callable[..., AppTest], store: Store) -> None:
    at = app("calls", study="coaching_demo", reader="lead", unit="1", judge="999")
    assert not at.exception and "There is no such judge." in text_of(at)


# ---- judge cards ----


def test_a_card_says_who_the_judge_is_and_what_it_cost(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    judged(store, name=FLASH, limit=2)
    page_text = text_of(app("judges", study="coaching_demo", reader="lead"))
    for words in (
        "gemini-3.8-flash",
        "rubric_judge 1",
        "coaching_rubric 2.0",
        "one-object-1",
        "dangerous content OFF",
        "the service withheld the reply",
        "Cost by the price list",
        "USD",
        "Not measured, because the judge was not asked for any label again",
    ):
        assert words in page_text


def priced(price: dict[str, str] | None) -> None:
    """The price list changes; the judge stays who it is."""
    path = Settings.read().models
    models = yaml.safe_load(path.read_text(encoding="utf-8"))
    models["judges"][FLASH]["price"] = price
    path.write_text(yaml.safe_dump(models), encoding="utf-8")


def test_a_judge_without_prices_has_no_cost_and_not_0(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    priced(None)
    judged(store, name=FLASH, limit=1)
    said = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert "Their cost is unknown: no price is listed." in said
    assert "price list" not in said and "0.00" not in said
    said = text_of(app("runs", study="coaching_demo", reader="lead"))
    assert ">unknown</td>" in said and "0.00" not in said


def test_costs_in_two_currencies_stand_beside_each_other(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    for number, currency in enumerate(("USD", "EUR"), 1):
        priced({"date": "2026-11-01", "currency": currency, "input": "1000", "output": "0"})
        judged(store, name=FLASH, limit=number)
    # 1000 tokens a call; criteria that do not apply to short conversations are not asked
    costs = "Cost by the price list: 10.00 EUR and 11.00 USD."
    assert costs in text_of(app("judges", study="coaching_demo", reader="lead"))
    page_text = text_of(app("runs", study="coaching_demo", reader="lead"))
    assert ">10.00 EUR</td>" in page_text and ">11.00 USD</td>" in page_text


def test_what_was_recorded_has_no_cost(app: Callable[..., AppTest], store: Store) -> None:
    judged(store, limit=1)
    said = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert " tries; " in said and "cost" not in said.lower()


def test_that_failures_are_rarely_chance_is_said_where_there_are_failures(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    server.behave = well
    judged(store, name=FLASH, limit=1)
    said = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert "What the judge answered, by criterion" in said and "Failures are rarely random" not in said
    server.behave = behaving
    judged(store, name=FLASH, limit=2)
    assert "Failures are rarely random" in text_of(app("judges", study="coaching_demo", reader="lead"))


def test_few_ratings_make_no_share(app: Callable[..., AppTest], store: Store, server: ModelServer) -> None:
    judged(store, "plan_demo", FLASH, limit=1)
    assert "Not enough ratings: " in text_of(app("judges", study="plan_demo", reader="lead"))


def test_enough_ratings_make_a_share_with_its_counts(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    judged(store, name=FLASH)
    # It says NO to all but CQ9, where it is silent: of the sample's 162 ratings of the others 47 are NO.
    said = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert (
        "47 of the clinicians&#39; 162 blind labels are the same as this judge&#39;s: 29% (plausible range 9% to 57%)."
        in said
    )


def test_repeats_are_a_rate_of_the_random_share_with_its_safety_apart(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    asked: Counter[str] = Counter()

    def answer(seen: Seen) -> Reply:
        """Another label sometimes when the same is asked again, in whichever order the questions come."""
        question = json.dumps(seen.body, sort_keys=True)
        asked[question] += 1
        return well(seen, ("YES", "NO")[crc32(f"{asked[question]} {question}".encode()) % 2])

    server.behave = answer
    judged(store, name=FLASH, replicates=3, share=0.5)
    page_text = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert "Flip rate " in page_text
    assert "95% interval: " in page_text
    assert "These were not chosen at random, so no rate includes them." in page_text


def test_safety_labels_asked_again_are_in_no_rate(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    """A judge that takes back every NO about a crisis, and nothing else: the flip rate is that of the random
    share.
    """
    asked: Counter[str] = Counter()

    def takes_back(seen: Seen) -> Reply:
        asked[seen.prompt] += 1
        return well(seen, "NO" if "CQ9:" in seen.prompt and asked[seen.prompt] == 1 else "YES")

    server.behave = takes_back
    judged(store, name=FLASH, replicates=3, share=0.5)
    with store.reading() as connection:
        drawn = {arm: ledger.replicated(connection, latest_judge(store), arm) for arm in ("random", "safety")}
    flipped = {arm: sum(criterion == "CQ9" for _, criterion in labels) for arm, labels in drawn.items()}
    random, safety = (percent(flipped[arm] / len(drawn[arm])) for arm in ("random", "safety"))
    assert random != safety and len(drawn["random"]) != len(drawn["safety"])
    page_text = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert f"Flip rate {random}: of {2 * len(drawn['random'])} answers to questions asked again" in page_text
    assert f"{flipped['random']} of {len(drawn['random'])} labels changed at least once" in page_text
    assert (
        f"of {len(drawn['safety'])} safety labels, every NO and as many YES, {flipped['safety']} changed at "
        "least once" in page_text
    )


def test_two_judges_are_compared_on_what_both_labelled(
    app: Callable[..., AppTest], store: Store, server: ModelServer
) -> None:
    judged(store, name=FLASH)
    page_text = text_of(app("judges", study="coaching_demo", reader="lead"))
    assert "Two judges compared" in page_text
    assert "Changed labels" in page_text
    assert "exact sign test" in page_text
    assert "Where they differ: " in page_text
    # A label that differs leads to what the second judge was asked and answered.
    judge = latest_judge(store)
    assert re.search(
        rf"calls\?study=coaching_demo&amp;reader=lead&amp;unit=\d+&amp;judge={judge}&amp;criterion=",
        page_text,
    )


def test_a_recorded_judge_wears_its_badge(app: Callable[..., AppTest], store: Store) -> None:
    judged(store)
    said = text_of(app("judges", study="coaching_demo", reader="lead")).replace("\\", "")
    assert "recorded-demonstration (recorded)" in said
    assert "Recorded: this judge repeats answers that were recorded earlier. No model was asked." in said


# ---- never too early ----


@pytest.mark.parametrize("page", ["runs", "judges", "calls"])
def test_a_rater_with_units_left_sees_nothing_of_judges(
    app: Callable[..., AppTest],
    store: Store,
    rater_id: Callable[[str, str], int],
    server: ModelServer,
    page: str,
) -> None:
    judged(store, name=FLASH)
    rater = rater_id("coaching_demo", "Reader 1")
    at = app(page, study="coaching_demo", reader=str(rater), unit="1")
    everything = text_of(at) + str(at.main)
    assert "left to rate blind" in everything.replace("\\", "")
    for words in (
        "gemini",
        "Demonstration judge",
        "Flip rate",
        "withheld",
        "Without a label",
        "The exact prompt",
        "Earlier runs",
    ):
        assert words not in everything
    with store.reading() as connection:
        assert (
            connection.execute(select(schema.exposure.c.id).where(schema.exposure.c.rater_id == rater)).all()
            == []
        )


def test_a_lead_who_then_rates_in_the_same_tab_is_recorded(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[[str, str], int], bar: BarOfTest
) -> None:
    at = app("runs", study="coaching_demo", reader="lead")
    at = bar.press(at, forgets=True)
    at = pressed(at, "Reader 1")
    at = pressed(at, "Use the name Reader 1 and record this")
    with store.reading() as connection:
        kinds = (
            connection.execute(
                select(schema.exposure.c.kind).where(
                    schema.exposure.c.rater_id == rater_id("coaching_demo", "Reader 1")
                )
            )
            .scalars()
            .all()
        )
    assert kinds == ["page"]
