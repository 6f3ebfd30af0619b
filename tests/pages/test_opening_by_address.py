"""An address alone opens nothing of a study: its lead confirms, and a rater chooses the name, once a browser."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.keeping.verify import verify
from data.store.store import Store
from pages.widgets.ask_reader import OPENS_AS_LEAD
from pages.widgets.navigation import PAGES
from pages.widgets.remembered_person import RememberedPerson, cookie_value, read_cookie
from tests.pages.conftest import BarOfTest, messages, text_of
from tests.studies import small_study
from tests.studies.known_browsers import cookie_of_person, cookie_of_reader
from tests.studies.small_study import Small

App = Callable[..., AppTest]
ASKS = "Choose your name. Your list and your ratings are saved under it."
NOTED = "what a rater noted"
OF_PEOPLE = ("Ann", "Ben")
HIDDEN = (small_study.SAID, "private reasoning", "Reply 2.", "Judge A", "Judge B", NOTED, "Warm", "Deep")
IN_NO_STUDY = ("studies", "help")
DEEP = {
    "unit": "2",
    "criterion": "warm",
    "row": "warm",
    "note": "seen",
    "queue": "human_human",
    "part": "Plan",
}


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    made = small_study.make(store, tmp_path)
    made.desk(1).draft_all(2, "NO")
    made.desk(1).draft(2, "warm", "NO", note=NOTED)
    made.desk(1).commit(2)
    return made


@pytest.fixture
def raw_store(database: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        yield connection


def openings(store: Store) -> list[Any]:
    """The entries of the trail that record a study lead."""
    with store.reading() as connection:
        entries = select(schema.trail).where(schema.trail.c.action == "open as lead")
        return list(connection.execute(entries).all())


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("who", ["lead", "Ann", "Ben"])
def test_an_address_alone_shows_nothing_of_the_study(
    by_address: App, small: Small, store: Store, page: str, who: str
) -> None:
    reader = "lead" if who == "lead" else str(small.raters[OF_PEOPLE.index(who)])
    with messages() as sent:
        at = by_address(page, study="small", reader=reader, **DEEP)
    text = "\n".join(str(message) for message in sent)
    assert not at.exception
    if page not in IN_NO_STUDY:
        asked = OPENS_AS_LEAD if who == "lead" else ASKS
        assert asked in text_of(at) or page == "importing", "it asks nothing before there is a file"
    if page != "help":  # which is the same for everybody
        assert [words for words in HIDDEN if words in text] == []
    if who == "lead":
        assert [name for name in OF_PEOPLE if name in text] == []
    assert openings(store) == []


def test_what_is_hidden_is_shown_to_a_lead_who_confirmed(app: App, small: Small) -> None:
    """The list above would mean nothing if no page showed it."""
    with messages() as sent:
        for page in ("review", "agreement"):
            app(page, study="small", reader="lead", unit="2")
    said = "\n".join(str(message) for message in sent)
    assert [words for words in HIDDEN if words not in said] == []


# ---- the lead ----


def test_opening_as_lead_is_recorded_and_asked_once_a_browser(
    by_address: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    at = by_address("agreement", study="small", reader="lead")
    assert [button.label for button in at.button if button.key == "reader-lead"] == ["Open as lead"]
    at.button(key="reader-lead").click().run()
    assert not at.exception and "blind labels" in text_of(at)
    (entry,) = openings(store)
    assert (entry.actor, entry.study, entry.digest) == ("study lead", small.study.id, "{}") and entry.at
    with store.reading() as connection:
        assert verify(connection).problems == []
    at.run()
    at = bar.press(at, "judges", "small")
    at.query_params["unit"] = "2"
    assert OPENS_AS_LEAD not in text_of(at.run()), "in the tab"
    bar.remember(bar.remembered())
    assert OPENS_AS_LEAD not in text_of(by_address("review", study="small", reader="lead")), "after a reload"
    assert len(openings(store)) == 1
    bar.remember("")
    assert OPENS_AS_LEAD in text_of(by_address("agreement", study="small", reader="lead")), "another browser"


def test_nothing_is_shown_where_the_trail_cannot_be_written(
    by_address: App, small: Small, raw_store: sqlite3.Connection
) -> None:
    at = by_address("agreement", study="small", reader="lead")
    raw_store.execute("CREATE TRIGGER full BEFORE INSERT ON trail BEGIN SELECT RAISE(ABORT, 'full'); END")
    with messages() as sent:
        at.button(key="reader-lead").click().run()
    said = "\n".join(str(message) for message in sent)
    assert [words for words in HIDDEN if words in said] == [] and at.error


@pytest.mark.parametrize("key", ["small", "lend_an_ear"])
def test_each_study_is_confirmed_by_itself_and_a_cookie_grants_nothing(
    app: App, bar: BarOfTest, small: Small, store: Store, key: str
) -> None:
    proof = read_cookie(cookie_of_person(store, "", key)).leads[key]
    other = {"small": "lend_an_ear", "lend_an_ear": "small"}[key]
    changed = proof[:-1] + ("x" if proof[-1] != "x" else "y")
    for study, forged in (
        (other, proof),
        (key, "1.x"),
        (key, changed),
        (key, f"9{proof}"),
        (key, f"0{proof}"),
    ):
        bar.remember(cookie_value(RememberedPerson("", leads={study: forged})))
        assert OPENS_AS_LEAD in text_of(app("agreement", study=study, reader="lead")), forged
        assert bar.texts() == [] and 'sr-verdicts"' not in text_of(app("studies"))


def test_a_lead_by_address_may_be_a_rater_instead(
    by_address: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    at = by_address("review", study="small", reader="lead")
    at.button(key="reader-not-lead").click().run()
    assert ASKS in text_of(at) and openings(store) == []
    at.button(key=f"reader-{small.raters[0]}").click().run()
    assert bar.shown is not None and bar.shown.person == "Ann"


def test_choosing_to_lead_in_the_list_of_names_is_the_confirmation(
    by_address: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    at = by_address("agreement", study="small")
    assert "You will see every label. This is recorded" in text_of(at)
    at.text_input[0].set_value("Dr Weber")
    at.button(key="reader-lead").click().run()
    assert OPENS_AS_LEAD not in text_of(at) and [entry.actor for entry in openings(store)] == ["Dr Weber"]
    bar.remember(bar.remembered())
    by_address("importing", study="small", reader="lead")
    assert len(openings(store)) == 1


def test_a_rater_who_opens_an_address_of_the_lead_is_recorded_there_too(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie_of_reader(store, "small", str(small.raters[0])))
    app("agreement", study="small", reader="lead").button(key="reader-lead-record").click().run()
    assert [entry.actor for entry in openings(store)] == ["Ann"]


def test_somebody_else_who_sits_down_is_asked_again(app: App, bar: BarOfTest, small: Small) -> None:
    at = bar.press(app("overview", study="small", reader="lead"), forgets=True)
    at.query_params["reader"] = "lead"
    assert OPENS_AS_LEAD in text_of(at.run())


# ---- a rater ----


def test_a_colleagues_address_asks_for_the_name(app: App, bar: BarOfTest, small: Small) -> None:
    ann, ben = small.raters
    at = app("my_work", study="small", reader=str(ann))
    assert "0 of 4 rated" in text_of(at) and ASKS not in text_of(
        app("my_work", study="small", reader=str(ann))
    )
    at.query_params["reader"] = str(ben)
    at.run()
    assert ASKS in text_of(at) and "1 of 4 rated" not in text_of(at) and bar.texts() == []
    at.query_params["page"] = "review"
    assert ASKS in text_of(at.run())
    at.button(key=f"reader-{ann}").click().run()
    assert at.query_params["reader"] == str(ann) and bar.shown is not None and bar.shown.person == "Ann"


def test_names_in_other_studies_are_remembered_and_a_colleagues_is_not(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    other = small_study.make(store, tmp_path, key="other", raters=("R 7",))
    ann, ben = small.raters
    bar.remember(
        cookie_of_reader(store, "other", str(other.raters[0]), cookie_of_reader(store, "small", str(ann)))
    )
    assert ASKS not in text_of(app("my_work", study="small", reader=str(ann))), "a reload of the first tab"
    bar.remember(bar.remembered())
    assert ASKS not in text_of(app("my_work", study="other", reader=str(other.raters[0])))
    at = app("my_work", study="small", reader=str(ben))
    assert "Choose your name." in text_of(at) or "what do you do in this study?" in text_of(at)
    at.button(key=f"reader-{ben}").click().run()
    bar.remember(bar.remembered())
    at = app("my_work", study="small", reader=str(ann))
    assert ASKS in text_of(at), "Ben sits here now"
