"""The page of target plans: for leads, with versions, refusals that keep what was typed, and conversations
without a plan.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from streamlit.testing.v1 import AppTest

from data import schema
from data.record import studies, target_plans
from data.record.references import STUDY
from data.record.studies import Study
from data.store import locks
from data.store.store import Store
from pages.widgets.plans import numbers
from pages.widgets.plans.scopes import PlanScope
from runs.scoring import background, score_study
from scoring.models.model_settings import Embedders
from tests.pages.conftest import settle_list, text_of
from tests.studies import importing

CARE = "Care pathway written from the VERA-MH rubric; not a clinician"
SAVE = "plan-save"
EVIL = "<img src=x onerror=alert(1)>![x](http://127.0.0.1:9/b.png)"


def study_of(store: Store, key: str) -> Study:
    with store.reading() as connection:
        found = studies.find(connection, key)
    assert found is not None
    return found


def saved(store: Store, key: str, scope: str = STUDY) -> list[str | None]:
    with store.reading() as connection:
        return [one.text for one in target_plans.versions(connection, study_of(store, key).id).get(scope, [])]


def put(store: Store, key: str, text: str, after: int, scope: str = STUDY, who: str = "Another lead") -> None:
    study = study_of(store, key)
    with store.writing(who, "write a target plan", study.id) as (connection, entry):
        assert target_plans.save(connection, entry, study, scope, text, after)


def open_scope(app: Callable[..., AppTest], key: str, scope: str) -> AppTest:
    return app("plans", study=key, reader="lead", **{"for": PlanScope(scope, "", 0).address})


def type_and_save(at: AppTest, text: str) -> AppTest:
    at.text_area[0].set_value(text)
    return at.button(key=SAVE).click().run()


def test_the_plan_of_vera_mh_stands_there_with_what_it_is(app: Callable[..., AppTest]) -> None:
    at = app("plans", study="vera_mh", reader="lead")
    page_text = text_of(at)
    assert not at.exception
    for words in (
        CARE,
        "The whole study",
        "Version 1, saved",
        "second-reader",
        "It is supplementary",
        "by second-reader. Source: Care pathway",
        "147 words, 178 word pieces. The model reads the whole plan (its limit is 254 word pieces).",
        "All 90 conversations have a plan.",
        "Goal alignment is older than the plan, or has not been computed yet, for 90 of 90 conversations.",
    ):
        assert words in page_text
    assert (at.text_area[0].value or "").startswith("Listen for signs of suicide risk")


def test_conversations_without_a_plan_are_counted_and_each_has_its_address(
    app: Callable[..., AppTest],
) -> None:
    at = app("plans", study="coaching_demo", reader="lead")
    assert "12 of 14 conversations have no plan." in text_of(at)
    rows = {row["name"]: row for row in settle_list(at)["rows"]}
    assert rows["demo-01"]["marks"] == ["no plan"] and rows["demo-03"]["marks"] == ["version 1"]
    assert rows["demo-01"]["labels"][0].startswith("I\u2019ve rewritten the same two-page report")
    assert "demo" not in rows["demo-01"]["address"].partition("for=")[2], "no id in an address"
    at = app("plans", study="coaching_demo", reader="lead", **{"for": rows["demo-01"]["key"]})
    assert "review?study=coaching_demo&amp;reader=lead&amp;unit=1" in text_of(at)


def test_a_rater_sees_no_plan_no_conversation_and_no_condition(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[..., int]
) -> None:
    at = app("plans", study="coaching_demo", reader=str(rater_id("coaching_demo", "Reader 1")))
    page_text = text_of(at) + str(at.main)
    assert "This page is for study leads" in page_text
    assert (
        "demo-03" not in page_text
        and "carer strain" not in page_text
        and not at.text_area
        and not at.selectbox
    )
    at.button(key="lead-leave").click().run()
    assert "Choose your name." in text_of(at)
    assert "Choose your name." in text_of(app("plans", study="coaching_demo"))
    assert "Choose a study first" in text_of(app("plans"))


def test_a_lead_who_takes_a_raters_name_afterwards_has_seen_it(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[..., int]
) -> None:
    at = app("plans", study="coaching_demo", reader="lead")
    who = rater_id("coaching_demo", "Reader 1")
    at.query_params["reader"] = str(who)
    at.run()
    assert "Use the name Reader 1?" in text_of(at)

    def kinds() -> Sequence[str]:
        with store.reading() as connection:
            exposed = sa.select(schema.exposure.c.kind).where(schema.exposure.c.rater_id == who)
            return connection.execute(exposed).scalars().all()

    assert kinds() == []
    at.button(key="reader-take").click().run()
    assert kinds() == ["page"]


def test_an_edited_plan_is_a_new_version_and_the_old_one_is_read_below(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = type_and_save(app("plans", study="vera_mh", reader="lead"), "Ask directly. Call for help.")
    assert not at.exception and "Saved as version 2, for the whole study." in text_of(at).replace("\\", "")
    assert saved(store, "vera_mh")[0] == "Ask directly. Call for help." == at.text_area[0].value
    assert "Earlier versions (1)" in [expander.label for expander in at.expander]
    assert (
        "Version 1, " in text_of(at)
        and "Listen for signs of suicide risk" in text_of(at)
        and "written on the page" in text_of(at)
    )


def test_the_same_text_saves_nothing_and_says_so(app: Callable[..., AppTest], store: Store) -> None:
    at = app("plans", study="vera_mh", reader="lead")
    text = at.text_area[0].value
    assert text
    type_and_save(at, text + "\n")
    assert "Nothing was changed: this is the current version." in text_of(at).replace("\\", "")
    assert len(saved(store, "vera_mh")) == 1


def test_an_empty_text_is_refused_with_a_sentence(app: Callable[..., AppTest], store: Store) -> None:
    at = type_and_save(app("plans", study="vera_mh", reader="lead"), "  ")
    assert "The plan is empty. You can't remove a plan" in text_of(at).replace("\\", "")
    assert len(saved(store, "vera_mh")) == 1


def test_somebody_else_saved_meanwhile_and_what_was_typed_is_kept(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = app("plans", study="vera_mh", reader="lead")
    put(store, "vera_mh", "Theirs.", 1)
    type_and_save(at, "Mine.")
    page_text = text_of(at).replace("\\", "")
    assert not at.exception
    assert (
        "Somebody else saved version 2 in the meantime. Yours was not saved; your text is still here."
        in page_text
    )
    assert "Another lead saved version 2 in the meantime." in page_text and "Theirs." in page_text
    assert at.text_area[0].value == "Mine." and saved(store, "vera_mh")[0] == "Theirs."
    at.button(key="plan-follow").click().run()
    assert at.text_area[0].value == "Mine."
    at.button(key=SAVE).click().run()
    assert saved(store, "vera_mh")[:2] == ["Mine.", "Theirs."]


def test_theirs_may_be_taken_instead(app: Callable[..., AppTest], store: Store) -> None:
    at = app("plans", study="vera_mh", reader="lead")
    put(store, "vera_mh", "Theirs.", 1)
    type_and_save(at, "Mine.")
    at.button(key="plan-theirs").click().run()
    assert not at.exception and at.text_area[0].value == "Theirs." and len(saved(store, "vera_mh")) == 2


def test_a_new_plan_for_one_conversation(app: Callable[..., AppTest], store: Store) -> None:
    at = open_scope(app, "coaching_demo", "conversation:demo-05")
    assert "No plan yet." in text_of(at)
    type_and_save(at, "Plan the week.")
    assert not at.exception and "Saved as version 1, for conversation demo-05." in text_of(at).replace(
        "\\", ""
    )
    assert saved(store, "coaching_demo", "conversation:demo-05") == ["Plan the week."]
    rows = {row["name"]: row for row in settle_list(at)["rows"]}
    assert rows["demo-05"]["marks"] == ["version 1"] and "11 of 14 conversations have no plan." in text_of(at)


def test_a_first_plan_that_somebody_else_saved_meanwhile_is_not_overtaken(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = open_scope(app, "coaching_demo", "conversation:demo-05")
    put(store, "coaching_demo", "Theirs.", 0, "conversation:demo-05")
    type_and_save(at, "Mine.")
    page_text = text_of(at).replace("\\", "")
    assert "Another lead saved version 1 in the meantime." in page_text and "Theirs." in page_text
    assert at.text_area[0].value == "Mine."
    assert saved(store, "coaching_demo", "conversation:demo-05") == ["Theirs."]


def test_the_list_is_narrowed_by_words_and_by_what_lacks_a_plan(app: Callable[..., AppTest]) -> None:
    at = app("plans", study="coaching_demo", reader="lead")
    assert settle_list(at)["total"] == 15, "the study and its conversations"
    at = at.text_input(key="plans-words").set_value("FATHER").run()
    assert [row["name"] for row in settle_list(at)["rows"]] == ["demo-03"], "by its first words"
    at = at.text_input(key="plans-words").set_value("").run()
    at = at.selectbox(key="plans-kind").set_value("Without a plan").run()
    names = [row["name"] for row in settle_list(at)["rows"]]
    assert len(names) == 12 and "demo-03" not in names
    at = at.text_input(key="plans-words").set_value("nobody").run()
    assert settle_list(at)["rows"] == [] and not at.exception


def test_a_new_plan_for_a_condition_and_for_the_study(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    talks = tmp_path / "talks.jsonl"
    talks.write_text(
        json.dumps({"id": EVIL, "condition": "warm", "turns": [{"user": "hello", "assistant": "hi"}]})
    )
    importing.import_conversations(store, "coaching_example", talks, "tests")
    at = app("plans", study="coaching_example", reader="lead")
    assert "This study has no care plans yet." in text_of(at)
    names = [row["name"] for row in settle_list(at)["rows"]]
    assert names[:2] == ["The whole study", "Condition warm"] and EVIL in names, "as text, in the list"
    assert EVIL not in text_of(at) and EVIL not in str(at.query_params)
    at = open_scope(app, "coaching_example", "condition:warm")
    type_and_save(at, EVIL)
    assert saved(store, "coaching_example", "condition:warm") == [EVIL]
    assert EVIL not in text_of(at) and "1 of 2 conversations have no plan." in text_of(at)
    at = open_scope(app, "coaching_example", STUDY)
    type_and_save(at, "word " * 400)
    page_text = text_of(at)
    assert (
        "400 words, 400 word pieces, but the model reads only 254 at once." in page_text
        and "All 2 conversations have a plan." in page_text
    )


def test_numbers_older_than_the_plan_are_computed_beside_the_app(
    app: Callable[..., AppTest], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, list[str]]] = []
    running = SimpleNamespace(poll=lambda: None)

    def start(of: Store, keys: list[str]) -> SimpleNamespace:
        asked.append((of.path.name, keys))
        return running

    monkeypatch.setattr(background, "start", start)
    at = app("plans", study="coaching_demo", reader="lead")
    assert (
        "Goal alignment is older than the plan, or has not been computed yet, for 2 of 2 conversations"
        in text_of(at)
    )
    at.button(key="plans-compute").click().run()
    assert not at.exception and asked == [(store.path.name, ["coaching_demo"])]
    assert "Goal alignment is being computed: 0 of 2 conversations" in text_of(
        at
    ) and "plans-compute" not in [button.key for button in at.button]
    score_study(store, "coaching_demo", "tests")
    at.button(key="plans-look").click().run()
    assert "Goal alignment is up to date for all 2 conversations with a plan" in text_of(at)
    put(store, "coaching_demo", "Plan the week.", 1, "conversation:demo-03")
    running.poll = lambda: 0
    assert "has not been computed yet, for 1 of 2 conversations" in text_of(at.run())


def test_without_a_model_nothing_is_offered(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Embedders.model_validate({"default": "m", "embedders": [{"name": "m", "folder": "/nowhere"}]})
    monkeypatch.setattr(numbers, "embedders", lambda: missing)
    at = app("plans", study="coaching_demo", reader="lead")
    assert "There is no folder /nowhere with the model m" in text_of(at) and "plans-compute" not in [
        one.key for one in at.button
    ]


def test_the_metrics_page_says_that_its_numbers_are_on_the_way(
    app: Callable[..., AppTest], database: Path
) -> None:
    words = "Numbers are being computed in the background, one study after another."
    with locks.in_turn(database, background.LOCK):
        at = app("metrics", study="vera_mh", reader="lead")
        assert not at.exception and words in text_of(at) and "Nothing has been computed" not in text_of(at)
        assert words not in text_of(app("metrics", study="lend_an_ear", reader="lead"))
    assert words not in text_of(app("metrics", study="vera_mh", reader="lead"))
