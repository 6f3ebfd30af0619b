"""The median, and an interval that covers whatever the distribution."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.medians import ALIKE, SIX_VALUES_NEEDED, median


def test_the_interval_stands_between_values_in_order() -> None:
    found = median(list(range(1, 21)))
    assert (found.value, found.low, found.high, found.n) == (
        10.5,
        6,
        15,
        20,
    )  # Conover's table: the 6th and the 15th of 20
    six = median([1, 2, 3, 4, 5, 6])
    assert (six.value, six.low, six.high) == (3.5, 1, 6)


def test_too_few_and_not_independent_have_a_median_and_no_interval() -> None:
    assert (median([3, 1, 2, 5, 4]).value, median([3, 1, 2, 5, 4]).no_interval) == (3, SIX_VALUES_NEEDED)
    assert median(list(range(20)), independent=False).low is None
    assert (median([0.5] * 20).value, median([0.5] * 20).low, median([0.5] * 20).no_interval) == (
        0.5,
        None,
        ALIKE,
    )
    assert median([]).value is None


@pytest.mark.parametrize("n", [6, 20, 61])
def test_it_covers_at_least_as_it_says(n: int) -> None:
    draw = np.random.default_rng(n)
    found = [median(row) for row in draw.exponential(size=(1000, n)).tolist()]
    assert (
        sum(one.low <= np.log(2) <= one.high for one in found if one.low is not None and one.high is not None)
        / 1000
        >= 0.94
    )
