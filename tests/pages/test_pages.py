"""Each page as a lead, as a rater, and as nobody in particular."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.store.store import Store
from tests.pages.conftest import has_workbench, text_of


def test_the_first_page_offers_the_studies_with_a_sentence_each(app: Callable[..., AppTest]) -> None:
    at = app("studies")
    assert not at.exception
    page_text = text_of(at)
    for title in (
        "Coaching rubric, worked example",
        "Coaching rubric, demonstration",
        "Plan-output alignment, demonstration",
        "Lend an Ear",
        "VERA-MH",
    ):
        assert title in page_text
    assert page_text.count("written by hand") >= 2


def test_rate_leads_to_the_review_page_of_that_study(app: Callable[..., AppTest]) -> None:
    at = app("studies")
    at.button(key="rate-vera_mh").click().run()
    assert not at.exception
    assert "Choose your name." in text_of(at)


def test_a_study_with_a_content_note_shows_it_first(
    app: Callable[..., AppTest], rater_id: Callable[..., int]
) -> None:
    at = app("review", study="vera_mh", reader=str(rater_id("vera_mh", "Reader 1")))
    assert "about suicide" in text_of(at)
    assert not has_workbench(at)
    at.button(key="content-note-open").click().run()
    assert not at.exception and has_workbench(at)


@pytest.mark.parametrize("reader", ["999999", "x", "", "9" * 30, "²"])
def test_review_asks_for_a_name_instead_of_a_wrong_reader(app: Callable[..., AppTest], reader: str) -> None:
    at = app("review", study="lend_an_ear", reader=reader)
    assert not at.exception and "Choose your name." in text_of(at)


def test_a_lead_reads_a_unit_with_everything_said_of_it(app: Callable[..., AppTest]) -> None:
    at = app("review", study="coaching_demo", reader="lead", unit="7", note="seen")
    said = text_of(at)
    assert not at.exception and not has_workbench(at)
    for word in ("Demonstration judge", "panic disorder", "blind"):
        assert word in said
    assert re.search(r"Rater [A-Z]\d", said)
    assert "Clinician A" not in said


@pytest.mark.parametrize("unit", ["²", "-1", "999999999999", "x"])
def test_a_unit_that_does_not_exist_shows_the_first_unfinished(
    app: Callable[..., AppTest], rater_id: Callable[..., int], unit: str
) -> None:
    assert not app(
        "review", study="lend_an_ear", reader=str(rater_id("lend_an_ear", "Reader 1")), unit=unit
    ).exception


def test_an_imported_rater_cannot_be_taken_as_a_name(
    app: Callable[..., AppTest], rater_id: Callable[..., int]
) -> None:
    at = app("review", study="lend_an_ear", reader=str(rater_id("lend_an_ear", "Expert 1")))
    assert "Choose your name." in text_of(at)


def test_a_rater_of_another_study_cannot_be_taken(
    app: Callable[..., AppTest], rater_id: Callable[..., int]
) -> None:
    at = app("review", study="lend_an_ear", reader=str(rater_id("plan_demo", "Reader 1")))
    assert "Choose your name." in text_of(at)


@pytest.mark.parametrize("page", ["review", "agreement"])
def test_an_unknown_study_leads_back_to_the_list(app: Callable[..., AppTest], page: str) -> None:
    at = app(page, study="nothing-of-the-kind")
    page_text = text_of(at)
    assert not at.exception and "Choose a study first" in page_text and 'href="studies"' in page_text


def test_agreement_for_a_lead_shows_counts_first_and_the_disagreements(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="lend_an_ear", reader="lead")
    page_text = text_of(at)
    assert not at.exception
    assert (
        "The judge agreed with the clinician on 440 of 900 labels: 49% (plausible range 43% to 55%)."
        in page_text
    )
    assert (
        "Before you rely on this:" in page_text
        and "the same label on 440 of 900" in page_text
        and "2 other judges have labels in this study" in page_text
    )
    assert "Expert" not in page_text, "raters are pseudonyms until a lead asks for their names"
    assert "Where they differ" in page_text and "review?study=lend_an_ear" in page_text


def test_agreement_without_a_judge_compares_people(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="vera_mh", reader="lead")
    assert not at.exception
    page_text = text_of(at)
    assert "Clinicians gave the same label in 1,121 of 1,350 pairs (83%)" in page_text
    assert (
        "84% of the labels are" in page_text
        and "agreement beyond chance (ignoring the order of levels) is low" in page_text
    )
    assert all(
        f"Agreement beyond chance: {value}" in page_text for value in ("0.24", "0.75 (", "0.65 (", "0.76 (")
    )


def test_agreement_of_a_study_with_one_unrated_unit_cannot_be_estimated(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="coaching_example", reader="lead")
    said = text_of(at)
    assert not at.exception
    assert "cannot be estimated" in said and "NaN" not in said and "nan" not in said.split()


def test_a_rater_with_units_left_sees_nothing_of_others(
    app: Callable[..., AppTest], rater_id: Callable[..., int], store: Store
) -> None:
    at = app("agreement", study="lend_an_ear", reader=str(rater_id("lend_an_ear", "Reader 1")))
    said = text_of(at)
    assert "left to rate blind" in said and "Expert" not in said
    assert all("Expert" not in str(box.options) for box in at.selectbox)
    with store.reading() as connection:
        assert connection.execute(select(schema.exposure)).first() is None


def test_failures_of_the_judge_are_counted_apart(app: Callable[..., AppTest]) -> None:
    said = text_of(app("agreement", study="coaching_demo", reader="lead"))
    assert "This judge gave no label in " in said
    for reason in ("withheld the reply", "could not be reached", "was cut off"):
        assert reason in said


def test_a_store_that_cannot_be_used_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, app: Callable[..., AppTest]
) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"this is no database at all, but long enough to look at" * 40)
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{broken}")
    said = text_of(app("studies"))
    assert "is damaged or is not a database" in said


def test_a_study_that_is_not_there_is_named_as_text(app: Callable[..., AppTest]) -> None:
    page_text = text_of(app("agreement", study="<b>gone</b>", reader="lead"))
    assert "There is no study “&lt;b&gt;gone&lt;/b&gt;” here." in page_text and "<b>gone" not in page_text
    assert 'href="studies"' in page_text
