"""Intervals drawn as the published program draws them, and the jackknife that draws nothing."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.agreement.intervals.additive_counts import divide_counts
from scoring.agreement.intervals.bootstrap import Interval, bootstrap, bootstrap_mean, jackknife
from scoring.arrays import Array
from scoring.bad_input import BadInput
from tests.unit.scoring.leaving_out import assert_same, leave_each_out

numbers = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


def sums_of(items: Sequence[float]) -> Array:
    """(n, 2): the items, and how many each is."""
    return np.array([(item, 1.0) for item in items]).reshape(-1, 2)


def ratio(pairs: list[tuple[int, int]]) -> float | None:
    below = sum(b for _, b in pairs)
    return sum(a for a, _ in pairs) / below if below else None


def test_the_draw_is_that_of_the_legacy_generator_of_numpy() -> None:
    data = np.array([0.1, 0.4, 0.4, 0.9, 0.2, 1.0, 0.0])
    generator = np.random.RandomState(42)
    means = [generator.choice(data, size=len(data), replace=True).mean() for _ in range(1000)]
    found = bootstrap_mean(data.tolist())
    assert (found.low, found.high) == pytest.approx(
        (np.percentile(means, 2.5), np.percentile(means, 97.5)), abs=1e-15
    )
    assert found.value == pytest.approx(3 / 7)


def test_the_same_data_give_the_same_interval_and_another_seed_another() -> None:
    data = [math.sqrt(k) for k in range(20)]
    assert bootstrap_mean(data) == bootstrap_mean(data)
    assert bootstrap_mean(data).low != bootstrap_mean(data, seed=7).low


@given(numbers)
@settings(max_examples=25)
def test_the_mean_by_the_general_way_is_the_mean_by_the_short_way(data: list[float]) -> None:
    general, short = bootstrap(data, statistics.fmean, resamples=50), bootstrap_mean(data, resamples=50)
    assert (general.low, general.high) == pytest.approx((short.low, short.high), abs=1e-9)


@given(numbers)
@settings(max_examples=25)
def test_the_interval_of_a_mean_stays_within_the_data(data: list[float]) -> None:
    found = bootstrap_mean(data, resamples=50)
    assert found.low is not None and found.high is not None
    assert min(data) - 1e-9 <= found.low <= found.high <= max(data) + 1e-9


@given(numbers)
def test_the_jackknife_of_a_mean_is_the_t_interval(data: list[float]) -> None:
    found = jackknife(sums_of(data), divide_counts)
    half = scipy.stats.t.ppf(0.975, len(data) - 1) * statistics.stdev(data) / math.sqrt(len(data))
    assert found.low is not None and found.high is not None
    assert (found.low, found.high) == pytest.approx(
        (statistics.fmean(data) - half, statistics.fmean(data) + half), abs=1e-6
    )


@given(numbers, st.randoms())
def test_the_order_makes_no_difference_to_the_jackknife(data: list[float], random: Any) -> None:
    shuffled = list(data)
    random.shuffle(shuffled)
    one, other = (jackknife(sums_of(items), divide_counts) for items in (data, shuffled))
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_the_jackknife_of_sums_is_that_of_the_items_themselves(pairs: list[tuple[int, int]]) -> None:
    sums = np.array(pairs, dtype=float).reshape(-1, 2)
    assert_same(jackknife(sums, divide_counts), leave_each_out(pairs, ratio))


def test_the_jackknife_looks_at_every_sum_once() -> None:
    shapes = []

    def mean(sums: Array) -> Array:
        shapes.append(sums.shape)
        return divide_counts(sums)

    jackknife(sums_of([float(number) for number in range(30)]), mean)
    assert shapes == [(2,), (30, 2)]


@pytest.mark.parametrize("items", [[], [0.5]])
def test_fewer_than_two_items_have_no_interval_and_say_why(items: list[float]) -> None:
    for found in (
        bootstrap_mean(items),
        bootstrap(items, lambda x: x[0] if x else None),
        jackknife(sums_of(items), divide_counts),
    ):
        assert (found.low, found.high, found.n) == (None, None, len(items))
        assert found.undefined == "an interval needs at least two items"
        assert found.value == (items[0] if items else None)


def test_resamples_without_a_value_are_left_out_and_counted() -> None:
    found = bootstrap([(1, 1), (0, 0), (1, 1)], ratio)
    assert (found.low, found.high) == (1.0, 1.0)
    assert 0 < found.left_out < 500


def test_there_is_no_interval_when_most_resamples_have_no_value() -> None:
    # A statistic that only the full set of four different items has: 4!/4^4, about 9 % of the resamples.
    found = bootstrap([1, 2, 3, 4], lambda some: 1.0 if len(set(some)) == 4 else None)
    assert (found.low, found.undefined) == (None, "most resamples have no value")


def test_a_value_that_rests_on_one_item_has_no_jackknife() -> None:
    found = jackknife(np.array([(1.0, 2.0), (0.0, 0.0)]), divide_counts)
    assert (found.value, found.low, found.undefined) == (
        0.5,
        None,
        "without one of the items there is no value",
    )


def test_nothing_to_compute_on_the_whole_has_no_interval() -> None:
    for found in (jackknife(np.zeros((2, 2)), divide_counts), bootstrap([(0, 0), (0, 0)], ratio)):
        assert (found.value, found.undefined) == (None, "there is no value on the whole data")


@pytest.mark.parametrize("item", ["1", None, True, math.nan, math.inf])
def test_what_is_no_finite_number_is_refused_by_name(item: Any) -> None:
    with pytest.raises(BadInput) as raised:
        bootstrap_mean([0.5, item])
    assert raised.value.argument == "items[1]"
    assert raised.value.message.startswith("items[1]: expected a")


def test_no_resample_at_all_is_refused() -> None:
    with pytest.raises(BadInput, match="resamples: expected at least 1, found 0"):
        bootstrap_mean([1.0, 2.0], resamples=0)


def test_an_interval_has_two_ends_or_a_reason() -> None:
    with pytest.raises(ValueError, match="two ends or a reason"):
        Interval(0.5, None, None, 3, "x")
    with pytest.raises(ValueError, match="two ends or a reason"):
        Interval(0.5, 0.1, None, 3, "x", "but why")
