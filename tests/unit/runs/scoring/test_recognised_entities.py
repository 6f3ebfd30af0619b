"""Entity recall as published, with a real pipeline and without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from configs.settings import ROOT
from data.importers import study_folder
from data.record import curves, metrics, studies
from data.record.metrics import MetricValue
from data.record.references import Reference
from data.store.store import Store, open_store
from runs.sample_studies import SAMPLES
from runs.scoring import score_study
from runs.scoring.metric_spec import MetricCase
from runs.scoring.metrics.extracted_entity_recall import METRIC
from scoring.clinical_actions import lexicon
from scoring.models import entities, model_settings
from tests.models.tiny_pipeline import make_pipeline

pytestmark = pytest.mark.slow


@pytest.fixture
def demo(store_path: Path) -> Store:
    store = open_store(f"sqlite:///{store_path}")
    study_folder.add_study(
        store, SAMPLES / "coaching_demo", ROOT / "instruments", ROOT / "taxonomies", "tests"
    )
    return store


def recalled(store: Store, metric: str) -> list[MetricValue]:
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        return [value for value in metrics.present(connection, study.id) if value.metric == metric]


def configure(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    entry = model_settings.EntitiesEntry(name="tiny", folder=str(folder))
    monkeypatch.setattr(entities, "entities", lambda: model_settings.Entities(model=entry))


def test_without_a_pipeline_one_sentence_says_what_is_missing(demo: Store) -> None:
    sentences = [line for line in score_study(demo, "coaching_demo", "tests").optional if "entities" in line]
    assert len(sentences) == 1
    assert sentences[0].startswith("Recall of recognised entities was left out. No model is configured")
    assert recalled(demo, "extracted_entity_recall") == [] and recalled(demo, "entity_recall")


def test_with_a_pipeline_both_variants_stand_beside_each_other(
    demo: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, make_pipeline(tmp_path / "pipeline"))
    score_study(demo, "coaching_demo", "tests")
    values = [v for v in recalled(demo, "extracted_entity_recall") if v.subject.conversation_id]
    searched = [v for v in recalled(demo, "entity_recall") if v.subject.conversation_id]
    assert len(values) == len(searched) > 0
    for value in values:
        assert value.variant == "extracted" and "tiny 1.2.3, files" in value.version
        assert set(value.detail) >= {"curve", "precision", "f1", "hallucinated_rate", "model"}
    # The pipeline knows two of the six entities of this case, and both are said, not denied, in some reply.
    curve = max((value.detail["curve"] for value in values), key=lambda points: max(p or 0 for p in points))
    assert 0 < max(point for point in curve if point is not None) <= 1
    assert score_study(demo, "coaching_demo", "tests").computed == 0
    with demo.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        assert ("extracted_entity_recall", "extracted") in curves.kinds(connection, study.id)


def test_another_pipeline_gives_other_numbers_and_says_so(
    demo: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(monkeypatch, make_pipeline(tmp_path / "pipeline"))
    score_study(demo, "coaching_demo", "tests")
    before = recalled(demo, "extracted_entity_recall")
    configure(monkeypatch, make_pipeline(tmp_path / "other", ("quokka",)))
    score_study(demo, "coaching_demo", "tests")
    after = [v for v in recalled(demo, "extracted_entity_recall") if v.subject.conversation_id]
    assert {value.value for value in after} == {0.0}
    assert {value.version for value in after}.isdisjoint(value.version for value in before)


class WordsOfFive:
    """Takes every word of five letters and more for an entity."""

    label = "words"

    def entities(self, text: str) -> list[str]:
        return [word for word in text.split() if len(word) >= 5]


def test_the_number_is_that_of_the_last_reply_that_has_one() -> None:
    replies = ["sertraline daily", "sertraline and dementia pills", "pills again today", None]
    words = Reference("critical_entities", "conversation:c1", 1, ["sertraline", "dementia", "pills"])
    case = MetricCase([], replies, {words.kind: words}, lexicon(), recogniser=WordsOfFive())
    assert METRIC.compute is not None
    results = METRIC.compute(case)
    assert isinstance(results, list)
    recall, slope = results
    assert recall.detail["curve"] == pytest.approx([1 / 3, 1, 1 / 3, None])
    assert recall.value == pytest.approx(1 / 3) and recall.detail["precision"] == pytest.approx(1 / 3)
    assert recall.detail["hallucinated_rate"] == pytest.approx(2 / 3) and slope.detail["n"] == 3
