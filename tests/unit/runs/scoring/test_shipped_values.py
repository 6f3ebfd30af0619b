"""Numbers that come with the sample studies: they are what the program computes, and are taken only where it
would compute the same.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record import metrics, studies
from data.record.conversations import ids, read
from data.record.metrics import MetricValue
from data.record.references import References
from data.store.store import Store
from runs.requests.entailment import open_entailment
from runs.sample_studies import SAMPLES
from runs.scoring import shipped_values as shipping
from runs.scoring.cases import CaseBuilder
from runs.scoring.metric_computation import compute_all_cases, pending_case
from runs.scoring.metric_spec import ConversationMetric, MetricResult
from runs.scoring.registry import metric_entries
from runs.scoring.run import score_study
from runs.scoring.shipped_values import FILE, NOTHING, ShippedValues, shipped_values, weights_in_use
from runs.ship_values import model_results, ship
from scoring.clinical_actions import lexicon
from scoring.models import embedder

pytestmark = pytest.mark.slow
ALIKE = 1e-6  # processors differ in the last digits of a sum


def present_of(store: Store, key: str) -> list[MetricValue]:
    with store.reading() as connection:
        return metrics.present(connection, studies.get_by_key(connection, key).id)


def check_alike(first: list[MetricResult], second: list[MetricResult]) -> None:
    assert len(first) == len(second) > 0
    for computed, shipped in zip(
        sorted(first, key=lambda each: (each.metric, each.variant)),
        sorted(second, key=lambda each: (each.metric, each.variant)),
        strict=True,
    ):
        assert (computed.metric, computed.variant, computed.version, computed.undefined) == (
            shipped.metric,
            shipped.variant,
            shipped.version,
            shipped.undefined,
        )
        assert computed.value == pytest.approx(shipped.value, abs=ALIKE)
        assert computed.detail.keys() == shipped.detail.keys()
        for name, value in computed.detail.items():
            assert value == pytest.approx(shipped.detail[name], abs=ALIKE), name


def test_those_of_the_demonstration_are_what_is_computed_anew(sample_store: Store, tmp_path: Path) -> None:
    path = tmp_path / FILE
    assert ship(sample_store, "coaching_demo", path) == 2
    for inputs, results in model_results(present_of(sample_store, "coaching_demo")).items():
        check_alike(results, shipped_values("coaching_demo").of(inputs))
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    shipped = (SAMPLES / "coaching_demo" / FILE).read_text(encoding="utf-8").splitlines()
    assert head == shipped[0]
    assert [json.loads(line)["inputs"] for line in lines] == [
        json.loads(line)["inputs"] for line in shipped[1:]
    ]


def test_those_of_a_long_conversation_are_what_is_computed_anew(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.get_by_key(connection, "vera_mh")
        talks = read(connection, ids(connection, study.id))
        references = References(connection, study.id)
    talk = min(talks, key=lambda each: sum(len(message.text) for message in each.messages or []))
    entry = next(entry for entry in metric_entries() if entry.spec.name == "goal_alignment")
    assert isinstance(entry.spec, ConversationMetric)
    cases = CaseBuilder(references, lexicon(), lambda *_: None, lambda: open_entailment(sample_store, study))
    pending = pending_case(cases, entry, entry.spec, talk, talk.replies(), [])
    assert pending is not None
    values = compute_all_cases(cases, [pending], [])
    (results,) = model_results(values).values()
    check_alike(results, shipped_values("vera_mh").of(pending.inputs))


def test_a_first_start_waits_for_no_model(sample_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "configured_embedder", lambda _: pytest.fail("a model was loaded"))
    scored = score_study(sample_store, "vera_mh", "tests")
    assert (scored.missing, scored.problems) == ([], [])
    present = present_of(sample_store, "vera_mh")
    assert len({value.subject.conversation_id for value in present if value.metric == "goal_alignment"}) == 90
    assert "goal_alignment_average_slope" in {value.metric for value in present}
    assert score_study(sample_store, "vera_mh", "tests").computed == 0
    with sample_store.reading() as connection:
        assert verify(connection).problems == []


def test_with_other_weights_none_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = json.loads((SAMPLES / "vera_mh" / FILE).read_text(encoding="utf-8").splitlines()[1])["inputs"]
    assert shipped_values("vera_mh").of(inputs)
    other = ShippedValues("0" * 64, {inputs: [MetricResult(0.5)]})
    assert other.of(inputs) == []
    monkeypatch.setattr(shipping, "weights_in_use", lambda: "")
    assert ShippedValues(weights_in_use(), {inputs: [MetricResult(0.5)]}).of(inputs) == []


def test_other_inputs_and_other_studies_have_none() -> None:
    assert shipped_values("vera_mh").of("0" * 64) == []
    assert len(shipped_values("mine")) == len(NOTHING) == len(shipped_values("../vera_mh")) == 0
