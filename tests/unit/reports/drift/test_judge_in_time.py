"""The judge in use over time: its anchors among the sources of drift, and each label beside the judge that
was in use.
"""

from __future__ import annotations

import pytest

from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.labels import agreement_labels, agreement_material, event_dates
from data.record import adoptions, anchors
from data.record.adoptions import AdoptionEvidence
from data.record.judgements import JudgeIdentity, judges
from data.record.studies import Study
from data.store.store import Store
from reports.document import Paragraph
from reports.drift import what_moved
from reports.drift.agreement_by_date import AgreementByDate, PeriodView
from reports.drift.over_time import changes_of_judge, judges_of_line
from scoring.agreement.labels.label_data import LabelData
from tests.studies.anchored import freeze
from tests.studies.dated_study import put
from tests.studies.simulated_studies import simulate


@pytest.fixture
def study(store: Store) -> Study:
    return put(store, simulate("none", 3))


def answer_again(store: Store, study: Study, wrong: bool, name: str = "Judge <one>") -> None:
    """What is settled of 40 conversations is frozen. In March the judge says what it said of them in its
    time, in May the lowest label or the same again.
    """
    with store.reading() as connection:
        key: dict[int, str] = dict(
            connection.exec_driver_sql(
                "SELECT u.id, c.key FROM unit u JOIN conversation c ON c.id = u.conversation_id"
            ).fetchall()
        )
        first = judges(connection, study.id)[0].id
        own = {
            (label.unit_id, label.criterion): label.label
            for label in agreement_labels.judge_labels(connection, study.id, first)
        }
    anchor_set = freeze(store, study, tuple(range(1, 41)))
    rows = [
        {
            "conversation_id": key[place[0]],
            "criterion": place[1],
            "label": "0" if wrong and replicate > 3 else own[place],
            "round": str(replicate // 3),
            "at": "2026-03-02" if replicate == 3 else "2026-05-04",
        }
        for place in anchor_set.labels
        for replicate in (3, 6)
    ]
    report = ImportReport("rounds")
    with store.writing("tests", "import") as (connection, entry):
        add_judgements(
            connection, entry, study, enumerate(rows, start=1), report, JudgeIdentity(name), "tests"
        )
        report.raise_if_wrong()


def sentence(store: Store, study: Study) -> str:
    with store.reading() as connection:
        first = judges(connection, study.id)[0].id
        material = agreement_material.read(connection, study, first)
        source = AgreementByDate.of(
            material,
            event_dates.read_event_dates(connection, study.id, [first]),
            (),
            judges_of_line(connection, study, material, [first]),
        )
    shown = PeriodView(source, "rated", "condition", "week")
    return next(
        block.text
        for block in what_moved.blocks(shown)
        if isinstance(block, Paragraph) and block.text.startswith("The judge")
    )


def test_without_anchors_nobody_can_tell_the_judge(store: Store, study: Study) -> None:
    assert sentence(store, study).startswith(
        "The judge: not tested, there is no locked set of conversations yet"
    )


def test_a_judge_that_changed_on_its_anchors_is_named(store: Store, study: Study) -> None:
    answer_again(store, study, wrong=True)
    said = sentence(store, study)
    assert (
        said.startswith("The judge changed: over all its answers, its levels fall")
        and "locked conversations" in said
    )


def test_a_judge_that_did_not_is_not(store: Store, study: Study) -> None:
    answer_again(store, study, wrong=False)
    assert "no clear change" in sentence(store, study)


def test_a_failed_call_is_no_answer_to_an_anchor(store: Store, study: Study) -> None:
    answer_again(store, study, wrong=False)
    report = ImportReport("round 3")
    with store.writing("tests", "import") as (connection, entry):
        anchor_set = anchors.newest(connection, study.id)
        assert anchor_set is not None
        key: dict[int, str] = dict(
            connection.exec_driver_sql(
                "SELECT u.id, c.key FROM unit u JOIN conversation c ON c.id = u.conversation_id"
            ).fetchall()
        )
        rows = [
            {
                "conversation_id": key[unit],
                "criterion": criterion,
                "round": "3",
                "status": "truncated",
                "at": "2026-06-01",
            }
            for unit, criterion in anchor_set.labels
        ]
        add_judgements(
            connection, entry, study, enumerate(rows, start=1), report, JudgeIdentity("Judge <one>"), "tests"
        )
        report.raise_if_wrong()
    assert "no clear change" in sentence(store, study)


def test_of_one_judge_only_its_own_answers_are_followed_and_of_the_line_each_until_it_was_replaced(
    store: Store, study: Study
) -> None:
    answer_again(store, study, wrong=True)
    with store.reading() as connection:
        first_judge, two = (judge.id for judge in judges(connection, study.id))
        material = agreement_material.read(connection, study, first_judge)
        alone, both = (
            judges_of_line(connection, study, material, [two]),
            judges_of_line(connection, study, material, [first_judge, two]),
        )
    assert alone is not None and not len(alone.day)  # it was never asked about these conversations
    assert both is not None and {20514, 20577} < set(
        both.day.tolist()
    )  # two rounds in March and May, and the labels in the study on days of their own


def adopt(store: Store, study: Study, which: int, seen: int | None) -> int:
    with store.writing("tests", "decide", study.id) as (connection, entry):
        judge = judges(connection, study.id)[which].id
        adoptions.adopt(connection, entry, study, judge, AdoptionEvidence(), "Dr Lee", "", seen)
    return judge


def test_each_label_stands_beside_the_judge_that_was_asked_first(store: Store, study: Study) -> None:
    freeze(store, study, (1, 2, 3))
    with store.reading() as connection:
        first_judge, two = (judge.id for judge in judges(connection, study.id))
        first, second = (agreement_material.read(connection, study, judge) for judge in (first_judge, two))
        late = agreement_material.as_used(connection, study, second, [two, first_judge])
        early = agreement_material.as_used(connection, study, first, [first_judge, two])

    def said(of: LabelData) -> dict[tuple[int, int], int]:
        return {
            (question, unit): code
            for question, unit, code in zip(
                of.judge.question.tolist(), of.judge.unit.tolist(), of.judge.code.tolist(), strict=True
            )
        }

    assert said(early) == said(
        first
    )  # the first judge has labelled everything, so nothing is left for the second
    assert said(late) == {**said(first), **said(second)} and len(said(second)) < len(said(first))


def test_vertical_lines_are_decisions_once_there_are_any(store: Store, study: Study) -> None:
    freeze(store, study, (1, 2, 3))
    with store.reading() as connection:
        study_judges = judges(connection, study.id)
        assert [what for _, what in changes_of_judge(connection, study, study_judges)] == [
            "Judge <one> first answered",
            "Judge two first answered",
        ]
    adopt(store, study, 1, adopt(store, study, 0, None))
    with store.reading() as connection:
        assert [what for _, what in changes_of_judge(connection, study, study_judges)] == [
            "Judge <one> in use",
            "Judge two in use",
        ]
