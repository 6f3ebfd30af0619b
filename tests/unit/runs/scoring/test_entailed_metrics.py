"""Conflict of advice and the validity of steps, with a real cross-encoder and without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from configs.settings import ROOT
from data.importers import study_folder
from data.record import conversations, metrics, studies
from data.record.metrics import MetricValue
from data.store.store import Store, open_store
from runs.sample_studies import SAMPLES
from runs.scoring import score_study
from runs.scoring.missing_material import missing_material
from scoring.models import installed_models
from tests.studies import importing, small_study

pytestmark = pytest.mark.slow


@pytest.fixture
def demo(store_path: Path) -> Store:
    store = open_store(f"sqlite:///{store_path}")
    study_folder.add_study(
        store, SAMPLES / "coaching_demo", ROOT / "instruments", ROOT / "taxonomies", "tests"
    )
    return store


def entailed(store: Store) -> list[MetricValue]:
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        return [
            m
            for m in metrics.present(connection, study.id)
            if m.metric in ("knowledge_conflict", "step_validity")
        ]


def test_without_a_model_it_is_said_and_the_rest_is_computed(demo: Store) -> None:
    scored = score_study(demo, "coaching_demo", "tests")
    assert scored.computed > 30 and entailed(demo) == []
    assert any("second-reader models add" in sentence for sentence in scored.optional)


def test_with_a_model_each_pair_and_each_step_has_a_verdict_once(
    demo: Store, tiny_entailer: Path, weights: Path
) -> None:
    installed_models.write_entailment(
        weights, installed_models.install(weights, "tiny", tiny_entailer, "a test")
    )
    scored = score_study(demo, "coaching_demo", "tests")
    metric_values = entailed(demo)
    assert scored.missing == [] and not any("entailment" in line for line in scored.optional)
    assert len([m for m in metric_values if m.metric == "step_validity"]) == 2
    conflicts = [m for m in metric_values if m.metric == "knowledge_conflict" and m.subject.conversation_id]
    assert len(conflicts) == 14 and all((m.value is None) == (m.detail["judged"] == 0) for m in conflicts)
    whole = next(
        m for m in metric_values if m.metric == "knowledge_conflict" and not m.subject.conversation_id
    )
    assert whole.detail["n"] == sum(m.detail["judged"] for m in conflicts)
    assert "tiny" in conflicts[0].version
    assert score_study(demo, "coaching_demo", "tests").computed == 0


def test_reasoning_that_was_set_apart_is_enough_for_step_validity(
    demo: Store, tmp_path: Path, tiny_entailer: Path, weights: Path
) -> None:
    """Conversations without it, and without gold steps, are not checked sentence by sentence."""
    installed_models.write_entailment(
        weights, installed_models.install(weights, "tiny", tiny_entailer, "a test")
    )
    thought = (
        "She has not slept for a week and is afraid. First I should ask whether she is safe tonight. Then we "
        "look at her evenings together."
    )
    talks = tmp_path / "talks.jsonl"
    talks.write_text(
        "\n".join(
            json.dumps({"id": name, "turns": [{"user": "I cannot sleep.", "assistant": reply}]})
            for name, reply in (
                ("thinks", f"<think>{thought}</think> Are you safe tonight?"),
                ("says", thought),
                ("empty", f"<think> </think> {thought}"),
            )
        )
    )
    importing.import_conversations(demo, "coaching_demo", talks, "tests")
    score_study(demo, "coaching_demo", "tests")
    with demo.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        keys = {name: conversations.id_of(connection, study.id, name) for name in ("thinks", "says", "empty")}
    validity = {m.subject.conversation_id: m for m in entailed(demo) if m.metric == "step_validity"}
    assert keys["thinks"] in validity and len(validity) == 3
    assert len(validity[keys["thinks"]].detail["verdicts"]) == 3
    assert keys["says"] not in validity and keys["empty"] not in validity


def test_a_study_with_reasoning_alone_has_something_to_compute(store_path: Path, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{store_path}")
    small = small_study.make(store, tmp_path, with_judges=False)
    with store.reading() as connection:
        assert missing_material(connection, small.study)
    talks = tmp_path / "talks.jsonl"
    reply = "Reasoning: she has not slept for a week and is afraid.\nDiagnosis: insomnia"
    talks.write_text(json.dumps({"id": "r", "turns": [{"user": "I cannot sleep.", "assistant": reply}]}))
    importing.import_conversations(store, small.study.key, talks, "tests")
    with store.reading() as connection:
        assert missing_material(connection, small.study) == []
