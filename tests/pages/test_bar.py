"""The bar: who sees which pages, where each leads, and what a press in it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.store.store import Store
from data.work import exposures
from pages.widgets.bar.component import Press, read_press
from pages.widgets.bar.contents import BarLink
from tests.pages.conftest import BarOfTest, text_of
from tests.studies import small_study
from tests.studies.known_browsers import cookie_of_person

App = Callable[..., AppTest]
LEAD = [
    "Overview",
    "Settle",
    "Agreement",
    "Metrics",
    "Drift",
    "Judges: Judges",
    "Judges: Runs",
    "Set-up: Work and raters",
    "Set-up: Plans of care",
    "Set-up: Instrument",
    "Set-up: Import",
]
BLIND = ["My work", "Rate", "Agreement", "Metrics"]
OPENED = ["My work", "Rate", "Settle", "Agreement", "Metrics", "Drift", "Judges: Judges", "Judges: Runs"]


def addresses(bar: BarOfTest) -> list[str]:
    assert bar.shown is not None
    links = [
        link for item in bar.shown.pages for link in ([item] if isinstance(item, BarLink) else item.links)
    ]
    return [link.address for link in links]


def current(bar: BarOfTest) -> list[str]:
    assert bar.shown is not None
    return [item.text for item in bar.shown.pages if item.current]


def test_outside_of_a_study_there_are_the_studies_and_bringing_in(app: App, bar: BarOfTest) -> None:
    app("studies")
    assert bar.shown is not None and bar.texts() == ["Studies", "Import"] and current(bar) == ["Studies"]
    assert addresses(bar) == ["./", "importing"] and bar.shown.study == "" and bar.shown.person == ""
    app("importing")
    assert bar.texts() == ["Studies", "Import"] and current(bar) == ["Import"]


def test_nobody_sees_the_study_and_no_page_that_would_only_ask(app: App, bar: BarOfTest) -> None:
    at = app("agreement", study="lend_an_ear")
    assert "Choose your name." in text_of(at) and bar.shown is not None
    assert bar.texts() == [] and bar.shown.study == "Lend an Ear" and bar.shown.person == ""
    assert [link.current for link in bar.shown.studies].count(True) == 1


def test_a_rater_sees_what_is_theirs(app: App, bar: BarOfTest, rater_id: Callable[..., int]) -> None:
    reader = str(rater_id("lend_an_ear", "Reader 1"))
    app("my_work", study="lend_an_ear", reader=reader)
    assert bar.shown is not None and bar.texts() == BLIND and current(bar) == ["My work"]
    assert (bar.shown.person, bar.shown.role) == ("Reader 1", "")
    assert addresses(bar)[:2] == [
        f"my_work?study=lend_an_ear&reader={reader}",
        f"review?study=lend_an_ear&reader={reader}",
    ]


def test_a_rater_who_opened_the_study_sees_its_results(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    with store.writing("Ann", "open", small.study.id) as (connection, entry):
        exposures.record_page(connection, entry, small.raters[0])
    app("judges", study="small", reader=str(small.raters[0]))
    assert bar.texts() == OPENED and current(bar) == ["Judges"]


def test_a_rater_of_a_study_that_never_shows_the_judge_sees_no_page_of_results(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path, reveal="never")
    app("metrics", study="small", reader=str(small.raters[0]))
    assert bar.texts() == ["My work", "Rate", "Metrics"]


def test_every_page_in_the_bar_of_a_rater_has_something_to_show(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    for position in range(1, 5):
        small.desk().rate(position)
    app("my_work", study="small", reader=str(small.raters[0]))
    assert bar.texts() == OPENED, "everything is rated"
    for name in ("adjudication", "agreement", "metrics", "drift", "judges", "runs"):
        at = app(name, study="small", reader=str(small.raters[0]))
        assert not at.exception and "left to rate blind" not in text_of(at), name


def test_a_lead_sees_no_page_of_raters(app: App, bar: BarOfTest) -> None:
    app("lead", study="lend_an_ear", reader="lead")
    assert bar.shown is not None and bar.texts() == LEAD and current(bar) == ["Set-up"]
    assert (bar.shown.person, bar.shown.role) == ("Study lead", "lead")
    assert set(addresses(bar)) >= {"adjudication?study=lend_an_ear&reader=lead"}
    for name in ("calls", "calibration"):
        app(name, study="lend_an_ear", reader="lead")
        assert current(bar) == [{"calls": "Judges", "calibration": "Set-up"}[name]]


@pytest.mark.parametrize("page", ["review", "adjudication"])
def test_letters_go_nowhere_where_letters_are_labels(app: App, bar: BarOfTest, page: str) -> None:
    app(page, study="lend_an_ear", reader="lead")
    assert bar.shown is not None and not bar.shown.letters
    app("metrics", study="lend_an_ear", reader="lead")
    assert bar.shown.letters


def test_study_and_reader_go_along_and_nothing_else(app: App, bar: BarOfTest) -> None:
    at = app("agreement", study="lend_an_ear", reader="lead", since="2026-01-01", criterion="x")
    at = bar.press(at, "drift", "lend_an_ear")
    assert not at.exception and current(bar) == ["Drift"]
    assert at.query_params == {"study": "lend_an_ear", "reader": "lead"}
    at = bar.press(at, "studies")
    assert at.query_params == {} and bar.texts() == ["Studies", "Import"]
    at = bar.press(at, "importing")
    assert at.query_params == {} and bar.texts() == ["Studies", "Import"], "the study was left"


def test_another_study_on_the_same_page_where_one_may_open_it(
    app: App, bar: BarOfTest, store: Store, rater_id: Callable[..., int]
) -> None:
    at = app("metrics", study="lend_an_ear", reader=str(rater_id("lend_an_ear", "Reader 1")))
    at = bar.press(at, "metrics", "vera_mh")
    assert not at.exception and current(bar) == ["Metrics"]
    assert at.query_params["reader"] == str(rater_id("vera_mh", "Reader 1")), "a rater there, too"
    lead = app("lead", study="coaching_demo", reader="lead")
    lead = bar.press(lead, "lead", "lend_an_ear")
    assert "reader" not in lead.query_params and bar.texts() == [], "leading is said of each study"
    lead.button(key="reader-lead").click().run()
    assert bar.texts() == LEAD
    bar.remember(cookie_of_person(store, "Reader 1", "plan_demo"))
    rating = app("my_work", study="coaching_demo")
    assert current(bar) == ["My work"]
    rating = bar.press(rating, "my_work", "plan_demo")
    assert "reader" not in rating.query_params, "Reader 1 rates there and leads it: that is asked"


def test_a_rater_on_a_page_of_results_comes_to_their_work_in_a_study_they_rate_blind(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path, rater_id: Callable[..., int]
) -> None:
    reader = rater_id("lend_an_ear", "Reader 1")
    with store.writing("Reader 1", "open", 4) as (connection, entry):
        exposures.record_page(connection, entry, reader)
    at = app("drift", study="lend_an_ear", reader=str(reader))
    assert current(bar) == ["Drift"]
    at = bar.press(at, "drift", "vera_mh")
    assert current(bar) == ["My work"] and "left to rate blind" not in text_of(at)


@pytest.mark.parametrize(
    ("go", "forget"),
    [
        (None, None),
        ("agreement", None),
        ({"page": 1, "study": "x"}, None),
        ({"page": "agreement"}, None),
        ({"page": "", "study": ""}, None),
        ([], False),
    ],
)
def test_what_the_bar_does_not_send_is_nothing(go: object, forget: object) -> None:
    assert read_press(go, forget) is None


def test_what_the_bar_sends_is_read(app: App, bar: BarOfTest) -> None:
    assert read_press({"page": "drift", "study": "x", "more": 1}, None) == Press("drift", "x")
    assert read_press(None, True) == Press(forgets=True)
    at = app("agreement", study="lend_an_ear", reader="lead")
    for page, study in (("nothing", "lend_an_ear"), ("drift", "nothing"), ("agreement", "")):
        at = bar.press(at, page, study)
        assert not at.exception and current(bar) == ["Agreement"]


def test_the_row_of_a_study_opens_it_for_its_lead_and_goes_on_for_its_rater(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    small.desk(0).rate(1)
    at = bar.press(app("overview", study="small", reader="lead"), "studies")
    labels = {button.key: button.label for button in at.button}
    assert labels["open-small"] == "Open" and "rate-small" not in labels
    bar.remember(cookie_of_person(store, "Ann"))
    at = app("studies")
    labels = {button.key: button.label for button in at.button}
    assert labels["rate-small"] == "Continue rating" and "open-small" not in labels
    assert "1 of 4 rated" in text_of(at)
    at.button(key="rate-small").click().run()
    assert not at.exception and at.query_params["reader"] == str(small.raters[0])
