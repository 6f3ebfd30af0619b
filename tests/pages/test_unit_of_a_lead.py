"""The unit as a study lead reads it: what they came for first, and raters called as on the Agreement page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.store import Store
from tests import importing, small_study
from tests.pages.conftest import text_of
from tests.small_study import Small

App = Callable[..., AppTest]
CAME_FOR = "You came for this criterion; the others follow."


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    """On c2 Ben says NO and Ann YES."""
    made = small_study.make(store, tmp_path)
    made.desk(1).rate(2, "NO")
    made.desk(0).rate(2)
    return made


def order(at: AppTest) -> list[str]:
    said = text_of(at)
    return sorted(("Warm", "Safe", "Deep"), key=lambda name: said.index(f"<caption>{name}</caption>"))


@pytest.mark.parametrize(("asked", "first"), [("safe", "Safe"), ("deep", "Deep"), ("warm", "Warm")])
def test_the_criterion_of_the_address_stands_first(app: App, small: Small, asked: str, first: str) -> None:
    at = app("review", study="small", reader="lead", unit="2", criterion=asked)
    assert not at.exception
    said = text_of(at)
    assert order(at) == [first, *(name for name in ("Warm", "Safe", "Deep") if name != first)]
    assert said.count(CAME_FOR) == 1 and said.index(CAME_FOR) < said.index(f"<caption>{first}</caption>")


def test_without_one_or_with_an_unknown_one_they_stand_as_in_the_instrument(app: App, small: Small) -> None:
    for more in ({}, {"criterion": "tall"}):
        at = app("review", study="small", reader="lead", unit="2", **more)
        assert not at.exception and order(at) == ["Warm", "Safe", "Deep"] and CAME_FOR not in text_of(at)


def test_raters_have_the_codes_of_the_agreement_page_until_names_are_asked_for(
    app: App, small: Small
) -> None:
    def row(who: str, label: str) -> str:
        return f'<th scope="row">{who}</th><td>{label}</td>'

    ann, ben = small.codes
    at = app("review", study="small", reader="lead", unit="2")
    page_text = text_of(at)
    assert row(ben, "No") in page_text and row(ann, "Yes") in page_text
    assert (page_text.index(ann) < page_text.index(ben)) == (ann < ben), "in the order of the codes"
    assert row("Judge A", "Yes") in page_text and "Ann" not in page_text and "Ben" not in page_text
    agreement = app("agreement", study="small", reader="lead")
    assert f"<td>{ben}</td><td>No</td><td>Yes</td>" in text_of(agreement)
    at.toggle(key="unit-names").set_value(True).run()
    page_text = text_of(at)
    assert row("Ben", "No") in page_text and row("Ann", "Yes") in page_text and ben not in page_text
    at.toggle(key="unit-names").set_value(False).run()
    assert "Ann" not in text_of(at)


def row_seen(who: str, label: str, seen: str) -> str:
    return f'<th scope="row">{who}</th><td>{label}</td><td>{seen}</td>'


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
    assert not both.exception
    here, file = (
        row_seen(small.codes[0], "Yes", "blind"),
        row_seen(small.codes[0], "No", "blind; from a file, the label given here counts"),
    )
    assert here in text_of(both) and text_of(both).index(here) < text_of(both).index(file)
    both.toggle(key="unit-names").set_value(True).run()
    assert row_seen("Ann", "Yes", "blind") in text_of(both) and "(imported)" not in text_of(both)
    alone = app("review", study="small", reader="lead", unit="3")
    assert not alone.exception and row_seen(small.codes[0], "No", "blind; from a file") in text_of(alone)
