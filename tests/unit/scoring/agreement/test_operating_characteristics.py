"""The rule and the intervals on studies whose truth is planted: small seeded versions of `python -m bench
verdicts` and `coverage`.
"""

from __future__ import annotations

import pytest

from tests.studies.interval_coverage import JudgePlan, measure_coverage
from tests.studies.simulated_judges import StudyPlan
from tests.studies.verdict_cells import Cell, cells, check_plans, count_verdicts

pytestmark = pytest.mark.slow

STUDIES = 40
SLACK = 0.10  # of 40 studies, what luck may do to a share that is asked of 400
LARGEST = 200  # conversations
SMALL = [cell for cell in cells() if cell.asked and cell.plan.conversations <= LARGEST]


@pytest.mark.parametrize("cell", SMALL, ids=lambda cell: cell.title)
def test_judges_whose_truth_is_known_get_the_verdict_that_is_asked(cell: Cell) -> None:
    counts = count_verdicts(cell, STUDIES)
    for verdict, low, high in cell.asked:
        assert low - SLACK <= counts[verdict] / STUDIES <= high + SLACK, (verdict, counts)


def test_the_small_version_has_every_kind_of_study() -> None:
    assert {cell.part for cell in SMALL} == {cell.part for cell in cells()}
    assert {cell.judge for cell in SMALL} >= {"random", "constant", "inverted", "exchangeable", "perfect"}


@pytest.mark.parametrize(
    "plan",
    [
        StudyPlan(50, 0.05, 3, gate=True),
        StudyPlan(50, 0.02, 2, 6, 0.3, gate=True),
        StudyPlan(20, 0.2, 3, 6, gate=True),
    ],
    ids=["5 %, one label each", "2 %, six labels alike", "20 conversations"],
)
def test_printed_intervals_hold_the_truth_where_labels_are_rare(plan: StudyPlan) -> None:
    for name, coverage in measure_coverage(plan, JudgePlan(), 120).items():
        if coverage.printed >= 40:
            assert coverage.share is not None and coverage.share >= 0.87, (name, coverage)


def test_as_many_more_conversations_as_are_named_do_answer_mostly() -> None:
    checked = check_plans(False, 60)
    named = [plan for plan in checked if plan.needed]
    assert len(checked) >= 30
    assert sum(plan.answered for plan in named) >= 0.55 * len(named)
    chance = sum(plan.chance for plan in checked) / len(checked)
    assert abs(sum(plan.answered for plan in checked) / len(checked) - chance) < 0.25
