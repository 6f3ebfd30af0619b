"""Who somebody is, said once a browser; and no way around what the labels of a study do to a rater's name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.record import studies
from data.store.store import Store
from data.work import exposures
from pages.widgets.remembered_person import LONGEST, RememberedPerson, cookie_value, read_cookie
from tests.pages.conftest import BarOfTest, text_of
from tests.studies import small_study
from tests.studies.known_browsers import cookie_of_person
from tests.studies.small_study import Small

App = Callable[..., AppTest]
ASKS = ("Choose your name.", "what do you do in this study?")


def cookie(name: object = "", leads: object = (), others: object = ()) -> str:
    return quote(json.dumps({"name": name, "others": others, "leads": leads or {}}), safe="")


def kept(bar: BarOfTest) -> tuple[str, list[str]]:
    """The name, and the studies that are led."""
    person = read_cookie(bar.remembered())
    return person.name, list(person.leads)


def asks(at: AppTest) -> bool:
    return any(words in text_of(at) for words in ASKS)


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    return small_study.make(store, tmp_path)


def seen(store: Store, rater_id: int) -> bool:
    with store.reading() as connection:
        return exposures.saw_page(connection, rater_id)


def exposed(store: Store) -> list[int]:
    with store.reading() as connection:
        return list(connection.execute(select(schema.exposure.c.rater_id)).scalars())


# ---- once a browser ----


def test_a_name_is_said_once_and_taken_in_every_study_that_has_it(
    app: App, bar: BarOfTest, rater_id: Callable[..., int]
) -> None:
    at = app("my_work", study="lend_an_ear")
    at.button(key=f"reader-{rater_id('lend_an_ear', 'Reader 1')}").click().run()
    assert not asks(at) and kept(bar) == ("Reader 1", [])
    assert bar.shown is not None and bar.shown.change
    bar.remember(bar.remembered())
    at = app("my_work", study="vera_mh")
    assert not asks(at) and at.query_params["reader"] == str(rater_id("vera_mh", "Reader 1"))
    assert bar.shown.change == 0, "the browser knows it already"
    assert bar.shown.person == "Reader 1"
    app("studies")
    assert bar.shown.person == "Reader 1"


def test_a_name_that_is_no_raters_is_asked_once_what_it_does(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie("Dr Weber"))
    at = app("agreement", study="small")
    question = text_of(at)
    assert "Dr Weber, what do you do in this study?" in question
    assert "rate blind afterwards" in question, "before the click"
    assert [at.button(key=key).label for key in ("reader-own", "reader-lead")] == [
        "I rate here",
        "I lead this study or read its results",
    ]
    at.button(key="reader-lead").click().run()
    assert not asks(at) and kept(bar) == ("Dr Weber", ["small"])
    assert bar.shown is not None and (bar.shown.person, bar.shown.role) == ("Dr Weber", "lead")
    bar.remember(bar.remembered())
    assert not asks(app("drift", study="small"))
    assert asks(app("drift", study="lend_an_ear")), "each study is led by itself"
    with store.reading() as connection:
        assert [rater.name for rater in studies.raters(connection, small.study.id)] == ["Ann", "Ben"]


def test_who_rates_there_becomes_a_rater_of_that_name(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie("Cleo"))
    at = app("my_work", study="small")
    assert not [button for button in at.button if button.key == "reader-lead"], "a page for who rates"
    at.button(key="reader-own").click().run()
    assert not asks(at) and bar.texts()[:2] == ["My work", "Rate"]
    with store.reading() as connection:
        assert [rater.name for rater in studies.raters(connection, small.study.id)] == ["Ann", "Ben", "Cleo"]
    assert exposed(store) == []


def test_a_lead_may_give_a_name_but_no_raters(app: App, bar: BarOfTest, small: Small) -> None:
    at = app("agreement", study="small")
    at.text_input[0].set_value(" ann ")
    at.button(key="reader-lead").click().run()
    assert "Ann rates in this study" in text_of(at) and asks(at)
    at.text_input[0].set_value("Dr  Weber")
    at.button(key="reader-lead").click().run()
    assert not asks(at) and kept(bar) == ("Dr Weber", ["small"])


def test_an_address_of_the_lead_asks_the_rater_who_sits_there_before_anything_is_shown(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie("Ann"))
    for page in ("review", "agreement", "overview", "adjudication", "judges", "drift", "lead", "calls"):
        at = app(page, study="small", reader="lead", unit="1")
        sent = text_of(at) + str(at.main)
        assert "This link is for study leads" in sent, page
        for hidden in ("Judge A", small_study.REASONED, small_study.SAID, "Ben"):
            assert hidden not in sent, page
    assert kept(bar) == ("Ann", []) and exposed(store) == []
    stays = at.button(key="reader-stay").click().run()
    assert stays.query_params["reader"] == str(small.raters[0]) and exposed(store) == []


def test_who_opens_an_address_of_the_lead_all_the_same_is_recorded_and_rates_blind_no_more(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    bar.remember(cookie("Ann"))
    at = app("agreement", study="small", reader="lead").button(key="reader-lead-record").click().run()
    assert not asks(at) and "This link is for" not in text_of(at)
    assert kept(bar) == ("Ann", ["small"])
    assert exposed(store) == [small.raters[0]] and not seen(store, small.raters[1])
    small.desk(0).rate(1)
    with store.reading() as connection:
        given = select(schema.rating.c.exposure).where(schema.rating.c.rater_id == small.raters[0])
        assert set(connection.execute(given).scalars()) == {"page"}


def test_somebody_else_sits_here_forgets_the_name_in_tab_and_browser(
    app: App, bar: BarOfTest, store: Store, rater_id: Callable[..., int]
) -> None:
    bar.remember(cookie_of_person(store, "Reader 1", "plan_demo"))
    at = app("my_work", study="lend_an_ear", note="seen")
    at = bar.press(at, "my_work", "vera_mh")
    at = bar.press(at, "my_work", "lend_an_ear")
    at = bar.press(at, forgets=True)
    assert asks(at) and bar.shown is not None and bar.remembered() == "" and bar.shown.change
    assert bar.shown.person == "" and at.query_params == {"study": "lend_an_ear"}
    assert asks(bar.press(at, "my_work", "vera_mh")), "in the other study as well"
    assert asks(bar.press(at, "agreement", "plan_demo"))


def test_whoever_leads_another_study_is_told_why_this_one_asks(
    app: App, bar: BarOfTest, store: Store
) -> None:
    bar.remember(cookie_of_person(store, "", "plan_demo"))
    assert "You lead other studies here; choose your name for this one." in text_of(
        app("overview", study="lend_an_ear")
    )
    bar.remember(cookie())
    assert "You lead other studies" not in text_of(app("overview", study="lend_an_ear"))


# ---- what the labels of a study do ----


def test_a_browser_that_remembers_a_lead_asks_before_it_gives_a_raters_name(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    ann = small.raters[0]
    bar.remember(cookie_of_person(store, "Dr Weber", "small"))
    at = app("my_work", study="small", reader=str(ann))  # a link that was handed out
    assert "This browser has shown the labels of the whole study." in text_of(at)
    assert "Use the name Ann?" in text_of(at) and bar.texts() == [] and not seen(store, ann)
    assert kept(bar) == ("Dr Weber", ["small"])
    at.button(key="reader-not").click().run()
    assert "Use the name" not in text_of(at) and asks(at) and exposed(store) == []
    at.button(key=f"reader-{ann}").click().run()
    at.button(key="reader-take").click().run()
    assert not asks(at) and seen(store, ann) and kept(bar) == ("Ann", [])


def test_a_raters_name_that_also_leads_is_asked_and_recorded(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    ann = small.raters[0]
    bar.remember(cookie_of_person(store, "Ann", "small"))
    at = app("my_work", study="small")
    assert asks(at) and exposed(store) == []
    at.button(key=f"reader-{ann}").click().run()
    assert "Use the name Ann?" in text_of(at)
    at.button(key="reader-take").click().run()
    assert seen(store, ann)


def test_another_person_through_the_bar_is_asked_in_a_tab_that_showed_everything(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    ben = small.raters[1]
    at = app("agreement", study="small", reader="lead")
    at = bar.press(at, forgets=True)
    assert "This tab has shown the labels of the whole study." in text_of(at)
    at.button(key=f"reader-{ben}").click().run()
    assert "Use the name Ben?" in text_of(at) and exposed(store) == []
    at.button(key="reader-take").click().run()
    assert exposed(store) == [ben] and bar.shown is not None and bar.shown.person == "Ben"


def test_the_way_round_another_study_is_none(app: App, bar: BarOfTest, small: Small, store: Store) -> None:
    """As a lead of one study to a study with raters, there take a rater's name, and come back."""
    with store.writing("tests", "a rater", 1) as (connection, entry):
        ann_elsewhere = studies.add_rater(connection, entry, 1, "Ann")
    at = app("agreement", study="small", reader="lead")
    at = bar.press(at, "agreement", "coaching_example")
    at.button(key=f"reader-{ann_elsewhere}").click().run()
    assert bar.shown is not None and bar.shown.person == "Ann"
    at.query_params["study"], at.query_params["reader"] = "small", str(small.raters[0])
    at.run()
    assert "Use the name Ann?" in text_of(at) and exposed(store) == []
    bar.remember(bar.remembered())
    at = app("my_work", study="small")
    assert asks(at) and "This browser has shown" in text_of(at), "nor in another tab"
    assert exposed(store) == []


