"""One tab, one person after another: what the first one was shown, the next one has seen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.record import studies
from data.store.store import Store
from data.work import exposures
from tests.pages.conftest import BarOfTest, text_of
from tests.studies import small_study

App = Callable[..., AppTest]


@pytest.mark.parametrize("page", ["agreement", "judges"])
def test_who_takes_a_name_after_somebody_who_saw_the_whole_study_has_seen_it(
    app: Callable[..., AppTest], store: Store, tmp_path: Path, bar: BarOfTest, page: str
) -> None:
    small = small_study.make(store, tmp_path)
    for position in range(1, 5):
        small.desk().rate(position)
    first, second = small.raters
    at = app(page, study="small", reader=str(first))
    assert not at.exception and "left to rate blind" not in text_of(at)
    bar.press(at, forgets=True)
    with store.reading() as connection:
        assert exposures.saw_page(connection, first) and not exposures.saw_page(connection, second)
    assert "This tab has shown the labels of the whole study." in text_of(at) and "in a new tab" in text_of(
        at
    )
    at.button(key=f"reader-{second}").click().run()
    assert not at.exception and "Use the name Ben?" in text_of(at)
    with store.reading() as connection:
        assert not exposures.saw_page(connection, second), "they were asked, and have not answered"
    at.button(key="reader-take").click().run()
    assert not at.exception and "Choose your name." not in text_of(at)
    with store.reading() as connection:
        assert exposures.saw_page(connection, second), "their ratings from now on are not blind"


def asked_after_a_lead(app: App, bar: BarOfTest, page: str = "agreement") -> AppTest:
    """The chooser in a tab that showed everything to a lead."""
    at = app(page, study="small", reader="lead")
    bar.press(at, forgets=True)
    assert "This tab has shown the labels of the whole study." in text_of(at)
    return at


def test_a_name_that_is_not_taken_is_not_marked(
    app: App, store: Store, tmp_path: Path, bar: BarOfTest
) -> None:
    small = small_study.make(store, tmp_path)
    at = asked_after_a_lead(app, bar)
    at.button(key=f"reader-{small.raters[0]}").click().run()
    at.button(key="reader-not").click().run()
    assert "Use the name" not in text_of(at) and "Choose your name." in text_of(at)
    at.button(key=f"reader-{small.raters[1]}").click().run()
    assert "Use the name Ben?" in text_of(at) and "Ann?" not in text_of(at)
    at.button(key="reader-lead").click().run()
    bar.press(at, forgets=True)
    assert "Use the name" not in text_of(at), "the question of the last time is gone"
    with store.reading() as connection:
        assert not [rater for rater in small.raters if exposures.saw_page(connection, rater)]


def test_a_new_name_is_asked_about_before_it_is_added(
    app: App, store: Store, tmp_path: Path, bar: BarOfTest
) -> None:
    small = small_study.make(store, tmp_path)
    at = asked_after_a_lead(app, bar, "runs")

    def names() -> list[str]:
        with store.reading() as connection:
            return [rater.name for rater in studies.raters(connection, small.study.id)]

    for typed in ("  Cleo ", " Ben"):
        at.text_input[0].set_value(typed)
        next(button for button in at.button if button.label == "I rate here").click().run()
        assert f"Use the name {typed.strip()}?" in text_of(at) and names() == ["Ann", "Ben"]
    at.text_input[0].set_value("Cleo")
    next(button for button in at.button if button.label == "I rate here").click().run()
    at.button(key="reader-take").click().run()
    assert names() == ["Ann", "Ben", "Cleo"] and "Choose your name." not in text_of(at)
    with store.reading() as connection:
        assert [
            exposures.saw_page(connection, rater.id) for rater in studies.raters(connection, small.study.id)
        ] == [False, False, True]


def test_a_name_that_is_marked_already_and_a_tab_that_showed_nothing_ask_nothing(
    app: App, store: Store, tmp_path: Path, bar: BarOfTest
) -> None:
    small = small_study.make(store, tmp_path)
    ann, ben = small.raters
    with store.writing("Ann", "open", small.study.id) as (connection, entry):
        exposures.record_page(connection, entry, ann)
    at = asked_after_a_lead(app, bar)
    at.button(key=f"reader-{ann}").click().run()
    assert "Choose your name." not in text_of(
        at
    ) and "You opened the labels of the whole study earlier" in text_of(at)
    fresh = app("my_work", study="small")
    assert "labels of the whole study" not in text_of(fresh)
    fresh.button(key=f"reader-{ben}").click().run()
    assert "Choose your name." not in text_of(fresh)
    with store.reading() as connection:
        assert not exposures.saw_page(connection, ben)


def test_a_rater_who_may_see_the_whole_study_sees_no_name(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    for number in (0, 1):
        for position in range(1, 5):
            small.desk(number).rate(position)
    offered = {}
    for reader in (str(small.raters[0]), "lead"):
        at = app("agreement", study="small", reader=reader)
        assert not at.exception and all(code in text_of(at) for code in small.codes)
        assert not any(
            name in text_of(at) + str([box.options for box in at.selectbox]) for name in ("Ann", "Ben")
        )
        offered[reader] = [toggle.key for toggle in at.toggle]
    assert offered == {str(small.raters[0]): [], "lead": ["agreement-names"]}


def test_since_after_until_is_an_empty_report_and_no_error(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    small_study.make(store, tmp_path).desk().rate(1)
    at = app("agreement", study="small", reader="lead")
    at.date_input(key="agreement-since").set_value(date(2026, 3, 2)).run()
    at.date_input(key="agreement-until").set_value(date(2026, 3, 1)).run()
    assert not at.exception and "0 blind labels from 0 clinicians" in text_of(at)
