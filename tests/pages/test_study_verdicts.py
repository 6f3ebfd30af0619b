"""The verdicts of the judge in the list of studies: only to who may see them, and seeing them counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.record import studies
from data.store.store import Store
from data.work import exposures
from pages.widgets.overview import verdict_dots
from tests.pages.conftest import BarOfTest, text_of
from tests.pages.test_remembered_person import cookie
from tests.studies import small_study
from tests.studies.known_browsers import cookie_of_person
from tests.studies.small_study import Small

App = Callable[..., AppTest]
DOTS = 'class="sr-small sr-verdicts"'


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    return small_study.make(store, tmp_path)


def exposed(store: Store) -> list[int]:
    with store.reading() as connection:
        return list(connection.execute(select(schema.exposure.c.rater_id)).scalars())


def test_nobody_in_particular_sees_none(app: App, bar: BarOfTest, small: Small) -> None:
    page_text = text_of(app("studies"))
    assert (
        DOTS not in page_text
        and ("and the verdicts on the judge at the end") not in page_text
        and "Judge A" not in page_text
    )


def test_who_leads_a_study_sees_its_verdicts_and_those_of_no_other(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie_of_person(store, "Dr Weber", "lend_an_ear"))
    at = app("studies")
    page_text = text_of(at)
    assert not at.exception and page_text.count(DOTS) == 1
    assert 'aria-label="Encourages elaboration: matches clinicians"' in page_text
    assert page_text.count('role="img" title=') == 6
    assert (
        page_text.count("The judge, criterion by criterion: ") == 1
        and "</span> clinicians differ or not shown yet or too early to say" in page_text
    )
    assert at.session_state["saw-lend_an_ear"] and "saw-small" not in at.session_state


def test_who_still_rates_blind_is_told_when_and_nothing_else(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie("Ann"))
    page_text = text_of(app("studies"))
    assert (
        "You see the judge&#39;s labels after each conversation, and the verdicts on the judge at the end"
        in page_text
    )
    assert DOTS not in page_text and "Judge A" not in page_text and "colleague" not in page_text
    for number in range(1, 5):
        small.desk(0).rate(number)
    at = app("studies")
    assert "The Agreement page shows the judge" in text_of(at) and DOTS not in text_of(at)
    assert exposed(store) == [] and "saw-small" not in at.session_state, "a list ends nobody's blindness"


def test_a_rater_who_has_seen_the_labels_sees_the_verdicts(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    for number in range(1, 5):
        small.desk(0).rate(number)
    app("agreement", study="small", reader=str(small.raters[0]))
    with store.reading() as connection:
        assert exposures.saw_page(connection, small.raters[0])
    bar.remember(cookie("Ann"))
    at = app("studies")
    assert text_of(at).count(DOTS) == 1 and at.session_state["saw-small"]
    bar.remember(cookie("Ben"))
    assert DOTS not in text_of(app("studies")), "what one was shown is shown to no other"


def test_where_replies_are_rated_the_judge_comes_after_each_reply(app: App, bar: BarOfTest) -> None:
    bar.remember(cookie("Reader 1"))
    assert "You see the judge&#39;s labels after each reply, and the verdicts" in text_of(app("studies"))


def test_a_study_that_never_reveals_says_so(app: App, bar: BarOfTest, store: Store, tmp_path: Path) -> None:
    small_study.make(store, tmp_path, reveal="never")
    bar.remember(cookie("Ann"))
    assert "Raters do not see the judge" in text_of(app("studies"))


def test_a_study_that_reveals_batch_by_batch_says_so(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small_study.make(store, tmp_path, reveal="after_batch", batch_size=2)
    bar.remember(cookie("Ann"))
    assert (
        "You see the judge&#39;s labels after every few, and the verdicts on the judge at the end"
    ) in text_of(app("studies"))


def test_of_a_large_study_only_what_a_page_has_computed_is_shown(
    app: App, bar: BarOfTest, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict_dots, "MAX_UNITS_COMPUTED", 10)
    bar.remember(cookie_of_person(store, "Dr Weber", "lend_an_ear"))
    at = app("studies")
    assert not at.exception and DOTS not in text_of(at)
    at = app("overview", study="lend_an_ear", reader="lead")
    assert not at.exception
    assert DOTS in text_of(app("studies")), "tabs share what is made"


def test_a_study_without_a_judge_promises_none(app: App, bar: BarOfTest, store: Store) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "vera_mh")
    assert study is not None
    bar.remember(cookie("Reader 1"))
    at = app("studies")
    assert text_of(at).count("You see the judge&#39;s labels ") == 5