def test_a_name_that_saw_everything_makes_the_next_one_in_its_tab_asked(
    app: App, bar: BarOfTest, small: Small, store: Store
) -> None:
    ann, ben = small.raters
    with store.writing("Ann", "open", small.study.id) as (connection, entry):
        exposures.record_page(connection, entry, ann)
    bar.remember(cookie("Ann"))
    at = bar.press(app("my_work", study="small"), forgets=True)
    at.button(key=f"reader-{ben}").click().run()
    assert "Use the name Ben?" in text_of(at) and not seen(store, ben)


# ---- cookies that are none ----


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "%",
        "%ff",
        "null",
        "[]",
        "1e999",
        "[" * 5000,
        "%5B" * 1200,
        cookie("Ann") + "x",
        quote("{}"),
        quote('{"name": "Ann"}'),
        quote('{"name": "Ann", "leads": []}'),
        quote('{"name": "Ann", "others": [], "leads": {}, "reader": 1}'),
        cookie(1),
        cookie(None),
        cookie(["Ann"]),
        cookie("Ann", "small"),
        cookie("Ann", [1]),
        cookie("Ann", ["small"]),
        cookie("Ann", {"../small": "1"}),
        cookie("Ann", {"small\n": "1"}),
        cookie("Ann", {"small": True}),
        cookie("Ann", {"small": "1" * 81}),
        cookie("Ann", {}, "Ben"),
        cookie("Ann", {}, {"small": "Ben"}),
        cookie("Ann", {}, [["Ben"]]),
        cookie("Ann", {}, [" Ben"]),
        cookie("Ann\x00"),
        cookie("Ann\n"),
        cookie("\u202eAnn"),
        cookie(" Ann"),
        cookie("A" * 81),
        "A" * 5000,
    ],
)
def test_what_is_no_cookie_of_ours_is_nobody(value: str) -> None:
    assert read_cookie(value) == RememberedPerson()


@pytest.mark.parametrize("name", ["", "Dr Wéber", "李雷", '"; path=/x', "%22", "A" * 80, "界" * 80])
def test_what_is_kept_is_read_again(name: str) -> None:
    person = RememberedPerson(name, ("Ben", "R 7"), {"a": "1.x", "b-2": "2.y"})
    value = cookie_value(person)
    assert read_cookie(value) == person and not set(value) & set('; ,"\\ ')
    keys = [f"study-{number:050}" for number in range(200)]
    many = cookie_value(RememberedPerson(name, (name,) * 5, dict.fromkeys(keys, "1.x")))
    assert len(many) <= LONGEST and [*read_cookie(many).leads][-1].endswith("199"), "the newest are kept"


@pytest.mark.parametrize("name", ["Expert 1", "Gemini 2.5 Pro", "Cleo", "ann", "ANN", "lead", "1"])
def test_a_name_that_nobody_rates_under_here_only_asks(
    app: App, bar: BarOfTest, small: Small, store: Store, name: str
) -> None:
    bar.remember(cookie(name, {"nothing": "1.x"}))
    for study in ("small", "lend_an_ear"):
        at = app("agreement", study=study)
        assert not at.exception and asks(at) and bar.texts() == []
    assert exposed(store) == []
