"""The Drift page for a lead and for raters."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data import studies
from data.erase import erase_conversation
from data.store import Store
from tests.made_curves import put_curves
from tests.pages.conftest import text_of

CLEAN = ("Goal alignment", "gpt4o", "gemini3")


def test_a_lead_sees_each_condition_with_its_slope_and_where_care_leaves_the_plan(app: Callable[..., AppTest], store: Store) -> None:
    put_curves(store)
    at = app("drift", study="vera_mh", reader="lead")
    assert not at.exception
    said = text_of(at)
    assert "falls" in said and "gpt4o less gpt5" in said and "shows no clear change" in said
    assert "furthest at turn 7" in said and "15 of 90 conversations listed" in said and "&amp;turn=7" in said
    assert "Detects potential risk" in said and "Supplementary, not for ranking" in said
    assert "NaN" not in said and ">nan" not in said
    undivided = at.selectbox(key=f"drift-by-{study_id(store)}").set_value("Nothing").run()
    assert not undivided.exception and "All conversations" in text_of(undivided) and "gpt4o less gpt5" not in text_of(undivided)


def test_who_still_rates_blind_sees_no_model_and_no_number(app: Callable[..., AppTest], store: Store, rater_id: Callable[[str, str], int]) -> None:
    put_curves(store)
    said = text_of(app("drift", study="vera_mh", reader=str(rater_id("vera_mh", "Reader 1"))))
    assert not any(one in said for one in CLEAN) and "does not show its raters what a judge or colleagues said" in said


def test_without_a_curve_it_says_what_it_takes(app: Callable[..., AppTest]) -> None:
    said = text_of(app("drift", study="lend_an_ear", reader="lead"))
    assert "No curve was computed for this study yet" in said and "second-reader score lend_an_ear" in said
    assert "This study has no runs of an experiment" in text_of(app("drift", study="lend_an_ear", reader="lead", part="runs"))


def test_a_conversation_whose_words_were_erased_is_drawn_without_its_actions(app: Callable[..., AppTest], store: Store) -> None:
    put_curves(store)
    with store.reading() as connection:
        study = studies.find(connection, "vera_mh")
    assert study is not None
    at = app("drift", study="vera_mh", reader="lead")
    first = at.selectbox(key=f"drift-one-{study.id}").options[0]
    key = first.split(": ")[1].split(" (")[0]
    with store.writing("test", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, key, "asked for")
    said = text_of(at.run())
    assert not at.exception and "Its words were erased" in said and "not known" in said


def study_id(store: Store) -> int:
    with store.reading() as connection:
        found = studies.find(connection, "vera_mh")
    assert found is not None
    return found.id
