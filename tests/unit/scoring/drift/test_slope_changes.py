"""A change over the turns is named by the t test of conversations, corrected over the conditions; too few, or none
that vary, are told as that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from scoring.agreement.significance_tests.multiplicity import holm
from scoring.confidence import ALPHA
from scoring.drift.average_curves import by_turn
from scoring.drift.slope_changes import MIN_CONVERSATIONS, SlopeChange, slope_changes

STUDIES = 600


def changes(*conditions: np.ndarray) -> list[SlopeChange]:
    return slope_changes([(slopes, np.arange(len(slopes))) for slopes in conditions])


def larger_p(slopes: np.ndarray) -> float:
    """Of Student's t and of Hall's (1992), which he writes with S the mean in standard deviations."""
    n, s, skewness = len(slopes), slopes.mean() / slopes.std(ddof=1), stats.skew(slopes, bias=False)
    hall = np.sqrt(n) * ((1 + skewness * s / 3) ** 3 - 1 + skewness**2 / (6 * n)) / skewness
    return max(float(stats.ttest_1samp(slopes, 0.0).pvalue), float(2 * stats.t.sf(abs(hall), n - 1)))


def test_p_is_the_larger_of_students_and_halls_t_after_holm() -> None:
    draw = np.random.default_rng(3)
    conditions = [draw.normal(shift, 0.05, 20) for shift in (0.0, 0.02, -0.06)]
    p_values = [larger_p(slopes) for slopes in conditions]
    found = changes(*conditions)
    assert [change.p for change in found] == pytest.approx(p_values)
    assert [change.corrected for change in found] == pytest.approx(holm(p_values))
    assert [change.direction for change in found] == [0, 0, -1]


def test_one_condition_that_its_own_interval_would_name_is_not_named_among_many() -> None:
    draw = np.random.default_rng(8)
    weak = np.r_[draw.normal(0.0, 1.0, 20)]
    weak = (weak - weak.mean()) / weak.std(ddof=1) + stats.t.isf(0.008, 19) / np.sqrt(20)
    assert changes(weak)[0].direction == 1
    assert [change.direction for change in changes(weak, *draw.normal(0, 1, (4, 20)))] == [0] * 5


@pytest.mark.parametrize(
    ("slopes", "reason"),
    [
        (np.full(5, np.nan), "no conversation has numbers at two turns"),
        (
            np.linspace(0.1, 0.2, MIN_CONVERSATIONS - 1),
            f"it takes {MIN_CONVERSATIONS} conversations with numbers at two turns",
        ),
        (np.zeros(12), "every conversation shows the same"),
        (np.array([0.3]), f"it takes {MIN_CONVERSATIONS} conversations"),
    ],
)
def test_what_cannot_be_tested_is_no_change_and_costs_the_others_nothing(
    slopes: np.ndarray, reason: str
) -> None:
    rising = np.random.default_rng(1).normal(0.1, 0.05, 20)
    alone, (untold, named) = changes(rising)[0], changes(slopes, rising)
    assert untold.untold is not None and untold.untold.startswith(reason)
    assert untold.p is None and untold.direction == 0
    assert named.corrected == alone.corrected and named.direction == 1


SHAPES: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda draw, size: draw.normal(0, 1, size),
    "flat": lambda draw, size: draw.uniform(-1, 1, size),
    "heavy": lambda draw, size: draw.standard_t(3, size),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("conditions", "conversations"), [(1, MIN_CONVERSATIONS), (3, MIN_CONVERSATIONS), (3, 30), (12, 20)]
)
def test_where_nothing_moves_something_is_named_in_at_most_five_of_a_hundred_studies(
    shape: str, conditions: int, conversations: int
) -> None:
    draw = np.random.default_rng(conditions * 100 + conversations)
    noise = SHAPES[shape](draw, (STUDIES, conditions, conversations))
    named = sum(any(change.direction for change in changes(*study)) for study in noise)
    assert named / STUDIES <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / STUDIES)


def test_slopes_that_lie_far_out_to_one_side_are_not_taken_for_a_change_the_other_way() -> None:
    """Student's t alone would name one in 13 of a hundred such studies."""
    noise = np.random.default_rng(7).exponential(1, (STUDIES, 3, 20)) - 1
    named = sum(any(change.direction for change in changes(*study)) for study in noise)
    alone = sum(stats.ttest_1samp(study, 0.0, axis=1).pvalue.min() * 3 < ALPHA for study in noise)
    assert named / STUDIES <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / STUDIES) < alone / STUDIES


def test_conversations_of_one_person_count_as_one() -> None:
    slopes = np.random.default_rng(2).normal(0.1, 0.1, 60)
    persons = slope_changes([(np.repeat(slopes[:5], 12), np.repeat(np.arange(5), 12))])[0]
    assert persons.slope.conversations == 5
    assert (
        persons.untold
        == f"it takes {MIN_CONVERSATIONS} persons with conversations that have numbers at two turns"
    )
    twelve = np.repeat(np.arange(12), 5)
    assert slope_changes([(slopes, twelve)])[0].direction == 1


def test_no_interval_reaches_beyond_what_a_value_can_be() -> None:
    values = np.array([[0.9, 0.1], [0.3, 0.8]])
    beyond = by_turn(values, np.arange(2))
    within = by_turn(values, np.arange(2), (-1.0, 1.0))
    assert all((turn.high or 0) > 1 or (turn.low or 0) < -1 for turn in beyond)
    assert all(-1 <= (turn.low or 0) <= (turn.high or 0) <= 1 for turn in within)
    assert [turn.value for turn in within] == [turn.value for turn in beyond]
