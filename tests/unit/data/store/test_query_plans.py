"""What is asked at every key press, or of each unit of a list, is answered from an index, not by reading a
table from end to end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event

from data.labels import unit_labels
from data.labels.unit_list import list_units
from data.record import (
    conversations,
    ledger,
    ledger_reports,
    ledger_totals,
    lineage,
    metrics,
    references,
    units,
)
from data.settling import escalations
from data.work import answers_to_judges, exposures, ratings, same_words
from data.work.worklist import open_worklist
from tests.studies import small_study
from tests.studies.small_study import Desk, Small

QUESTIONS: dict[str, Callable[[Connection, Desk, units.Unit], Any]] = {
    "next open": lambda c, d, u: units.next_open(c, d.study.id, d.rater),
    "next open after": lambda c, d, u: units.next_open(c, d.study.id, d.rater, 2),
    "next skipped": lambda c, d, u: units.next_skipped(c, d.rater),
    "window": lambda c, d, u: units.progress_window(c, d.study.id, d.rater, 2),
    "state": lambda c, d, u: units.state(c, d.rater, u.id),
    "rater_progress": lambda c, d, u: units.rater_progress(c, d.rater),
    "count of a state": lambda c, d, u: units.count_state(c, d.rater, "skipped"),
    "unit": lambda c, d, u: units.get(c, u.id),
    "unit at a position": lambda c, d, u: units.at_position(c, d.study.id, 2),
    "drafts": lambda c, d, u: ratings.drafts(c, d.rater, u.id),
    "ratings": lambda c, d, u: ratings.current(c, d.rater, u.id),
    "committed at": lambda c, d, u: ratings.committed_at(c, d.rater, u.id),
    "revealed": lambda c, d, u: exposures.revealed(c, d.rater, u.id),
    "exposure": lambda c, d, u: exposures.exposure_now(c, d.study, u, d.rater),
    "due": lambda c, d, u: exposures.due_units(open_worklist(c, d.study, d.rater), [u.id]),
    "first to compare": lambda c, d, u: exposures.first_to_compare(open_worklist(c, d.study, d.rater)),
    "judgements": lambda c, d, u: answers_to_judges.read_shown(c, u, d.rater),
    "references": lambda c, d, u: references.References(c, d.study.id, references.scopes_of("c2", "warm")),
    "notes to the study lead": lambda c, d, u: escalations.raised_by(c, d.rater, u.id),
    "any reference": lambda c, d, u: references.has_any(c, d.study.id),
    "metrics": lambda c, d, u: metrics.present(c, d.study.id, u.conversation_id),
    "replies of a judge": lambda c, d, u: ledger.find_replies(c, ledger.is_of_judge(1), ["k"], True),
    "replies of a model": lambda c, d, u: ledger.find_replies(c, ledger.is_of_model(1), ["k"], False),
    "tries about a unit": lambda c, d, u: ledger_reports.tries(c, 1, u.id),
    "totals of a run": lambda c, d, u: ledger_totals.totals(c, run_id=1),
    "words that are gone": lambda c, d, u: conversations.find_without_words(c, [u.conversation_id]),
    "units to choose from": lambda c, d, u: list_units(c, d.study),
    "labels of a unit": lambda c, d, u: unit_labels.of_people(c, u),
    "responses": lambda c, d, u: answers_to_judges.responses(c, d.rater, u.id),
}


# A row for each study that continues another, for each rater of a file who is a person of the study, and for
# each unit of a practice round.
SMALL_TABLES = ("successor", "rater_identity", "calibration_unit")


def plans(small: Small, ask: Callable[[Connection, Desk, units.Unit], Any]) -> list[str]:
    """The steps of every statement that a question leads to."""
    desk = small.desk()
    unit = desk.unit(2)
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    with small.store.reading() as connection:
        event.listen(small.store._engine, "before_cursor_execute", note)
        ask(connection, desk, unit)
        event.remove(small.store._engine, "before_cursor_execute", note)
        assert asked
        return [
            row[3]
            for statement, parameters in asked
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]


def scans(steps: list[str]) -> list[str]:
    """The steps that read a whole table that may be large; an empty list in an IN is none."""
    return [
        step
        for step in steps
        if step.startswith("SCAN") and step.split()[1] not in ("CONSTANT", "(subquery-1)", *SMALL_TABLES)
    ]


def test_no_table_is_read_from_end_to_end_for_another_version_of_the_study(
    full: Small, tmp_path: Path
) -> None:
    other = small_study.make(full.store, tmp_path, key="other")
    with full.store.writing("lead", "go on", other.study.id) as (connection, entry):
        lineage.record_successor(connection, entry, other.study.id, full.study.id, None, None)
    newcomer = other.raters[0]
    steps = plans(full, lambda c, d, u: exposures.exposure_now(c, d.study, u, newcomer))
    assert any("conversation" in step for step in steps), "the other study was asked"
    assert scans(steps) == []


def test_no_table_is_read_from_end_to_end_for_the_same_words_in_another_study(
    full: Small, tmp_path: Path
) -> None:
    other = small_study.make(full.store, tmp_path, key="other")
    steps = plans(other, lambda c, d, u: same_words.saw_same_words(c, u, d.rater))
    assert any("exposure" in step for step in steps), "who saw them was asked"
    assert scans(steps) == []


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_table_is_read_from_end_to_end(full: Small, question: str) -> None:
    found = plans(full, QUESTIONS[question])
    assert found
    assert scans(found) == []


@pytest.mark.parametrize(
    ("question", "index"),
    [("references", "study_id=? AND kind=? AND scope=?"), ("metrics", "conversation_id=?")],
)
def test_what_belongs_to_one_conversation_is_not_looked_up_among_all_of_the_study(
    full: Small, question: str, index: str
) -> None:
    assert [step for step in plans(full, QUESTIONS[question]) if index in step]


def test_a_question_without_an_index_would_be_noticed(full: Small) -> None:
    found = plans(full, lambda c, d, u: c.exec_driver_sql("SELECT * FROM unit WHERE criteria = 'x'"))
    assert scans(found) == ["SCAN unit"]
