"""Gold is made beside the conversation, by a lead alone, who does not become a rater by it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select
from streamlit.testing.v1 import AppTest

from data import schema
from data.record import studies
from data.record.studies import Study
from data.store.store import Store
from data.work import certification, draws, setup
from data.work.plan import WorkPlan
from pages import gold
from pages.widgets.lead_pad.component import read_labels
from pages.widgets.lead_pad.contract import GoldSent, LeadPadData
from tests.pages.conftest import text_of

KEY = "coaching_demo"
RATERS_TABLES = (
    schema.rater,
    schema.rating,
    schema.draft,
    schema.commit,
    schema.assignment,
    schema.exposure,
    schema.progress,
)


class Pad:
    """The pad as the page filled it last, and what it sends next."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: LeadPadData | None = None
        self.sends: GoldSent | None = None
        monkeypatch.setattr(gold, "mount_pad", self.mount)

    def mount(self, data: LeadPadData) -> GoldSent | None:
        self.shown = data
        sent, self.sends = self.sends, None
        return sent


@pytest.fixture
def pad(monkeypatch: pytest.MonkeyPatch) -> Pad:
    return Pad(monkeypatch)


@pytest.fixture
def study(store: Store) -> Study:
    with store.reading() as connection:
        return studies.get_by_key(connection, KEY)


