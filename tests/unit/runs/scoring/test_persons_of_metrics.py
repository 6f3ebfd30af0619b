"""A number of a study whose conversations share persons has an interval that leaves out persons."""

from __future__ import annotations

from collections.abc import Mapping

from data.record import conversations, studies
from data.record.metrics import MetricSubject, MetricValue
from data.store.store import Store
from runs.scoring import shown_metrics
from runs.scoring.metric_computation import compute_study_value, with_person
from runs.scoring.metric_spec import ConversationMetric
from runs.scoring.registry import METRICS
from scoring.drift.curves import truth_decay_rate

CURVES = [[1.0, 0.9, 0.8], [1.0, 0.8, 0.6], [1.0, 0.7, 0.4], [1.0, 0.95, 0.9]]


def study_slope(shared: Mapping[int, int]) -> MetricValue:
    entry = METRICS.entry("entity_recall")
    assert entry is not None and isinstance(entry.spec, ConversationMetric)
    values = [
        MetricValue(
            MetricSubject(number), "entity_recall", "searched", "1", 0.5, None, f"{number}", {"curve": curve}
        )
        for number, curve in enumerate(CURVES, start=1)
    ]
    problems: list[tuple[str, str]] = []
    (slope,) = compute_study_value(
        entry,
        entry.spec,
        [with_person(value, shared) for value in values],
        problems,
    )
    assert problems == []
    return slope


def test_the_samples_say_whose_conversations_they_are(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        persons = {
            key: conversations.shared_persons(connection, studies.get_by_key(connection, key).id)
            for key in ("vera_mh", "coaching_demo")
        }
    assert (len(persons["vera_mh"]), len(set(persons["vera_mh"].values()))) == (90, 10)
    assert persons["coaching_demo"] == {}


def test_a_slope_leaves_out_the_conversations_of_a_person_together() -> None:
    apart, shared = study_slope({}), study_slope({1: 1, 2: 1})
    by_person = truth_decay_rate(CURVES, [1, 1, 3, 4])
    assert (shared.detail["low"], shared.detail["high"]) == (by_person.low, by_person.high)
    assert shared.value == apart.value and shared.detail["low"] != apart.detail["low"]
    assert shown_metrics.basis(shared) == "4 conversations of 3 persons"
    assert shown_metrics.basis(apart) == "4 conversations"


def test_it_is_computed_anew_when_it_is_said_whose_they_are() -> None:
    assert len({study_slope(shared).inputs for shared in ({}, {1: 1, 2: 1}, {1: 1, 2: 1, 3: 1})}) == 3
