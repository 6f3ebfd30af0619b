"""The judge's part of the Drift page: freezing anchors, and deciding which judge is used."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import adoptions, anchors, studies
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.store import Store
from tests.pages.conftest import text_of

STUDY = "lend_an_ear"


def of(store: Store) -> Study:
    with store.reading() as connection:
        found = studies.find(connection, STUDY)
    assert found is not None
    return found


def press(at: AppTest, label: str) -> AppTest:
    return next(one for one in at.button if one.label == label).click().run()


@pytest.fixture
def frozen(app: Callable[..., AppTest]) -> AppTest:
    at = app("drift", study=STUDY, reader="lead", part="judge")
    assert (
        not at.exception
        and "No set has been locked yet" in text_of(at)
        and "49 conversations have a settled label" in text_of(at)
    )
    at.number_input(key="anchors-size").set_value(20)
    return press(at, "Lock them")


def test_a_lead_freezes_anchors_of_what_three_experts_gave_alike(frozen: AppTest, store: Store) -> None:
    said = text_of(frozen)
    assert not frozen.exception and "for 20 conversations" in said
    with store.reading() as connection:
        found = anchors.newest(connection, of(store).id)
    assert found is not None and found.number == 1 and len(found.labels) > 20
    assert (
        "GPT\\-4o" not in said and "GPT-4o" in said and "(judge" not in said and "unknown: imported" in said
    )


@pytest.mark.parametrize("size", [0, -3, 50])
def test_a_wrong_number_is_told_and_nothing_is_frozen(
    app: Callable[..., AppTest], store: Store, size: int
) -> None:
    at = app("drift", study=STUDY, reader="lead", part="judge")
    at.number_input(key="anchors-size").set_value(size)
    assert "Choose between 1 and 49 conversations." in text_of(press(at, "Lock them")).replace(
        "\\", ""
    )  # escaped for Markdown
    with store.reading() as connection:
        assert anchors.newest(connection, of(store).id) is None


def test_a_person_decides_by_name_and_the_next_judge_is_compared(frozen: AppTest, store: Store) -> None:
    first = press(frozen, "Use this judge from now on")
    assert "Write your name" in text_of(first)
    next(field for field in first.text_input if field.label == "Your name").set_value("Dr Lee")
    decided = press(first, "Use this judge from now on")
    assert (
        not decided.exception and "is in use from now on" in text_of(decided) and "Dr Lee" in text_of(decided)
    )
    assert "right on" in text_of(decided) and "Where their majority answers differ" in text_of(decided)
    with store.reading() as connection:
        assert adoptions.active_judge(connection, of(store).id) is not None


def test_a_rater_sees_it_only_when_done_and_decides_nothing(
    app: Callable[..., AppTest], store: Store, frozen: AppTest
) -> None:
    study = of(store)
    with store.writing("tests", "add", study.id) as (connection, entry):
        rater = studies.add_rater(connection, entry, study.id, "Pat")
    page = app("drift", study=STUDY, reader=str(rater), part="judge")
    assert "Anchors" not in text_of(page) and "GPT" not in text_of(page)
    opened = press(page, "Show it and record this")
    assert "Locked set 1, since" in text_of(opened)
    assert not {"Lock them", "Use this judge from now on"} & {button.label for button in opened.button}


def test_an_imported_answer_of_a_name_that_looks_like_markup_stays_text(
    app: Callable[..., AppTest], store: Store, frozen: AppTest
) -> None:
    study = of(store)
    with store.reading() as connection:
        anchor_set = anchors.newest(connection, study.id)
        assert anchor_set is not None
        rows = connection.exec_driver_sql(
            "SELECT c.key FROM conversation c JOIN unit u ON u.conversation_id = c.id WHERE u.id = ?",
            (anchor_set.unit_ids[0],),
        ).one()
    report = ImportReport("x")
    with store.writing("tests", "import", study.id) as (connection, entry):
        criterion = next(name for unit, name in anchor_set.labels if unit == anchor_set.unit_ids[0])
        add_judgements(
            connection,
            entry,
            study,
            [(1, {"conversation_id": rows[0], "criterion": criterion, "label": "1", "at": "2026-03-01"})],
            report,
            JudgeIdentity("<img src=x onerror=alert(1)>"),
            "tests",
        )
        report.raise_if_wrong()
    at = app("drift", study=STUDY, reader="lead", part="judge")
    assert not at.exception and "<img" not in text_of(at) and "2026-03-01" in text_of(at)


def test_who_decides_on_what_somebody_else_has_changed_is_told_and_nothing_is_kept(
    frozen: AppTest, store: Store
) -> None:
    study = of(store)
    at = frozen
    chosen = at.selectbox(key=f"drift-swap-{study.id}").value
    other = next(level for level in (4, 5, 6) if level != chosen)
    next(field for field in at.text_input if field.label == "Your name").set_value("Dr Lee")
    with store.writing("tests", "decide", study.id) as (connection, entry):
        adoptions.adopt(connection, entry, study, other, adoptions.AdoptionEvidence(), "Dr Other", "", None)
    at = press(at, "Use this judge from now on")
    assert (
        not at.exception
        and "In the meantime, Dr Other chose" in text_of(at)
        and "Your own decision was not saved" in text_of(at)
    )
    with store.reading() as connection:
        assert [adoption.by for adoption in adoptions.adoption_history(connection, study.id)] == ["Dr Other"]


def test_a_second_press_freezes_no_second_set(frozen: AppTest, store: Store) -> None:
    study = of(store)
    frozen.session_state[f"anchors-seen-{study.id}"] = (
        0  # what the page showed when the button was pressed the second time
    )
    said = text_of(press(frozen, "Lock them"))
    assert "A set of conversations was locked in the meantime" in said
    with store.reading() as connection:
        found = anchors.newest(connection, study.id)
    assert found is not None and found.number == 1
