"""Pairs of steps on the metrics tab: asked about before anything tells their score, and what pages show
afterwards.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from data.record import conversations, references, step_pairs
from data.record.references import condition_scope
from data.store.store import Store
from runs.scoring import score_study
from services.step_pairs import is_hidden
from tests.pages.conftest import evidence_tables, text_of
from tests.pages.unit_panels import desk, panel, show_steps, take
from tests.studies import importing


@pytest.fixture
def database(scored_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the sample studies with everything computed."""
    copy = Path(shutil.copy(scored_file, tmp_path / "store.sqlite"))
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{copy}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    st.cache_resource.clear()
    yield copy
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def scored(store: Store) -> None:
    assert score_study(store, "coaching_demo", "tests").problems == []


def test_how_steps_meet_is_nowhere_before_the_pairs_were_asked_about(store: Store) -> None:
    """Neither scores nor what follows from them, pairs below the threshold among those that are asked
    about.
    """
    unit_panel = panel(store, "coaching_demo", 3)
    assert unit_panel is not None and unit_panel["steps"] is None
    pairs = unit_panel["step_pairs"]["pairs"]
    assert {tuple(pair) for pair in pairs} == {("model_step", "gold_step", "model", "gold", "verdict")}
    assert {pair["verdict"] for pair in pairs} == {None}
    asked = {(pair["model_step"], pair["gold_step"]) for pair in pairs}
    show_steps(store, "coaching_demo", 3)
    shown = panel(store, "coaching_demo", 3)
    assert shown is not None and shown["step_pairs"] is None
    dice = [pair["dice"] for pair in shown["steps"]["pairs"]]
    assert 0 < len(dice) < len(asked), "pairs that do not meet are asked about as well"
    assert panel(store, "coaching_demo", 3, "Reader 2") == unit_panel, "a colleague was shown nothing"
    sent = json.dumps(unit_panel)
    assert "shared" not in sent and "dice" not in sent and "0.0909" not in sent


def test_what_is_said_of_a_pair_is_kept_until_the_scores_are_shown(store: Store) -> None:
    who, unit_panel = desk(store, "coaching_demo"), panel(store, "coaching_demo", 3)
    assert unit_panel is not None
    pairs = unit_panel["step_pairs"]
    first = {name: pairs["pairs"][0][name] for name in ("model_step", "gold_step")}
    event = {"kind": "step_pair", "unit": 3, "inputs": pairs["inputs"], **first}
    assert take(who, {**event, "verdict": "wrong"}) == []
    assert take(who, {**event, "verdict": "partly"}) == []
    again = panel(store, "coaching_demo", 3)
    assert again is not None and again["step_pairs"]["pairs"][0]["verdict"] == "partly"
    with store.reading() as connection:
        [rating] = step_pairs.of_study(connection, who.study.id)
    share = 2 * rating.pair.shared / rating.pair.words
    assert (rating.verdict, 0.3 <= share <= 1) == ("partly", True)
    show_steps(store, "coaching_demo", 3)
    [refused] = take(who, {**event, "verdict": "right"})
    assert "would not be blind" in refused["message"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"inputs": "another"},
        {"model_step": 999},
        {"gold_step": 999},
        {"unit": 1},
    ],
)
def test_a_pair_that_is_not_asked_about_is_refused(store: Store, wrong: dict[str, Any]) -> None:
    who, unit_panel = desk(store, "coaching_demo"), panel(store, "coaching_demo", 3)
    assert unit_panel is not None
    pairs = unit_panel["step_pairs"]
    event = {"kind": "step_pair", "unit": 3, "inputs": pairs["inputs"], "verdict": "right"}
    event |= {name: pairs["pairs"][0][name] for name in ("model_step", "gold_step")}
    [refused] = take(who, {**event, **wrong})
    assert "The steps of this conversation have changed." in refused["message"]
    with store.reading() as connection:
        assert step_pairs.of_study(connection, who.study.id) == []


