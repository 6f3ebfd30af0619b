"""How far the judge lies above or below clinicians: by hand, and only with an interval that holds."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from scoring.agreement.coefficients.level_bias import estimate_level_bias
from scoring.agreement.labels.pairs import LabelPairs


def pairs_of(people: list[int], judge: list[int]) -> LabelPairs:
    """One unit a conversation, one clinician; codes on a scale of 0, 1 and 2."""
    numbers = np.arange(len(people))
    return LabelPairs(
        ("0", "1", "2"), np.zeros_like(numbers), numbers, numbers, np.array(people), np.array(judge)
    )


@pytest.mark.parametrize("rarer", [9, 10])
def test_without_ten_conversations_with_a_rarer_label_there_is_no_interval(rarer: int) -> None:
    people, judge = [2] * 60, [1] * rarer + [2] * (60 - rarer)
    estimate = estimate_level_bias((0.0, 1.0, 2.0), pairs_of(people, judge))
    assert estimate.value == pytest.approx(-rarer / 60)
    if rarer < 10:
        assert (estimate.low, estimate.no_interval) == (
            None,
            f"the rarer label was given in only {rarer} conversations",
        )
    else:
        assert estimate.low is not None and estimate.no_interval is None


def test_the_interval_is_the_t_interval_of_a_mean() -> None:
    generator = np.random.default_rng(4)
    people, judge = generator.integers(0, 3, 50).tolist(), generator.integers(0, 3, 50).tolist()
    estimate = estimate_level_bias((0.0, 1.0, 2.0), pairs_of(people, judge))
    differences = np.array(judge) - np.array(people)
    expected = scipy.stats.ttest_1samp(differences, 0).confidence_interval()
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((differences.mean(), *expected))
