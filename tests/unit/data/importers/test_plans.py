"""Studies of single replies: which replies are rated, and how a label finds its turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ROOT
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused, ImportReport
from data.importers.turns import OWN_COUNT
from data.record import studies, units
from data.record.studies import StudySpec
from data.record.units import Unit
from data.store.errors import Refused
from data.store.store import Store
from tests.studies import importing
from tests.unit.data.importers.conftest import lines


def reply(plan: str) -> str:
    return f"<plan>{plan}</plan>\n\nA wall rises."


@pytest.fixture
def bring(store: Store, write: Callable[..., Path]) -> Callable[..., ImportReport]:
    """Make the study "dreams" of these replies, one conversation."""

    def run(*replies: str, taxonomy: str | None = "dream_code_7") -> ImportReport:
        spec = NewStudy(
            StudySpec("dreams", "Dreams", 0),
            "plan_alignment",
            taxonomy,
            (),
            ROOT / "instruments",
            ROOT / "taxonomies",
        )
        content = lines({"id": "a", "turns": [{"user": "A monster.", "assistant": text} for text in replies]})
        return importing.import_conversations(store, "dreams", write(content), "tests", new=spec)

    return run


@pytest.fixture
def rate(store: Store, write: Callable[..., Path]) -> Callable[..., ImportReport]:
    """Import one label of a person, in a file that counts turns from 1."""

    def run(**row: Any) -> ImportReport:
        content = lines(
            {"conversation_id": "a", "rater": "Dr. Paper", "criterion": "safety", "label": "2", **row}
        )
        return importing.import_ratings(
            store, "dreams", write(content, "labels.jsonl"), "tests", "blind", "a protocol", turns=OWN_COUNT
        )

    return run


def found(store: Store) -> list[Unit]:
    with store.reading() as connection:
        study = studies.find(connection, "dreams")
        assert study is not None
        return [unit for p in range(1, 9) if (unit := units.at_position(connection, study.id, p))]


def test_every_reply_with_a_plan_is_a_unit_with_its_strategies(
    store: Store, bring: Callable[..., ImportReport]
) -> None:
    bring(reply("safety / confrontation"), reply("social_support"))
    assert [(unit.message, unit.declared) for unit in found(store)] == [
        (1, ("safety", "confrontation")),
        (3, ("social_support",)),
    ]


def test_a_reply_without_a_plan_is_not_rated(store: Store, bring: Callable[..., ImportReport]) -> None:
    bring("Just words.", reply("safety"))
    assert [unit.message for unit in found(store)] == [3]


def test_a_plan_without_a_response_is_not_rated(store: Store, bring: Callable[..., ImportReport]) -> None:
    report = bring("<plan>safety</plan>")
    assert found(store) == []
    assert "no reply has a declared plan and a response, so there is nothing to rate" in report.lines()[0]


def test_a_strategy_that_the_taxonomy_lacks_is_noticed_and_the_others_are_rated(
    store: Store, bring: Callable[..., ImportReport]
) -> None:
    report = bring(reply("safety / hope"))
    assert [unit.declared for unit in found(store)] == [("safety",)]
    assert "message 2 declares hope, which the taxonomy dream_code_7 does not have" in report.lines()[0]


def test_an_unclosed_plan_is_noticed(bring: Callable[..., ImportReport]) -> None:
    assert "message 2 has a <plan> without an end" in bring("<plan>safety\n\nA wall rises.").lines()[0]


def test_without_a_taxonomy_there_is_no_such_study(bring: Callable[..., ImportReport]) -> None:
    with pytest.raises(Refused, match="needs a taxonomy"):
        bring(reply("safety"), taxonomy=None)


def test_a_label_finds_the_reply_of_its_turn(
    store: Store, bring: Callable[..., ImportReport], rate: Callable[..., ImportReport]
) -> None:
    bring(reply("safety"), "Just words.", reply("safety"))
    assert rate(turn=3).added["ratings"] == 1
    assert rate(turn="3").already["ratings"] == 1
    assert rate(turn="1").added["ratings"] == 1


def test_with_one_unit_no_turn_is_needed(
    bring: Callable[..., ImportReport], rate: Callable[..., ImportReport]
) -> None:
    bring(reply("safety"))
    assert rate().added["ratings"] == 1


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({}, "this conversation has 2 replies to rate; say which with the field turn"),
        ({"turn": 2}, "there is nothing to rate in turn 2 of this conversation"),
        ({"turn": "last"}, "there is nothing to rate in turn last of this conversation"),
        (
            {"turn": 1, "criterion": "social_support"},
            "has no criterion 'social_support' for this reply; it has safety",
        ),
    ],
)
def test_a_label_that_finds_no_reply_is_named(
    bring: Callable[..., ImportReport], rate: Callable[..., ImportReport], row: dict[str, Any], says: str
) -> None:
    bring(reply("safety"), "Just words.", reply("safety"))
    with pytest.raises(ImportRefused) as caught:
        rate(**row)
    assert says in caught.value.report.lines()[0]