def plan_work(store: Store, study: Study) -> None:
    with store.writing("lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan(repeats=0.0))
        draws.draw(connection, entry, study, draws.read_spec({"method": "all"}), 0)
        setup.open_drawn_units(connection, study)


def open_gold(app: Callable[..., AppTest], unit: int, reader: str = "lead") -> AppTest:
    return app("gold", study=KEY, reader=reader, unit=str(unit), note="seen")


def rows(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in RATERS_TABLES
        }


def sent(labels: dict[str, str], expert: str = "Dr Gold", reason: str = "It holds.") -> GoldSent:
    return GoldSent(id="one", labels=labels, expert=expert, reason=reason)


def test_one_press_makes_it_gold_and_nobody_becomes_a_rater(
    app: Callable[..., AppTest], store: Store, study: Study, pad: Pad
) -> None:
    plan_work(store, study)
    before = rows(store)
    pad.sends = sent({"CQ1": "NO", "CQ2": "YES"})
    at = open_gold(app, 4)
    assert not at.exception and pad.shown is not None
    assert pad.shown.receipt is not None and pad.shown.receipt.words == "saved 2 labels as the expert's"
    assert (pad.shown.title, pad.shown.labels) == (
        "Conversation 4, with the expert's labels",
        {"CQ1": "NO", "CQ2": "YES"},
    )
    assert (pad.shown.expert, pad.shown.reason) == ("Dr Gold", "It holds.")
    with store.reading() as connection:
        assert {
            criterion: label.label
            for labels in certification.gold_labels(connection, study).values()
            for criterion, label in labels.items()
        } == {"CQ1": "NO", "CQ2": "YES"}
    assert rows(store) == before


def test_nothing_is_read_before_the_note_on_the_content(
    app: Callable[..., AppTest], store: Store, study: Study, pad: Pad
) -> None:
    plan_work(store, study)
    assert study.content_note
    app("gold", study=KEY, reader="lead", unit="4")
    assert pad.shown is None


def test_the_conversation_stands_beside_the_criteria_and_nothing_of_the_judge(
    app: Callable[..., AppTest], store: Store, study: Study, pad: Pad
) -> None:
    plan_work(store, study)
    open_gold(app, 3)
    assert pad.shown is not None and pad.shown.transcript is not None
    assert pad.shown.transcript[0].text.startswith("I need a better system")
    assert [criterion.id for criterion in pad.shown.criteria][:2] == ["CQ1", "CQ2"]
    page_data = json.dumps(pad.shown.model_dump(mode="json"), ensure_ascii=False)
    with store.reading() as connection:
        reasons = connection.execute(
            select(schema.content.c.text).join(
                schema.judgement, schema.judgement.c.reasoning_content == schema.content.c.id
            )
        ).scalars()
        assert not [reason for reason in reasons if reason and len(reason) > 30 and reason in page_data]
    assert "Demonstration judge" not in page_data


def test_labels_of_people_may_be_taken_over_and_the_cost_is_told(
    app: Callable[..., AppTest], store: Store, study: Study, pad: Pad
) -> None:
    plan_work(store, study)
    open_gold(app, 3)
    assert pad.shown is not None
    assert [source.name for source in pad.shown.sources] == ["Clinician A", "Clinician B"]
    assert pad.shown.sources[0].labels["CQ1"] in ("YES", "NO")
    assert pad.shown.notes == [
        "2 people rated this as part of their work. Once it has an expert's labels, no number about the "
        "judge includes it."
    ]
    open_gold(app, 4)
    assert pad.shown.sources == [] and pad.shown.notes == []


@pytest.mark.parametrize(
    ("labels", "expert", "words"),
    [
        ({}, "Dr Gold", "Give the label of at least one criterion."),
        ({"CQ1": "MAYBE"}, "Dr Gold", "'MAYBE' is not a label of CQ1 here."),
        ({"CQ1": "NO"}, " ", "Say whose labels these are."),
    ],
)
def test_what_cannot_be_gold_is_told_and_nothing_is_kept(
    app: Callable[..., AppTest],
    store: Store,
    study: Study,
    pad: Pad,
    labels: dict[str, str],
    expert: str,
    words: str,
) -> None:
    plan_work(store, study)
    pad.sends = sent(labels, expert)
    open_gold(app, 4)
    assert pad.shown is not None and pad.shown.receipt is not None
    assert (pad.shown.receipt.words, pad.shown.receipt.trouble) == (f"{words} Nothing was saved.", True)
    with store.reading() as connection:
        assert certification.gold_labels(connection, study) == {}


def test_without_a_plan_the_page_says_so(app: Callable[..., AppTest], store: Store, pad: Pad) -> None:
    at = open_gold(app, 4)
    assert "Save a plan of work first" in text_of(at) and pad.shown is None
    assert f"lead?study={KEY}" in text_of(at)


@pytest.mark.parametrize("unit", ["0", "99", "x"])
def test_a_unit_that_does_not_exist(app: Callable[..., AppTest], pad: Pad, unit: str) -> None:
    at = app("gold", study=KEY, reader="lead", unit=unit, note="seen")
    assert "There is no such conversation." in text_of(at) and pad.shown is None


def test_a_rater_is_shown_nothing_and_makes_no_gold(
    app: Callable[..., AppTest], store: Store, study: Study, pad: Pad, rater_id: Callable[..., int]
) -> None:
    plan_work(store, study)
    pad.sends = sent({"CQ1": "NO"})
    at = open_gold(app, 3, str(rater_id(KEY, "Reader 1")))
    assert "This page is for study leads" in text_of(at) and pad.shown is None
    with store.reading() as connection:
        assert certification.gold_labels(connection, study) == {}
    at = app("review", study=KEY, reader=str(rater_id(KEY, "Reader 1")), note="seen")
    assert "Set the expert's labels" not in text_of(at)


def test_a_lead_who_reads_a_unit_finds_the_way_to_make_it_gold(app: Callable[..., AppTest]) -> None:
    at = app("review", study=KEY, reader="lead", unit="3", note="seen")
    assert f'href="gold?study={KEY}&amp;reader=lead&amp;unit=3"' in text_of(at)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "x",
        {},
        {"id": "", "labels": {}, "expert": "", "reason": ""},
        {"id": "a", "labels": {"CQ1": 3}, "expert": "", "reason": ""},
        {"id": "a", "labels": {}, "expert": "", "reason": "x" * 20_001},
        {"id": "a", "labels": {}, "expert": "", "reason": "", "more": 1},
    ],
)
def test_what_the_pad_does_not_send_is_nothing(raw: Any) -> None:
    assert read_labels(raw) is None
