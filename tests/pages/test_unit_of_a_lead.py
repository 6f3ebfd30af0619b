"""The unit as a study lead reads it: what they came for first, and raters called as on the Agreement page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from data.record import studies
from data.store.store import Store
from pages.widgets import unit_links
from tests.pages.conftest import evidence_tables, text_of
from tests.studies import importing, settling, small_study
from tests.studies.small_study import Small

App = Callable[..., AppTest]


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    """On c2 Ben says NO and Ann YES."""
    made = small_study.make(store, tmp_path)
    made.desk(1).rate(2, "NO")
    made.desk(0).rate(2)
    return made


def table_of(at: AppTest) -> dict[str, Any]:
    assert not at.exception
    (table,) = evidence_tables(at)
    return table


def answers(at: AppTest, criterion: str) -> list[list[str]]:
    """Who said what of a criterion, as it stands behind its row."""
    (row,) = [row for row in table_of(at)["rows"] if row["key"] == criterion]
    rows = re.findall(r"<tr><th scope=\"row\".*?</tr>", row["behind"])
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", cells)[:3] for cells in rows]


@pytest.mark.parametrize("asked", ["warm", "safe", "deep"])
def test_the_criterion_of_the_address_stands_first_and_is_open(app: App, small: Small, asked: str) -> None:
    table = table_of(app("review", study="small", reader="lead", unit="2", criterion=asked))
    assert table["opened"] == table["rows"][0]["key"] == asked


def test_without_one_or_with_an_unknown_one_none_is_open(app: App, small: Small) -> None:
    for more in ({}, {"criterion": "tall"}):
        table = table_of(app("review", study="small", reader="lead", unit="2", **more))
        assert table["opened"] == "" and [row["key"] for row in table["rows"]] == ["warm", "safe", "deep"]


def test_the_page_begins_with_who_says_what(app: App, small: Small) -> None:
    """Judge B failed on Safe, so only Judge A stands with Ann there; on the others both judges do."""
    ann, ben = small.codes
    at = app("review", study="small", reader="lead", unit="2")
    yes, no = f"{ann}, Judge A and Judge B", ben
    words = {
        f"Warm: {yes} say “Yes”, {no} “No”. 3 of 3 criteria differ.",
        f"Warm: {no} says “No”, {yes} “Yes”. 3 of 3 criteria differ.",
    }
    assert any(sentence in text_of(at) for sentence in words)
    assert {row["verdict"] for row in table_of(at)["rows"]} == {"clinicians differ"}
    assert table_of(at)["columns"][0]["name"] == min(small.codes).removeprefix("Rater ")


def test_raters_have_the_codes_of_the_agreement_page_until_names_are_asked_for(
    app: App, small: Small
) -> None:
    ann, ben = small.codes
    at = app("review", study="small", reader="lead", unit="2")
    people = sorted([[ann, "Yes", "blind"], [ben, "No", "blind"]])
    assert answers(at, "warm")[:2] == people, "in the order of the codes"
    assert answers(at, "warm")[2] == ["Judge A", "Yes", "judge"]
    assert "Ann" not in text_of(at) and "Ben" not in text_of(at)
    agreement = app("agreement", study="small", reader="lead")
    assert f"<td>{ben}</td><td>No</td><td>Yes</td>" in text_of(agreement)
    at.toggle(key="unit-names").set_value(True).run()
    assert ["Ben", "No", "blind"] in answers(at, "warm") and ["Ann", "Yes", "blind"] in answers(at, "warm")
    assert ben not in text_of(at)
    at.toggle(key="unit-names").set_value(False).run()
    assert "Ann" not in text_of(at)


def test_a_settled_label_stands_in_a_column_of_its_own(app: App, small: Small, store: Store) -> None:
    assert "Settled" not in [
        column["name"]
        for column in table_of(app("review", study="small", reader="lead", unit="2"))["columns"]
    ]
    with store.writing("tests", "add rater") as (connection, entry):
        third = studies.add_rater(connection, entry, small.study.id, "Dr. Third")
    settling.plan(store, small.study, small.raters)  # nothing is left to rate for somebody else
    colleague = settling.Colleague(store, small.study, third)
    colleague.open(2)
    colleague.settle(2, "warm", "NO", reason="He says it in turn 1.")
    table = table_of(app("review", study="small", reader="lead", unit="2"))
    assert table["columns"][-1]["name"] == "Settled"
    (row,) = [row for row in table["rows"] if row["key"] == "warm"]
    assert row["cells"][-1] == "No"
    assert "He says it in turn 1." in str(row["behind"]) and "Dr. Third" not in str(row["behind"])


def test_an_imported_rater_who_is_confirmed_is_the_same_person(
    app: App, small: Small, tmp_path: Path
) -> None:
    labels = tmp_path / "paper.csv"
    labels.write_text(
        "conversation_id,rater,criterion,label\nc2,Ann,warm,NO\nc3,Ann,warm,NO\n", encoding="utf-8"
    )
    importing.import_ratings(
        small.store, "small", labels, "Dr Lee", "blind", "her forms", same_raters=("Ann",)
    )
    both = app("review", study="small", reader="lead", unit="2")
    code = small.codes[0]
    theirs = [row for row in answers(both, "warm") if row[0] == code]
    outranked = "blind; from a file, the label given here counts"
    assert theirs == [[code, "Yes", "blind"], [code, "No", outranked]]
    both.toggle(key="unit-names").set_value(True).run()
    assert ["Ann", "Yes", "blind"] in answers(both, "warm") and "(imported)" not in text_of(both)
    alone = app("review", study="small", reader="lead", unit="3")
    assert [code, "No", "blind; from a file"] in answers(alone, "warm")


def test_where_there_is_one_criterion_its_reasons_are_open(app: App) -> None:
    table = table_of(app("review", study="plan_demo", reader="lead", unit="2"))
    assert [row["key"] for row in table["rows"]] == [table["opened"]]


def test_so_many_that_an_address_would_grow_long_are_not_read_in_turn(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight conversations on which the judge differs."""

    def addresses() -> str:
        return text_of(app("agreement", study="coaching_demo", reader="lead", criterion="CQ2"))

    assert "&amp;among=3.5.6.7.8.9.10.12&quot;" in addresses().replace('"', "&quot;")
    monkeypatch.setattr(unit_links, "MOST_IN_TURN", 7)
    assert "unit=12" in addresses() and "among=" not in addresses()


def test_of_those_that_are_read_in_turn_the_last_leads_no_further(app: App) -> None:
    def ways(**address: str) -> list[str]:
        body = text_of(app("review", study="coaching_demo", reader="lead", note="seen", **address))
        return re.findall(r'class="sr-(?:previous|next)" href="[^"]*unit=(\d+)', body)

    assert ways(unit="9", among="4.9.2") == ["4", "2"] and ways(unit="2", among="4.9.2") == ["9"]
    assert ways(unit="2", among="4.9") == ways(unit="2") == ["1", "3"]
    assert ways(unit="1") == ["2"] and ways(unit="14") == ["13"]
