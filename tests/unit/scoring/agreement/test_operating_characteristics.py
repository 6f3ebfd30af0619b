"""The rule and the intervals on studies whose truth is planted: small seeded versions of `python -m bench
verdicts` and `coverage`.
"""

from __future__ import annotations

import pytest

from scoring.agreement.verdict_rule import TrustVerdict
from tests.interval_coverage import JudgePlan, measure_coverage
from tests.simulated_judges import OrdinalPlan, StudyPlan
from tests.verdict_cells import Cell, cells, check_plans, count_verdicts

pytestmark = pytest.mark.slow

STUDIES = 40
SLACK = 0.10  # of 40 studies, what luck may do to a share that is asked of 400
SMALL = [cell for cell in cells() if cell.asked and cell.plan.conversations <= 100]


@pytest.mark.parametrize("cell", SMALL, ids=lambda cell: cell.title)
def test_judges_whose_truth_is_known_get_the_verdict_that_is_asked(cell: Cell) -> None:
    counts = count_verdicts(cell, STUDIES)
    for verdict, low, high in cell.asked:
        assert low - SLACK <= counts[verdict] / STUDIES <= high + SLACK, (verdict, counts)


def test_the_small_version_has_every_kind_of_judge() -> None:
    kinds = {(cell.judge, isinstance(cell.plan, OrdinalPlan)) for cell in SMALL}
    assert {
        "random",
        "constant",
        "inverted",
        "exchangeable",
        "perfect",
        "at the margin",
        "fails on failures",
        "clinicians guess",
        "catches 30 %",
    } <= {judge for judge, _ in kinds} and ("exchangeable", True) in kinds


def test_a_perfect_judge_is_a_yes_once_failures_were_seen() -> None:
    counts = count_verdicts(Cell("perfect", StudyPlan(200, 0.20, gate=True)), STUDIES)
    assert counts[TrustVerdict.YES] >= 0.9 * STUDIES


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


def test_as_many_more_conversations_as_are_said_do_tell_mostly() -> None:
    told, of, _ = check_plans(False, 60)
    assert of >= 15 and told / of >= 0.55
