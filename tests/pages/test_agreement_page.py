"""The Agreement page: studies with next to nothing in them, filters, who sees whose names, and files to take
away.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from pages.widgets.agreement.exports import STUDY_FILES
from reports.agreement.export_files import export_files, request_for
from reports.agreement.rating_table import explain_columns
from reports.render.files import zipped
from tests.documents.report_words import NO_NUMBER
from tests.pages.conftest import pictures, text_of
from tests.studies import degenerate, small_study
from tests.studies.degenerate import STUDIES
from tests.studies.small_study import Small

App = Callable[..., AppTest]
NOT_YET = "Agreement can't be estimated yet: no clinician's blind label can be compared with the judge's"
NEEDED = {
    "no_ratings": [NOT_YET, "There are no blind labels to compare with this judge."],
    "one_rater": [
        "All the blind labels that can be compared with this judge come from one rater.",
        "The judge agreed with the clinician on 5 of 11 labels: 45%",
    ],
    "one_conversation": [
        "The judge agreed with the clinician on 2 of 4 labels: 50%",
        "one conversation can't show how much this varies",
    ],
    "one_category": [
        "On each criterion, one label makes up more than 90% of the labels that clinicians gave. Agreement beyond "
        "chance is unreliable there.",
        "too early to say how the judge does on all 3 criteria.",
    ],
    "all_revealed": [
        "There are no blind labels to compare with this judge.",
        "11 labels were given after the rater had seen the judge's labels,",
        NOT_YET,
    ],
    "all_not_applicable": [
        "On each criterion, the clinician and the judge both say that the criterion applies in fewer than 20 pairs of labels.",
        "on 22 of 22 labels",
    ],
    "all_failures": ["The judge gave no label in 12 of 12 calls (100%).", NOT_YET],
    "one_judge_twice": [
        "This report covers one judge. 1 other judge has labels in this study (Same name).",
        "on 22 of 22 labels",
    ],
    "huge_label": ["As good as a colleague?", degenerate.LONG.upper().strip()],
    "mixed_instruments": [
        "Small rubric, version 2.",
        "The judge agreed with the clinician on 1 of 2 labels: 50%",
        "2 blind labels from 1 clinician",
    ],
}


def words(at: AppTest) -> str:
    """Everything on the page, charts included, as a reader reads it."""
    assert not at.exception
    return html.unescape(text_of(at)).replace("\\", "")


@pytest.mark.parametrize("make", STUDIES.values(), ids=STUDIES)
def test_a_page_that_makes_sense_for_each(
    app: App, store: Store, tmp_path: Path, make: Callable[[Store, Path], Small]
) -> None:
    small = make(store, tmp_path)
    at = app("agreement", study=small.study.key, reader="lead")
    page_text = words(at)
    for sentence in NEEDED[make.__name__]:
        assert sentence in page_text
    assert not NO_NUMBER.search(text_of(at))
    assert at.get("download_button") and "Traceback" not in page_text


def ratings_of_two(store: Store, folder: Path) -> Small:
    """Ann and Ben say the same as judge A but for Ben on c2; Ben then saw the judge of c2 and moved."""
    small = degenerate.no_ratings(store, folder)
    for position in (1, 2, 3, 4):
        small.desk(0).rate(position)
        small.desk(1).rate(position, "NO" if position == 2 else "YES")
    small.desk(1).reveal(2)
    small.desk(1).change(2, "warm", "YES")
    return small


def opened(app: App, store: Store, folder: Path) -> AppTest:
    return opened_of(app, ratings_of_two(store, folder))


def opened_of(app: App, small: Small) -> AppTest:
    at = app("agreement", study=small.study.key, reader="lead")
    at.selectbox(key="agreement-judge").set_value(0).run()
    return at


def test_the_arm_of_what_was_shown_is_apart(app: App, store: Store, tmp_path: Path) -> None:
    at = opened(app, store, tmp_path)
    # 22 blind labels; Ben differs on the three of c2.
    assert "The judge agreed with the clinician on 19 of 22 labels: 86%" in words(at)
    at.selectbox(key="agreement-arm").set_value("Given after seeing the judge's labels").run()
    page_text = words(at)
    assert (
        "The judge agreed with the clinician on 1 of 1 label: 100%" in page_text
        and "They are not the headline" in page_text
    )
    at.selectbox(key="agreement-arm").set_value("It is unknown what the rater had seen").run()
    page_text = words(at)
    assert "no label given with no record of what had been seen can be compared with the judge's" in page_text
    assert "come from one person" not in page_text, (
        "two people labelled blind, whichever ratings are looked at"
    )


def test_one_rater_only_and_the_code_stays_theirs(app: App, store: Store, tmp_path: Path) -> None:
    small = ratings_of_two(store, tmp_path)
    at, (ann, ben) = opened_of(app, small), small.codes
    at.selectbox(key="agreement-rater").select(ben).run()
    said = words(at)
    assert "The judge agreed with the clinician on 8 of 11 labels: 73%" in said
    assert f"Narrowed to: {ben}. Settled labels and judged reasons include all raters." in said
    assert ann not in said
    at.date_input(key="agreement-since").set_value(date(2020, 1, 1)).run()
    assert f"Narrowed to: {ben}, rated from 2020-01-01." in words(at)


def test_dates_that_leave_nothing_say_so(app: App, store: Store, tmp_path: Path) -> None:
    at = opened(app, store, tmp_path)
    at.date_input(key="agreement-until").set_value(date(2020, 1, 1)).run()
    said = words(at)
    assert NOT_YET in said and "Narrowed to: rated before 2020-01-02. Settled labels, repeats" in said
    assert not NO_NUMBER.search(text_of(at))


def test_names_only_for_a_lead_who_asks(app: App, store: Store, tmp_path: Path) -> None:
    small = ratings_of_two(store, tmp_path)
    at, code = opened_of(app, small), small.codes[0]
    assert "Ann" not in words(at) and code in words(at)
    at.toggle(key="agreement-names").set_value(True).run()
    assert "Ann" in words(at) and code not in words(at)
    at.toggle(key="agreement-names").set_value(False).run()
    assert "Ann" not in words(at) and "Ben" not in words(at)


def test_what_a_lead_saw_by_name_goes_to_no_other_tab(app: App, store: Store, tmp_path: Path) -> None:
    """Tabs share what takes long to make."""
    small = degenerate.one_category(store, tmp_path)
    lead = opened_of(app, small)
    lead.toggle(key="agreement-names").set_value(True).run()
    assert "Ben" in words(lead)
    for reader in (str(small.raters[0]), "lead"):
        other = app("agreement", study=small.study.key, reader=reader)
        assert small.codes[1] in words(other) and "Ben" not in words(other)
    lead.run()
    assert "Ben" in words(lead)


def test_a_rater_with_units_left_has_no_filter_no_file_and_nothing_of_others(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = degenerate.no_ratings(store, tmp_path)
    small.desk(0).rate(1, "NO")
    for position in range(1, 5):
        small.desk(1).rate(position, "NO")
    at = app("agreement", study="small", reader=str(small.raters[0]))
    page_text = words(at)
    assert "left to rate blind" in page_text
    for hidden in (
        "Ben",
        small.codes[1],
        "The judge agreed",
        "Before you rely",
        "All details",
        "private reasoning",
    ):
        assert hidden not in page_text
    keys = {
        str(widget.key)
        for kind in ("selectbox", "toggle", "date_input", "download_button")
        for widget in at.get(kind)
        if getattr(widget, "key", None)
    }
    assert not [
        key
        for key in keys
        if key
        in {
            "agreement-rater",
            "agreement-arm",
            "agreement-names",
            "agreement-condition",
            "agreement-html",
            "agreement-zip",
        }
    ]
    assert not at.get("download_button") and not pictures(at)
    with store.reading() as connection:
        assert connection.execute(select(schema.exposure)).first() is None


def test_a_judge_is_named_to_a_blind_rater_only_once_it_was_shown(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = degenerate.no_ratings(store, tmp_path)
    small.desk(0).rate(1)
    small.desk(1).rate(1)
    small.desk(1).reveal(1)  # what a colleague was shown names no judge to anybody else
    at = app("agreement", study="small", reader=str(small.raters[0]))
    assert "You have not seen a judge's labels yet." in words(at) and not at.selectbox
    sent = words(at) + str(at.main)
    assert "Judge A" not in sent and "Judge B" not in sent
    small.desk(0).reveal(1)
    add_late_judge(small)
    at = app("agreement", study="small", reader=str(small.raters[0]))
    assert at.selectbox(key="agreement-second").options == ["Judge A", "Judge B"]
    sent = words(at) + str(at.main)
    assert "Late judge" not in sent and "the same label on 2 of 2" in sent


def test_failures_of_a_judge_are_told_of_compared_units_alone(
    app: App, store: Store, rater_id: Callable[..., int]
) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        judgement, unit = schema.judgement, schema.unit
        failed = connection.execute(
            select(unit.c.position)
            .join(judgement, judgement.c.unit_id == unit.c.id)
            .where(judgement.c.study_id == study.id, judgement.c.status != "ok")
        ).scalars()
        failing = sorted(set(failed))
    whole = next(position for position in range(1, 15) if position not in failing)
    rater = rater_id("coaching_demo", "Reader 1")
    desk = small_study.Desk(store, study, rater)
    for position, is_told in ((whole, False), (failing[0], True)):
        desk.rate(position)
        desk.reveal(position)
        page_text = words(app("agreement", study="coaching_demo", reader=str(rater)))
        assert (" not counted: " in page_text) == is_told


def add_late_judge(small: Small) -> None:
    """A judge that speaks of the first unit when its other judges were shown already."""
    row = {"conversation_id": "c1", "criterion": "warm", "label": "NO"}
    report = ImportReport("late")
    with small.store.writing("tests", "a judge that comes late", small.study.id) as (connection, entry):
        add_judgements(
            connection, entry, small.study, [(1, row)], report, JudgeIdentity("Late judge"), "tests"
        )
    report.raise_if_wrong()


@pytest.mark.parametrize("rated", [0, 4])
def test_a_study_that_shows_no_judge_and_has_none_tells_a_rater_one_thing(
    app: App, store: Store, tmp_path: Path, rated: int
) -> None:
    small = small_study.make(store, tmp_path, with_judges=False, reveal="never")
    for position in range(1, rated + 1):
        small.desk().rate(position)
    at = app("agreement", study="small", reader=str(small.raters[0]))
    assert not at.exception
    assert [message.value.replace("\\", "") for message in at.info] == [
        "This study doesn't show its raters the judge's or colleagues' labels. Only a study lead can see "
        "how far they agree."
    ]


def test_a_rater_with_everything_rated_sees_pseudonyms_and_no_switch(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = degenerate.one_category(store, tmp_path)
    at = app("agreement", study="small", reader=str(small.raters[0]))
    said = words(at)
    assert "on 2" in said and small.codes[1] in said
    assert "Ben" not in said
    assert "agreement-names" not in {str(one.key) for one in at.toggle}
    assert all("Ben" not in str(box.options) for box in at.selectbox)


@pytest.mark.parametrize("key", ["coaching_demo", "vera_mh"])
def test_the_buttons_hold_the_bytes_of_the_command(
    app: App, store: Store, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: dict[str, Callable[[], bytes]] = {}
    monkeypatch.setattr(
        "streamlit.download_button",
        lambda label, data, name, mime, key, on_click: held.__setitem__(name, data),
    )
    at = app("agreement", study=key, reader="lead")
    of_study = {f"{key}{ending}" for ending, _ in STUDY_FILES.values()} | {f"{key}.columns.csv"}
    assert not at.exception and set(held) - of_study == {f"{key}-agreement.html", f"{key}-agreement.zip"}
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        files = export_files(connection, request_for(connection, study, None))
    monkeypatch.setattr("pages.widgets.reader_session.store", lambda: store)
    assert held[f"{key}.columns.csv"]() == explain_columns()
    assert held[f"{key}-agreement.html"]() == files["report.html"]
    assert held[f"{key}-agreement.zip"]() == zipped(files)


def test_a_disagreement_names_who_by_pseudonym_and_leads_to_the_unit(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = ratings_of_two(store, tmp_path)
    said = words(opened_of(app, small))
    assert "Where they differ: 1" in said and "review?study=small" in said
    assert small.codes[1] in said and "Ben" not in said
