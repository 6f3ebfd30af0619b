"""Whatever an address says, a page opens or says in a sentence what there is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.address_number import read_number
from pages.widgets.navigation import PAGES
from tests.pages.conftest import text_of

App = Callable[..., AppTest]
NUMBERS = ["unit", "turn", "round", "among", "apart", "judge", "rater"]
NAMES = ["part", "criterion", "ratings", "condition", "row", "queue", "about", "metric", "topic", "section"]
OTHERS = ["since", "until", "back", "for", "brought-in"]
PARAMETERS = [*NUMBERS, *NAMES, *OTHERS]
JUNK = ("1\x00", "9" * 5000, "\u00b2", "-1", "1e3", "../..", "\ufffd\u202e")


@pytest.mark.parametrize("page", PAGES)
def test_no_parameter_breaks_a_page_of_a_lead(app: App, page: str) -> None:
    for junk in JUNK:
        at = app(page, study="coaching_demo", reader="lead", note="seen", **dict.fromkeys(PARAMETERS, junk))
        assert not at.exception, junk
        assert not text_of(at).startswith("There is no study")


@pytest.mark.parametrize("page", ["my_work", "review", "adjudication", "calibration", "metrics"])
def test_no_parameter_breaks_a_page_of_a_rater(app: App, rater_id: Callable[..., int], page: str) -> None:
    reader = str(rater_id("coaching_demo", "Reader 1"))
    for junk in JUNK:
        at = app(page, study="coaching_demo", reader=reader, note="seen", **dict.fromkeys(PARAMETERS, junk))
        assert not at.exception and at.query_params["reader"] == reader, junk


@pytest.mark.parametrize("page", PAGES)
def test_no_study_or_reader_breaks_a_page(by_address: App, page: str) -> None:
    for junk in (*JUNK, "a" * 200_000):
        at = by_address(page, study=junk, reader=junk)
        assert not at.exception and len(text_of(at)) < 200_000, junk[:9]
        assert page in ("studies", "importing", "help") or "Choose a study first" in text_of(at)
        at = by_address(page, study="coaching_demo", reader=junk)
        assert not at.exception and "read and cited" not in text_of(at), junk[:9]
    at.query_params["study"], at.query_params["reader"] = ["lend_an_ear", "coaching_demo"], ["lead", "1"]
    assert not at.run().exception
    assert not by_address(page, study="a" * 1_000_000).exception, "the platform leaves out such an address"


def test_a_page_that_there_is_not_is_the_list_of_studies(by_address: App) -> None:
    for junk in JUNK:
        assert "Studies" in text_of(by_address(junk))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("12", 12),
        ("9" * 9, 999_999_999),
        ("9" * 10, None),
        ("\u00b2", None),
        ("-1", None),
        ("", None),
    ],
)
def test_a_number_in_an_address(text: str, number: int | None) -> None:
    assert read_number(text) == number
