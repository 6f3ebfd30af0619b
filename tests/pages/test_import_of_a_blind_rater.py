"""The Import page answers nothing to somebody who still rates blind: a check is an answer about a hidden
label.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.importers import file_import
from data.record import studies
from data.store.store import Store
from data.work import exposures
from tests.pages.conftest import text_of
from tests.pages.dropping import drop, is_checked
from tests.studies.small_study import INSTRUMENT

GUESS = "conversation_id,criterion,label\ndemo-01,CP1,YES\n"
KINDS = ["judgements", "ratings", "file", "gold_steps", "target_plan", "critical_entities", "runs"]


def choose(at: AppTest, kind: str, study: str) -> AppTest:
    """A file that guesses at a hidden label lies there, as this kind and for this study."""
    drop(at, "guess.csv", GUESS)
    at.selectbox(key="import-kind").set_value(kind).run()
    into = "import-into" if kind == "file" else "import-into-known"
    if at.selectbox(key=into).value != study:
        at.selectbox(key=into).set_value(study).run()
    return at


def test_whoever_still_rates_blind_can_check_no_file(app: Callable[..., AppTest], store: Store) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        rater = next(rater for rater in studies.raters(connection, study.id) if rater.kind == "person")
    at = app("importing", study="coaching_demo", reader=str(rater.id))
    for kind in KINDS:
        choose(at, kind, "coaching_demo")
        assert not at.exception
        assert not is_checked(at), kind
        assert "left to rate blind" in text_of(at)
    with store.reading() as connection:
        assert not exposures.saw_page(connection, rater.id)


def test_a_file_with_labels_is_looked_for_in_no_study(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it is in one already would be an answer, and nobody was asked yet who sits here."""
    asked: list[str] = []
    monkeypatch.setattr(
        file_import, "study_that_holds", lambda _store, path, importer, *_: asked.append(importer.name)
    )
    at = drop(app("importing"), "guess.csv", GUESS)
    at.selectbox(key="import-kind").set_value("file").run()
    assert at.selectbox(key="import-into").value == "" and asked == []
    drop(at, "talks.csv", "session,speaker,text\nn1,user,Hello\nn1,assistant,Hi\n")
    assert asked == ["file"]


def test_in_a_study_that_never_shows_the_judge_the_page_says_who_imports(
    app: Callable[..., AppTest], store: Store
) -> None:
    with store.writing("tests", "make a study") as (connection, entry):
        instrument_id = studies.register_instrument(connection, entry, INSTRUMENT)
        never = studies.create(
            connection,
            entry,
            studies.StudySpec(key="never", title="Never shown", instrument_id=instrument_id, reveal="never"),
        )
        rater = studies.add_rater(connection, entry, never, "Ann")
    at = app("importing", study="never", reader=str(rater))
    choose(at, "judgements", "never")
    assert not is_checked(at)
    assert "import under this name" in text_of(at) and "A study lead who" in text_of(at)


def test_without_a_name_the_page_asks_for_one_first(app: Callable[..., AppTest]) -> None:
    at = app("importing", study="coaching_demo")
    for kind in KINDS:
        choose(at, kind, "coaching_demo")
        assert not is_checked(at), kind
        assert "Who is importing?" in text_of(at)


def test_a_lead_may_and_a_name_taken_in_that_tab_counts_as_having_seen(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = app("importing", study="coaching_demo", reader="lead")
    choose(at, "judgements", "coaching_demo")
    at.text_input(key="import-judge").input("demo judge").run()
    assert "Would add 1 judgement" in text_of(at)
    at.button(key="import-leave").click().run()
    assert "it is permanently recorded that this rater has seen them" in text_of(at)


def test_a_name_of_one_study_is_in_another_only_its_namesake(
    app: Callable[..., AppTest], store: Store
) -> None:
    with store.reading() as connection:
        others = (
            connection.execute(
                select(schema.rater.c.id)
                .join(schema.study, schema.study.c.id == schema.rater.c.study_id)
                .where(schema.study.c.key == "plan_demo", schema.rater.c.kind == "person")
            )
            .scalars()
            .first()
        )
    at = app("importing", study="plan_demo", reader=str(others))
    choose(at, "judgements", "coaching_demo")
    assert not is_checked(at)
    assert "left to rate blind" in text_of(at), "whoever has that name in the other study rates it blind"
    assert at.query_params["reader"] != str(others)


def test_a_lead_of_one_study_is_asked_again_for_another(app: Callable[..., AppTest]) -> None:
    at = app("importing", study="plan_demo", reader="lead")
    choose(at, "judgements", "coaching_demo")
    assert not is_checked(at)
    assert "Who is importing?" in text_of(at)


def test_a_name_that_says_who_imports_makes_no_rater(app: Callable[..., AppTest], store: Store) -> None:
    def raters() -> list[str]:
        with store.reading() as connection:
            study = studies.find(connection, "coaching_demo")
            assert study is not None
            return [rater.name for rater in studies.raters(connection, study.id)]

    before = raters()
    at = app("importing", study="coaching_demo")
    choose(at, "judgements", "coaching_demo")
    next(button for button in at.button if button.label == "Begin").click().run()
    assert "Write a name first." in text_of(at)
    next(field for field in at.text_input if field.label == "Another name").set_value(" Dr  Import ")
    next(button for button in at.button if button.label == "Begin").click().run()
    assert not at.exception and raters() == before
    assert "Imported by: Dr Import" in text_of(at) and "left to rate blind" not in text_of(at)
    at.text_input(key="import-judge").input("demo judge").run()
    at.button(key="import-go").click().run()
    assert not at.exception and raters() == before
    with store.reading() as connection:
        actor = connection.execute(
            select(schema.trail.c.actor).order_by(schema.trail.c.seq.desc()).limit(1)
        ).scalar_one()
    assert actor == "Dr Import"
    choose(at.button(key="import-more").click().run(), "judgements", "coaching_demo")
    at.button(key="import-leave").click().run()
    at.button(key="reader-lead").click().run()
    assert "Imported by: Dr Import" in text_of(at), "whose name is known is asked for no other"


def test_a_raters_own_name_is_the_rater_however_it_is_written(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = app("importing", study="coaching_demo")
    choose(at, "judgements", "coaching_demo")
    at.text_input[0].set_value(" reader  1")
    next(button for button in at.button if button.label == "Begin").click().run()
    assert "Imported by: Reader 1" in text_of(at) and "left to rate blind" in text_of(at)
