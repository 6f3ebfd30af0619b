"""The choices of the Agreement page stand in its address: a reload, Back and a link bring them again."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.store import content
from data.store.store import Store
from data.store.trail import next_id
from data.work import exposures
from tests.pages.conftest import BarOfTest, text_of
from tests.studies import small_study
from tests.studies.small_study import Small

App = Callable[..., AppTest]
PLAIN = {"study": "small", "reader": "lead"}


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    """Ann says what the judge says; Ben differs on c2, and has changed one label of it after he saw the
    judge.
    """
    study = small_study.make(store, tmp_path)
    for position in range(1, 5):
        study.desk(0).rate(position)
        study.desk(1).rate(position, "NO" if position == 2 else "YES")
    study.desk(1).reveal(2)
    study.desk(1).change(2, "warm", "YES")
    return study


@pytest.fixture
def opened(app: App, small: Small) -> Callable[..., AppTest]:
    return lambda **choices: app("agreement", **PLAIN, **choices)


def address(at: AppTest) -> dict[str, str]:
    assert not at.exception
    return {name: value[0] if isinstance(value, list) else value for name, value in at.query_params.items()}


def code_in_address(small: Small, number: int) -> str:
    return small.codes[number].removeprefix("Rater ")


def shown(at: AppTest) -> dict[str, object]:
    assert not at.exception
    return {
        **{str(one.key).removeprefix("agreement-"): one.value for one in at.selectbox},
        **{str(one.key).removeprefix("agreement-"): one.value for one in at.date_input},
    }


def test_what_was_not_chosen_is_not_written(opened: Callable[..., AppTest]) -> None:
    assert address(opened()) == PLAIN


def test_every_choice_is_written_and_read_again(opened: Callable[..., AppTest], small: Small) -> None:
    at = opened()
    at.selectbox(key="agreement-judge").set_value(1).run()
    assert address(at) == {**PLAIN, "judge": str(small.judges[1])}
    at.selectbox(key="agreement-criterion").select("Deep").run()
    at.selectbox(key="agreement-rater").select(small.codes[1]).run()
    at.date_input(key="agreement-since").set_value(date(2020, 1, 1)).run()
    at.date_input(key="agreement-until").set_value(date(2100, 1, 1)).run()
    at.selectbox(key="agreement-arm").select("Given after seeing the judge's labels").run()
    choices = {
        "judge": str(small.judges[1]),
        "ratings": "shown",
        "rater": code_in_address(small, 1),
        "since": "2020-01-01",
        "until": "2100-01-01",
    }
    assert address(at) == {**PLAIN, **choices}, "on deep nothing was said after the judge had been seen"
    again = opened(**choices)
    assert (address(again), shown(again), text_of(again)) == (address(at), shown(at), text_of(at))
    assert f"Narrowed to: {small.codes[1]}, rated from 2020-01-01, rated before 2100-01-02." in text_of(again)
    at.selectbox(key="agreement-arm").select("Given blind (the headline)").run()
    at.selectbox(key="agreement-criterion").select("Deep").run()
    assert (
        address(at)["criterion"] == "deep"
        and shown(opened(**{**choices, "ratings": "blind", "criterion": "deep"}))["criterion"] == "deep"
    )


def test_back_brings_the_choices_of_before(opened: Callable[..., AppTest], small: Small) -> None:
    at = opened()
    at.selectbox(key="agreement-rater").select(small.codes[0]).run()
    at.selectbox(key="agreement-rater").select(small.codes[1]).run()
    for choices, rater in (
        ({"rater": code_in_address(small, 0)}, f"Narrowed to: {small.codes[0]}"),
        ({}, ""),
        ({"rater": code_in_address(small, 1)}, f"Narrowed to: {small.codes[1]}"),
    ):
        at.query_params.clear()  # the browser went back, or forth, in its history
        for name, value in {**PLAIN, **choices}.items():
            at.query_params[name] = value
        at.run()
        assert address(at) == {**PLAIN, **choices}
        assert rater in text_of(at) and ("Narrowed to:" in text_of(at)) == bool(rater)


def test_a_choice_sent_with_the_address_of_the_moment_before_is_not_undone(
    opened: Callable[..., AppTest], small: Small
) -> None:
    at = opened()
    at.selectbox(key="agreement-rater").select(small.codes[1]).run()
    del at.query_params["rater"]  # the browser had not heard of it yet
    at.selectbox(key="agreement-arm").select("Given after seeing the judge's labels").run()
    assert address(at) == {
        **PLAIN,
        "rater": code_in_address(small, 1),
        "ratings": "shown",
    } and f"Narrowed to: {small.codes[1]}" in text_of(at)


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        (
            {"judge": "999"},
            "The page's address asks for a judge that this study does not have, so the page shows Judge A "
            "instead.",
        ),
        (
            {"judge": "<b>"},
            "The page's address asks for a judge that this study does not have, so the page shows Judge A "
            "instead.",
        ),
        (
            {"rater": "A"},
            "The page's address asks for a rater who has no labels here, so the page shows everyone instead.",
        ),
        (
            {"rater": "Ann"},
            "The page's address asks for a rater who has no labels here, so the page shows everyone instead.",
        ),
        (
            {"condition": "x"},
            "The page's address asks for a condition that this study does not have, so the page shows all "
            "instead.",
        ),
        (
            {"ratings": "all"},
            "The page's address asks for an unknown kind of ratings, so the page shows ratings given blind "
            "instead.",
        ),
        (
            {"since": "yesterday"},
            "The page's address asks for an unreadable date, so the page shows any time instead.",
        ),
        (
            {"until": "1066-10-14"},
            "The page's address asks for an unreadable date, so the page shows any time instead.",
        ),
        (
            {"criterion": "tall"},
            "The page's address asks for a criterion that no clinician and the judge have both labelled, so "
            "the page shows Warm instead.",
        ),
    ],
)
def test_what_there_is_not_is_said_once_and_ignored(
    opened: Callable[..., AppTest], choices: dict[str, str], says: str
) -> None:
    at = opened(**choices)
    said = text_of(at).replace("\\", "")
    assert said.count("The page's address asks for") == 1 and says in said
    assert address(at) == PLAIN and shown(at) == shown(opened())
    assert "The page's address asks for" not in text_of(at.run())


def test_a_study_without_a_judge_says_what_it_shows_instead(app: App, store: Store, tmp_path: Path) -> None:
    small_study.make(store, tmp_path, with_judges=False).desk().rate(1)
    at = app("agreement", **PLAIN, judge="1")
    assert (
        "a judge that this study does not have, so the page shows how far clinicians agree instead."
        in text_of(at).replace("\\", "")
    )
    assert address(at) == PLAIN


def test_a_condition_stands_in_the_address_without_its_name_and_goes_with_the_one_who_chose_it(
    app: App, small: Small, bar: BarOfTest
) -> None:
    with small.store.writing("tests", "one more conversation", small.study.id) as (connection, entry):
        talk = connection.execute(
            select(schema.conversation).where(
                schema.conversation.c.study_id == small.study.id, schema.conversation.c.key == "c4"
            )
        ).one()
        facts = content.put(
            connection, '{"condition": "warm & kind"}', next_id(connection, schema.conversation)
        )
        conversation_id = entry.write(
            schema.conversation,
            {
                **{name: value for name, value in talk._mapping.items() if name != "id"},
                "key": "c9",
                "position": 9,
                "facts_content": facts[0],
                "facts_mac": facts[1],
            },
        )
        entry.write(
            schema.unit,
            {
                "study_id": small.study.id,
                "conversation_id": conversation_id,
                "message": None,
                "kind": "listed",
                "position": 5,
                "criteria": "[]",
            },
        )
    small.desk().rate(5)
    at = app("agreement", **PLAIN)
    at.selectbox(key="agreement-condition").select("warm & kind").run()
    chosen = address(at)["condition"]
    assert chosen.isalnum() and "warm" not in chosen
    everything = {
        **PLAIN,
        "ratings": "shown",
        "rater": code_in_address(small, 1),
        "condition": chosen,
        "since": "2020-01-01",
        "until": "2100-01-01",
    }
    at = app("agreement", **everything)
    assert address(at) == everything and "warm & kind" in html.unescape(text_of(at))
    bar.press(at, forgets=True)
    assert address(at) == {"study": "small"}


def test_a_leads_unit_leads_back_to_the_same_choices(
    app: App, opened: Callable[..., AppTest], small: Small
) -> None:
    at = opened(judge=str(small.judges[1]), rater=code_in_address(small, 1), criterion="deep")
    link = next(
        link
        for link in re.findall(r'href="([^"]*)"', text_of(at))
        if "review" in link and "criterion=deep" in link
    )
    asked = dict(parse_qsl(urlsplit(html.unescape(link)).query))
    assert (asked["unit"], asked["criterion"]) == ("2", "deep")
    unit = app("review", **asked)
    (back,) = re.findall(r'<a href="([^"]*)" target="_self">Back to the agreement</a>', text_of(unit))
    page, _, query = html.unescape(back).partition("?")
    assert (page, dict(parse_qsl(query))) == (
        "agreement",
        {**PLAIN, "judge": str(small.judges[1]), "rater": code_in_address(small, 1), "criterion": "deep"},
    )
    again = app(page, **dict(parse_qsl(query)))
    assert address(again) == address(at) and shown(again) == shown(at)


def test_back_leads_nowhere_else(app: App, small: Small) -> None:
    assert "Back to the agreement" not in text_of(app("review", **PLAIN, unit="2"))
    assert "Back to the agreement" not in text_of(
        app("review", **PLAIN, unit="2", back="https://elsewhere.example/?rater=B")
    )
    said = text_of(app("review", **PLAIN, unit="2", back="agreement?study=other&reader=1&x=1&rater=B"))
    assert 'href="agreement?study=small&amp;reader=lead&amp;rater=B"' in said


def test_a_rater_who_sees_the_whole_study_has_codes_in_the_address_and_no_way_back_in_links(
    app: App, small: Small
) -> None:
    with small.store.writing("Ann", "open", small.study.id) as (connection, entry):
        exposures.record_page(connection, entry, small.raters[0])
    at = app("agreement", study="small", reader=str(small.raters[0]))
    at.selectbox(key="agreement-rater").select(small.codes[1]).run()
    assert address(at) == {
        "study": "small",
        "reader": str(small.raters[0]),
        "rater": code_in_address(small, 1),
    }
    assert "review?study=small" in text_of(at) and "back=" not in text_of(at)