def test_gold_steps_of_a_condition_are_hidden_before_the_commit() -> None:
    reference = references.Reference("gold_steps", condition_scope("warm"), 1, ["A step."])
    assert is_hidden(reference, committed=False) and not is_hidden(reference, committed=True)


def test_step_f1_stands_on_the_page_of_a_rater_once_they_saw_how_the_steps_meet(
    app: Callable[..., AppTest], store: Store
) -> None:
    who = desk(store, "coaching_demo")
    who.rate(3)
    before = text_of(app("metrics", study="coaching_demo", reader=str(who.rater)))
    assert "0.091" not in before and "has shown you how its steps match" in before
    show_steps(store, "coaching_demo", 3)
    after = text_of(app("metrics", study="coaching_demo", reader=str(who.rater)))
    assert "0.091" in after and "has shown you how its steps match" not in after


def test_scores_that_were_shown_stay_shown_after_a_gold_step_is_added(
    app: Callable[..., AppTest], store: Store
) -> None:
    """Most pairs are as they were, so nobody who saw them is asked about them as if blind."""
    who = desk(store, "coaching_demo")
    who.rate(3)
    show_steps(store, "coaching_demo", 3)
    with store.writing("tests", "import references", who.study.id) as (connection, entry):
        conversation = conversations.read(connection, [who.unit(3).conversation_id])[0]
        gold = references.References(connection, who.study.id).of("gold_steps", conversation.key, None)
        assert gold is not None
        steps = [*gold.body, "A step that was added since."]
        references.put(connection, entry, who.study, "gold_steps", gold.scope, steps, "tests")
    assert score_study(store, "coaching_demo", "tests").problems == []
    unit_panel = panel(store, "coaching_demo", 3)
    assert unit_panel is not None and unit_panel["step_pairs"] is None and unit_panel["steps"]["pairs"]
    page_text = text_of(app("metrics", study="coaching_demo", reader=str(who.rater)))
    assert "has shown you how its steps match" not in page_text
    colleague = panel(store, "coaching_demo", 3, "Reader 2")
    assert colleague is not None and colleague["steps"] is None and colleague["step_pairs"]["pairs"]


def test_a_lead_sees_the_curve_over_thresholds_and_how_many_pairs_are_missing(
    app: Callable[..., AppTest], store: Store
) -> None:
    page_text = text_of(app("metrics", study="coaching_demo", reader="lead"))
    for words in ("The threshold of Step-F1", "0.60 (used)", "No pair of steps was rated yet. 60 more"):
        assert words in page_text
    who = desk(store, "coaching_demo")
    assert "The threshold of Step-F1" not in text_of(
        app("metrics", study="coaching_demo", reader=str(who.rater))
    )


def test_a_rater_does_not_see_faithfulness_beside_step_f1(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    """It names models."""
    rows = [
        {"id": "a", "mode": mode, "model_name": "a-model", "gold_answer": "GAD", "output_text": "GAD"}
        for mode in ("cot", "direct")
    ]
    file = tmp_path / "runs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    importing.import_paired_runs(store, "coaching_demo", file, "tests")
    lead = text_of(app("metrics", study="coaching_demo", reader="lead"))
    assert "Faithfulness and Step-F1" in lead and "a-model" in lead
    who = desk(store, "coaching_demo")
    rater = text_of(app("metrics", study="coaching_demo", reader=str(who.rater)))
    assert "Faithfulness and Step-F1" not in rater and "a-model" not in rater


def test_a_conversation_whose_steps_wait_lacks_none_and_is_not_counted(
    app: Callable[..., AppTest], store: Store
) -> None:
    who = desk(store, "coaching_demo")
    for position in (1, 2, 3, 14):
        who.rate(position)
    show_steps(store, "coaching_demo", 3)
    at = app("metrics", study="coaching_demo", reader=str(who.rater))
    rows = {row["name"]: row["cells"] for table in evidence_tables(at) for row in table["rows"]}
    assert rows["Step-F1"] == ["1 of 3", "0.091", "needs gold steps"]
    assert rows["Goal alignment"][0] == "2 of 4"
    assert "You see the Step-F1 of a conversation here once" in text_of(at)
