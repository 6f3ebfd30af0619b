"""Conflict of advice and the validity of steps, with a real cross-encoder and without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from configs.settings import ROOT
from data import metrics, studies
from data.importers import study_folder
from data.metrics import MetricValue
from data.store import Store, open_store
from runs.sample_studies import SAMPLES
from runs.scoring import score_study
from scoring.models import installed

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
    installed.write_entailment(weights, installed.install(weights, "tiny", tiny_entailer, "a test"))
    scored = score_study(demo, "coaching_demo", "tests")
    metric_values = entailed(demo)
    assert scored.missing == scored.optional == []
    assert len([m for m in metric_values if m.metric == "step_validity"]) == 2
    conflicts = [m for m in metric_values if m.metric == "knowledge_conflict" and m.subject.conversation_id]
    assert len(conflicts) == 14 and all((m.value is None) == (m.detail["judged"] == 0) for m in conflicts)
    whole = next(
        m for m in metric_values if m.metric == "knowledge_conflict" and not m.subject.conversation_id
    )
    assert whole.detail["n"] == sum(m.detail["judged"] for m in conflicts)
    assert "tiny" in conflicts[0].version
    assert score_study(demo, "coaching_demo", "tests").computed == 0
