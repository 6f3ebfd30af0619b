"""The spread of the values without each part, worked out by hand and against the formula of a mean."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from scoring.leave_one_out import measure_spread


def test_three_values_by_hand() -> None:
    spread = measure_spread(np.array([0.25, 0.5, 0.75]))
    assert spread.squares.tolist() == [0.0625, 0.0, 0.0625]
    assert (spread.total, spread.parts) == (0.125, 3)
    assert spread.variance == 2 / 3 * 0.125
    assert spread.error == math.sqrt(2 / 3 * 0.125)


def test_of_a_mean_it_is_the_standard_error_of_the_mean() -> None:
    data = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]
    without = np.array([(sum(data) - value) / (len(data) - 1) for value in data])
    assert measure_spread(without).error == pytest.approx(statistics.stdev(data) / math.sqrt(len(data)))


def test_a_part_that_stands_for_three_counts_three_times() -> None:
    few = measure_spread(np.array([0.25, 0.5]), np.array([3, 1]))
    every = measure_spread(np.array([0.25, 0.25, 0.25, 0.5]))
    assert few.parts == every.parts == 4
    assert (few.total, few.error) == (every.total, every.error)


def test_values_that_are_all_the_same_have_no_spread() -> None:
    assert measure_spread(np.array([0.5] * 8)).error == 0.0
