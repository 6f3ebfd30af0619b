"""Curves with the facts that divide a study."""

from __future__ import annotations

import numpy as np
import pytest

from data.keeping.erase import erase_conversation
from data.record import conversations, curves, studies
from data.record.curves import CurveTable
from data.record.metrics import MetricSubject, MetricValue, keep
from data.store.store import Store
from tests.studies.made_curves import put_curves


@pytest.fixture
def curve_store(sample_store: Store) -> Store:
    put_curves(sample_store)
    return sample_store


def read(store: Store, variant: str = "actions/windowed") -> CurveTable:
    with store.reading() as connection:
        study = studies.find(connection, "vera_mh")
        assert study is not None
        return curves.read(connection, study.id, "goal_alignment", variant)


def test_every_conversation_has_its_curve_its_unit_and_its_facts(curve_store: Store) -> None:
    table = read(curve_store)
    assert len(table.key) == 90 and table.position.tolist() == list(range(1, 91))
    assert np.isnan(table.values[:, 0]).all() and table.values.shape == table.local.shape
    for row, turns in enumerate(table.turns):
        assert not np.isnan(table.values[row, 1:turns]).any() and np.isnan(table.values[row, turns:]).all()
    assert table.divides()[0] == "provider_llm" and set(table.facts["provider_llm"]) == {
        "gpt4o",
        "gpt5",
        "gemini3",
    }
    assert "persona" not in table.divides() and "source_file" not in table.divides()
    assert table.part.max() + 1 == len(set(table.facts["persona"]))


def test_the_newest_number_counts_and_nothing_of_another_metric(curve_store: Store) -> None:
    before = read(curve_store)
    with curve_store.reading() as connection:
        study = studies.find(connection, "vera_mh")
    assert study is not None
    with curve_store.writing("test", "score", study.id) as (connection, entry):
        keep(
            connection,
            entry,
            study.id,
            [
                MetricValue(
                    MetricSubject(conversation_id=int(before.conversation[3])),
                    "goal_alignment",
                    "actions/windowed",
                    "1",
                    0.9,
                    None,
                    "anew",
                    {"curve": [0.9, None]},
                ),
                MetricValue(
                    MetricSubject(conversation_id=int(before.conversation[4])),
                    "entity_recall",
                    "searched",
                    "1",
                    0.1,
                    None,
                    "other",
                    {"curve": [0.1]},
                ),
            ],
        )
    after = read(curve_store)
    with curve_store.reading() as connection:
        assert curves.of_one(
            connection, int(before.conversation[3]), "goal_alignment", "actions/windowed"
        ) == ([0.9, None], None)
        assert curves.of_one(connection, int(before.conversation[3]), "goal_alignment", "full/windowed") == (
            [],
            None,
        )
    assert after.values[3, 0] == after.last[3] == 0.9 and np.isnan(after.values[3, 1:]).all()
    np.testing.assert_array_equal(after.values[4], before.values[4])
    with curve_store.reading() as connection:
        assert curves.kinds(connection, study.id) == [
            ("goal_alignment", "actions/windowed"),
            ("goal_alignment", "actions/truncated"),
            ("entity_recall", "searched"),
        ]
        assert curves.read(connection, study.id, "no", "such").key == ()


def test_conflicts_of_advice_stand_in_the_same_frame(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "vera_mh")
        assert study is not None
        talk = conversations.ids(connection, study.id)[0]
    pairs = [[2, "entailment"], [4, "contradiction"], [5, "error"]]
    with sample_store.writing("test", "score", study.id) as (connection, entry):
        keep(
            connection,
            entry,
            study.id,
            [
                MetricValue(
                    MetricSubject(conversation_id=talk),
                    "knowledge_conflict",
                    "product",
                    "1",
                    0.5,
                    None,
                    "made",
                    {"pairs": pairs},
                )
            ],
        )
    with sample_store.reading() as connection:
        assert curves.kinds(connection, study.id) == [("knowledge_conflict", "product")]
        values = curves.read(connection, study.id, "knowledge_conflict", "product").values.tolist()[0]
    assert [None if value != value else value for value in values] == [None, 0.0, None, 1.0]


def test_of_erased_words_the_numbers_stay_without_the_facts(curve_store: Store) -> None:
    key = read(curve_store).key[0]
    with curve_store.reading() as connection:
        study = studies.find(connection, "vera_mh")
        assert study is not None
    with curve_store.writing("test", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, key, "asked for")
    table = read(curve_store)
    assert (
        len(table.key) == 90 and table.facts["provider_llm"][0] is None and not np.isnan(table.values[0, 1])
    )
