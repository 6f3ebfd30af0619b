"""A line a judge says what is known of it, and the sentence above them no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from data.record import adoptions, judgements
from data.store.store import Store
from reports.judges.judge_rows import JudgeRow, gather_judge_rows, headline, judges_evidence
from tests.studies import degenerate, planted_studies
from tests.studies.small_study import Small

Rows = Callable[[str], tuple[JudgeRow, ...]]


def rows_of(small: Small) -> tuple[JudgeRow, ...]:
    with small.store.reading() as connection:
        judges = judgements.judges(connection, small.study.id)
        return gather_judge_rows(connection, small.study, judges)


@pytest.fixture
def rows(store: Store, tmp_path: Path) -> Rows:
    studies = {**planted_studies.STUDIES, **degenerate.STUDIES}
    return lambda name: rows_of(studies[name](store, tmp_path))


@pytest.mark.parametrize("name", ["perfect", "random", "constant", "inverted"])
def test_the_sentence_counts_the_blind_labels_that_are_the_same(rows: Rows, name: str) -> None:
    [row] = rows(name)
    assert row.blind.pairs == 216
    assert headline([row]) == (
        f"{row.blind.same} of the clinicians' 216 blind labels are the same as those of Planted judge."
    )
    share = {"perfect": (0.85, 1.0), "random": (0.2, 0.6), "constant": (0.2, 0.6), "inverted": (0.0, 0.2)}
    low, high = share[name]
    assert row.agreement.value is not None and low <= row.agreement.value <= high
    [line] = judges_evidence([row]).rows
    assert line.cells == (f"{row.blind.same} of 216", "not measured", "0 of 72", "imported")
    assert line.verdict == "" and judges_evidence([row]).verdict_name == ""


def test_failures_are_counted_apart_from_labels(rows: Rows) -> None:
    [row] = rows("missing")
    assert row.failures > 0 and row.failures + row.labels == 72
    assert judges_evidence([row]).rows[0].cells[2] == f"{row.failures} of 72"


def test_without_ratings_nothing_is_said_of_agreement(rows: Rows) -> None:
    several = rows("no_ratings")
    assert [row.agreement.value for row in several] == [None, None]
    assert headline(several) == "There are no blind labels to compare with Judge A, the judge in use."
    assert {line.cells[0] for line in judges_evidence(several).rows} == {"no blind label"}


def test_too_few_labels_have_no_share(rows: Rows) -> None:
    [row] = rows("perfect")
    few = replace(row, blind=replace(row.blind, pairs=19, same=19))
    assert headline([few]) == (
        "19 blind labels can be compared with Planted judge: too few to say how often they agree."
    )
    assert few.agreement.value is None
    assert judges_evidence([few]).rows[0].cells[0] == "too few: 19"


def test_a_judge_without_labels_is_not_in_use(rows: Rows) -> None:
    [row] = rows("perfect")
    assert row.in_use and headline([replace(row, in_use=False)]) == "No judge has a label in this study yet."


def test_the_judge_in_use_is_the_one_that_is_spoken_of(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    judges = [row.judge for row in rows_of(small)]
    assert len(judges) == 2
    monkeypatch.setattr(adoptions, "active_judge", lambda connection, study_id: judges[1].id)
    several = rows_of(small)
    assert [row.in_use for row in several] == [False, True]
    assert f"{judges[1].name}, the judge in use" in headline(several)
    evidence = judges_evidence(several)
    assert [(line.shape, line.verdict) for line in evidence.rows] == [("unknown", ""), ("yes", "in use")]
    assert evidence.verdict_name == "In use?"
