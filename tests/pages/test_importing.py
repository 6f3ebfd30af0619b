"""Import: a file is dropped, recognised, checked by itself, and imported."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.testing.v1 import AppTest

from data import schema
from data.exporters.study_bundle import export_study
from data.importers import file_import
from data.record import run_summaries, studies
from data.record.run_summaries import RunSummary
from data.store.store import Store, open_store
from pages.widgets.importing import check
from pages.widgets.importing.template_files import TEMPLATES
from pages.widgets.importing.work import Work
from pages.widgets.work_progress import WorkProgress
from tests.pages.conftest import BarOfTest, text_of
from tests.pages.dropping import drop, is_checked
from tests.studies.small_study import make

TALK = json.dumps({"id": "c1", "turns": [{"user": "hello", "assistant": "hi"}]})
SPOKEN = "session,speaker,text\nn1,user,Hello there\nn1,assistant,What brings you?\n"
RATED = "conversation_id,rater,criterion,label\ndemo-01,Dr A,CP1,YES\n"


def title_of(at: AppTest) -> str:
    bodies = [str(element.proto.body) for element in at.get("html")]
    return next(body for body in bodies if "<h1" in body)


def study_count(store: Store) -> int:
    with store.reading() as connection:
        return connection.execute(select(func.count()).select_from(schema.study)).scalar_one()


def test_before_a_file_is_dropped_nothing_else_is_asked(app: Callable[..., AppTest]) -> None:
    at = app("importing")
    assert not at.exception and not at.selectbox and not at.text_input
    assert "Drop a file from Excel" in text_of(at)


def test_conversations_are_recognised_checked_and_brought_in_with_a_new_study(
    app: Callable[..., AppTest], store: Store
) -> None:
    before = study_count(store)
    at = drop(app("importing"), "Pilot-talks 2026.jsonl", TALK)
    assert not at.exception
    assert "Recognised: 1 conversation." in title_of(at)
    assert "nothing is imported yet" in text_of(at) and "Preview" in text_of(at)
    at.text_input(key="import-raters").input("Dr A, Dr B; Dr C").run()
    assert "Would add 1 conversation" in text_of(at)
    assert "the raters of the new study: Dr A, Dr B, Dr C" in text_of(at)
    assert study_count(store) == before
    at.button(key="import-go").click().run()
    assert "Imported: 1 conversation." in title_of(at)
    words = text_of(at)
    assert "lead?study=pilot_talks_2026&amp;reader=lead" in words and "Set up who rates" in words
    assert "overview?study=pilot_talks_2026&amp;reader=lead" in words
    with store.reading() as connection:
        study = studies.get_by_key(connection, "pilot_talks_2026")
    assert (study.title, study.data_class) == ("Pilot talks 2026", "phi")
    assert not is_checked(at.button(key="import-more").click().run())
    assert "Drop a file from Excel" in text_of(at)


def test_a_title_is_enough_and_any_key_can_be_typed(app: Callable[..., AppTest], store: Store) -> None:
    at = drop(app("importing"), "talks.jsonl", TALK)
    at.text_input(key="import-title").input("Größe & Mut, Teil 2").run()
    assert at.text_input(key="import-key").placeholder == "große_mut_teil_2".replace("ß", "")
    at.text_input(key="import-key").input("My Pilot, 2026").run()
    at.button(key="import-go").click().run()
    with store.reading() as connection:
        assert studies.get_by_key(connection, "my_pilot_2026").title == "Größe & Mut, Teil 2"


def test_a_key_that_is_taken_is_made_another(app: Callable[..., AppTest], store: Store) -> None:
    for _ in range(2):
        at = drop(app("importing"), "talks.jsonl", TALK)
        at.selectbox(key="import-into").set_value("").run()
        at.text_input(key="import-title").input("VERA-MH").run()
        at.button(key="import-go").click().run()
    with store.reading() as connection:
        assert {study.key for study in studies.listing(connection)} >= {"vera-mh", "vera-mh_2"}


def test_the_same_file_again_for_a_new_study_is_counted_and_names_the_study_of_its_title(
    app: Callable[..., AppTest],
) -> None:
    at = drop(app("importing"), "talks.jsonl", TALK)
    assert "Recognised: 1 conversation." in title_of(at) and "There is a study" not in text_of(at)
    at.button(key="import-go").click().run()
    at = drop(app("importing"), "talks.jsonl", TALK)
    at.selectbox(key="import-into").set_value("").run()
    assert "Recognised: 1 conversation." in title_of(at)
    assert "There is a study “Talks” already." in text_of(at)
    at.text_input(key="import-title").input("Other talks").run()
    assert "There is a study" not in text_of(at)


def test_the_same_file_again_is_said_to_be_in_its_study_which_is_proposed(
    app: Callable[..., AppTest],
) -> None:
    at = drop(app("importing"), "talks.csv", SPOKEN)
    assert at.selectbox(key="import-into").value == "" and "already" not in text_of(at)
    at.text_input(key="import-title").input("Winter").run()
    at.button(key="import-go").click().run()
    assert "Imported: 1 conversation" in title_of(at)
    at = drop(app("importing"), "talks.csv", SPOKEN)
    assert at.selectbox(key="import-into").value == "winter"
    assert "This file is in “Winter” already." in text_of(at)
    at = drop(at, "talks.csv", SPOKEN.replace("Hello", "Goodbye"))
    assert at.selectbox(key="import-into").value == "" and "This file is in" not in text_of(at)


def test_a_study_that_holds_a_part_of_the_file_is_not_proposed_and_of_several_the_newest(
    app: Callable[..., AppTest],
) -> None:
    for title in ("Winter", "Spring"):
        at = drop(app("importing"), "talks.csv", SPOKEN)
        at.selectbox(key="import-into").set_value("").run()
        at.text_input(key="import-title").input(title).run()
        at.button(key="import-go").click().run()
    at = drop(app("importing"), "talks.csv", SPOKEN)
    assert "This file is in “Spring” already." in text_of(at)
    at = drop(at, "talks.csv", SPOKEN + "n2,user,Bye\nn2,assistant,See you\n")
    assert at.selectbox(key="import-into").value == "" and "This file is in" not in text_of(at)


def test_a_large_file_is_not_looked_for_in_other_studies(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.importers.file_import.LARGEST_LOOKED_FOR", len(TALK) - 1)
    at = drop(app("importing"), "talks.jsonl", TALK)
    at.button(key="import-go").click().run()
    at = drop(app("importing"), "talks.jsonl", TALK)
    assert at.selectbox(key="import-into").value == "" and "is in “" not in text_of(at)


def test_the_study_that_was_chosen_stays_chosen_for_the_next_file(app: Callable[..., AppTest]) -> None:
    at = drop(app("importing", reader="lead"), "talks.csv", SPOKEN)
    at.selectbox(key="import-into").set_value("coaching_demo").run()
    at = drop(at, "empty.csv", "")
    assert "The file is empty" in text_of(at) and "empty.csv · 0 bytes" in text_of(at)
    at = drop(at, "talks.csv", SPOKEN)
    assert at.selectbox(key="import-into").value == "coaching_demo"
    at.query_params["study"] = "lend_an_ear"
    at.session_state["study"] = "lend_an_ear"
    at = drop(at, "other.csv", SPOKEN)
    assert at.selectbox(key="import-into").value == "", "what was chosen in one study says nothing of another"


def test_a_table_without_what_is_said_says_what_is_missing_and_nothing_else(
    app: Callable[..., AppTest],
) -> None:
    at = drop(app("importing"), "talks.csv", SPOKEN)
    for name, content in (
        ("cut.csv", "session,speaker\nn1,user\nn1,assistant\n"),
        ("list.csv", "a,b\nred,4\n"),
    ):
        at = drop(at, name, content)
        assert at.selectbox(key="import-kind").value == "file"
        words = text_of(at)
        assert "Say which column holds the words of the conversations, or the labels" in words
        assert "This file contains no conversation or label" not in words and not is_checked(at)
    at = drop(at, "mute.csv", "session,text\nn1,Hello\n")
    assert "Say which column names the speaker" in text_of(at), "a text without a speaker may be anything"


def test_the_steps_keep_their_numbers(app: Callable[..., AppTest]) -> None:
    at = app("importing")
    for content in (None, SPOKEN, "", RATED):
        at = at if content is None else drop(at, "file.csv", content)
        assert "4 Check and import" in text_of(at), content
    assert "3 Who has seen what: not needed" in text_of(drop(at, "talks.csv", SPOKEN))


def test_what_is_brought_in_is_told_until_somebody_leaves_the_page(
    app: Callable[..., AppTest], bar: BarOfTest
) -> None:
    at = drop(app("importing"), "talks.jsonl", TALK)
    at.button(key="import-go").click().run()
    assert "Imported" in text_of(at)
    at.query_params.clear()
    at = bar.press(at, "importing")
    assert "Drop a file from Excel" in text_of(at) and "Imported" not in text_of(at)


def test_labels_ask_who_has_seen_what_before_they_are_checked(app: Callable[..., AppTest]) -> None:
    at = drop(app("importing", study="coaching_demo", reader="lead"), "r.csv", RATED)
    assert "labels, 1 row." in title_of(at)
    assert "Say what these raters had seen" in text_of(at)
    assert not any(button.key == "import-go" for button in at.button)
    at.selectbox(key="import-exposure").set_value("blind").run()
    at.text_input(key="import-source").input("a protocol").run()
    assert "Recognised: 1 rating, none in this study yet." in title_of(at)
    at.button(key="import-go").click().run()
    assert "Imported: 1 rating." in title_of(at) and "overview?study=coaching_demo" in text_of(at)
    at = drop(app("importing", study="coaching_demo", reader="lead"), "r.csv", RATED)
    at.selectbox(key="import-exposure").set_value("blind").run()
    at.text_input(key="import-source").input("a protocol").run()
    assert "Recognised: 1 rating, all of them in this study already." in title_of(at)


def test_a_run_table_is_checked_refused_and_imported(app: Callable[..., AppTest], store: Store) -> None:
    at = app("importing", study="coaching_demo", reader="lead")
    at = drop(at, "runs.csv", "run_id,model,jaccard\nr1,fox,85%\n")
    assert at.selectbox(key="import-into-known").value == "coaching_demo"
    assert "is a percentage; write it as a share, such as 0.85" in text_of(at)
    assert (
        "1 line needs fixing" in text_of(at)
        and "Fix it in the file" in text_of(at)
        and at.button(key="import-go").disabled
    )
    at = drop(at, "runs.csv", "run_id,model,jaccard\nr1,fox,0.85\n")
    assert "Would add 1 run" in text_of(at)
    at.button(key="import-go").click().run()
    with store.reading() as connection:
        study = studies.get_by_key(connection, "coaching_demo")
        assert run_summaries.listing(connection, study.id) == [
            RunSummary("r1", "table", "fox", numbers={"jaccard_all": 0.85})
        ]


def test_a_bad_file_is_refused_line_by_line_and_cannot_be_brought_in(app: Callable[..., AppTest]) -> None:
    at = drop(app("importing"), "bad.jsonl", f'{TALK}\n{{"id": 1, "turns": []}}\nnot json\n')
    words = text_of(at)
    assert (
        "2 lines need fixing" in words and "the conversation is empty" in words and "not valid JSON" in words
    )
    assert at.button(key="import-go").disabled


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.json", '{"resourceSpans": []}', "This seems to be traces of OpenTelemetry"),
        ("a.pdf", b"%PDF-1.7", "a PDF file"),
        ("a.txt", "hello", "This file contains no conversation or label"),
        ("b.csv", "", "The file is empty."),
    ],
)
def test_what_is_not_recognised_says_what_it_seems_to_be(
    app: Callable[..., AppTest], name: str, content: str | bytes, words: str
) -> None:
    at = drop(app("importing"), name, content)
    assert not at.exception and "Not recognised" in title_of(at)
    assert words in text_of(at).replace("\\", "") and "Expecting value" not in text_of(at)
    assert not is_checked(at)


def test_what_it_is_can_be_changed(app: Callable[..., AppTest]) -> None:
    at = drop(app("importing", study="coaching_demo", reader="lead"), "r.csv", RATED)
    at.selectbox(key="import-kind").set_value("judgements").run()
    at.text_input(key="import-judge").input("gpt").run()
    assert "rater: unknown here" in text_of(at)
    at = drop(at, "talks.jsonl", TALK)
    assert at.selectbox(key="import-kind").value == "conversations", "another file is recognised anew"


def test_a_check_runs_once_for_what_was_said(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[bool] = []

    def run(*_: object, dry_run: bool, **__: object) -> check.CheckOutcome:
        runs.append(dry_run)
        return check.CheckOutcome(problem="x")

    monkeypatch.setattr(check, "run", run)
    at = drop(app("importing"), "talks.jsonl", TALK)
    at.run()
    at.run()
    assert len(runs) == 1
    at.text_input(key="import-title").input("another").run()
    assert len(runs) == 2


def test_a_check_that_was_stopped_waits_to_be_asked_again(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = check.check_once

    def stopped(upload: object, work: Work, statement: object) -> object:
        upload_of_check = upload
        monkeypatch.setattr(check, "check_once", real)
        import streamlit as st

        st.session_state[check.STOPPED] = (upload_of_check.number, repr(statement))  # type: ignore[attr-defined]
        return real(upload, work, statement)  # type: ignore[arg-type]

    monkeypatch.setattr("pages.importing.check_once", stopped)
    at = drop(app("importing"), "talks.jsonl", TALK)
    assert "The import was stopped. Nothing was imported." in text_of(at) and not is_checked(at)
    monkeypatch.setattr("pages.importing.check_once", real)
    at.button(key="import-check-again").click().run()
    assert "Would add 1 conversation" in text_of(at)


def test_an_import_that_somebody_ends_is_told_and_one_that_is_committed_is_never_called_stopped(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    """Whatever is pressed while the page works ends its run: before the commit, or just behind it."""
    before = study_count(store)

    def end_run(*_: object, **__: object) -> None:
        raise StopException

    at = drop(app("importing"), "talks.jsonl", TALK)
    with monkeypatch.context() as patch:
        patch.setattr(file_import, "import_file", end_run)
        at.button(key="import-go").click().run()
    at.run()
    assert "The import was stopped. Nothing was imported." in text_of(at) and study_count(store) == before
    with monkeypatch.context() as patch:
        patch.setattr(WorkProgress, "end", end_run)
        at.button(key="import-go").click().run()
    at.run()
    assert "Imported: 1 conversation" in title_of(at) and "Stopped" not in text_of(at)
    assert study_count(store) == before + 1


def test_spreadsheets_to_fill_in_are_offered_until_there_is_a_file(app: Callable[..., AppTest]) -> None:
    for address in ({}, {"study": "plan_demo", "reader": "lead"}):
        at = app("importing", **address)
        assert not at.exception
        assert [each.proto.label for each in at.get("download_button")] == [
            label for label, _ in TEMPLATES.values()
        ]


def test_a_whole_study_comes_in_on_one_press_and_once(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")) as other:
        elsewhere = make(other, tmp_path, key="moved", title="Moved here", conversation_count=2)
        export_study(other, elsewhere.study, tmp_path / "moved.sqlite", "lead")
    before = study_count(store)
    at = drop(app("importing"), "moved.sqlite", (tmp_path / "moved.sqlite").read_bytes())
    assert "A whole study, if Export wrote this file" in text_of(at) and study_count(store) == before
    at.button(key="import-go").click().run()
    assert not at.exception and "2 raters and 2 conversations" in title_of(at)
    assert study_count(store) == before + 1 and "study=moved" in text_of(at)
    again = drop(app("importing"), "moved.sqlite", (tmp_path / "moved.sqlite").read_bytes())
    again.button(key="import-go").click().run()
    assert study_count(store) == before + 1 and "There is already a study moved" in text_of(again)


def test_a_database_that_is_no_study_is_refused(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection:
        connection.execute("CREATE TABLE x (y)")
    at = drop(app("importing"), "x.sqlite", (tmp_path / "x.sqlite").read_bytes())
    at.button(key="import-go").click().run()
    assert not at.exception and [each.value for each in at.error]
