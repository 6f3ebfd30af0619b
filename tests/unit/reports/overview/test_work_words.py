"""How far the work is: what is rated of all, and the time that the rest takes where a pace is known."""

from __future__ import annotations

import pytest

from data.labels.work_overview import StudyProgress
from reports.overview.work_words import NOBODY, RatedUnits, rated_units, work_sentence
from tests.unit.reports.overview.test_needs import RATER, labelled

ANN, BEN = RatedUnits(1, "Rater K7", 50, 0), RatedUnits(2, "Rater P2", 38, 0)
FILE = RatedUnits(3, "Rater Q4", 0, 60)


@pytest.mark.parametrize(
    ("rated", "minutes", "sentence"),
    [
        ([], {}, NOBODY),
        ([ANN, BEN], {1: 3.0, 2: 4.0}, "88 of 100 rated here, about 50 min of work left."),
        ([ANN, BEN], {1: 3.0}, "88 of 100 rated here."),
        ([ANN, BEN], {2: 4.0}, "88 of 100 rated here, about 50 min of work left."),
        ([ANN], {}, "All 50 ratings have been made here."),
        ([FILE], {}, "60 ratings from files."),
        ([ANN, FILE], {}, "All 50 ratings have been made here. 60 ratings from files."),
    ],
)
def test_without_a_plan_whoever_has_begun_is_to_rate_everything(
    rated: list[RatedUnits], minutes: dict[int, float], sentence: str
) -> None:
    assert work_sentence(rated, 50, None, minutes) == sentence


def test_with_a_plan_it_is_what_the_plan_asks_for() -> None:
    totals = StudyProgress(drawn=40, complete=10, begun=5, given=30, wanted=80, under_way=0)
    assert (
        work_sentence([ANN, BEN], 50, totals, {1: 2.0, 2: 4.0})
        == "30 of 80 rated here, about 2.5 hours of work left."
    )
    assert work_sentence([ANN, BEN], 50, totals, {}) == "30 of 80 rated here."


def test_raters_of_files_alone_are_counted_by_their_labels_under_codes() -> None:
    rows = rated_units([RATER], labelled({"warm": "same"}))
    assert [row.units for row in rows] == sorted((row.units for row in rows), reverse=True)
    assert {row.imported for row in rows if row.rater != RATER.id} >= {80}
    assert all(row.units for row in rows)
    assert all(row.name.count("Rater ") == 1 for row in rows)
