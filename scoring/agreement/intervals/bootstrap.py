"""Intervals from the data themselves: percentile bootstrap and delete-one jackknife.

The bootstrap (Efron 1979) is drawn exactly as the published program of the faithfulness study draws it, so
that its printed intervals are met to the last digit: numpy's legacy generator RandomState(42), 1000 resamples
of the same size with replacement, the 2.5th and 97.5th percentile with numpy's linear interpolation. The
jackknife (Tukey 1958) draws nothing: the same data always give the same interval, and it covers better where
there are few items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from scoring.agreement.intervals.limits import symmetric
from scoring.arrays import Array
from scoring.bad_input import BadInput, listed, number
from scoring.confidence import CONFIDENCE
from scoring.leave_one_out import measure_spread

SEED = 42
RESAMPLES = 1000
TWO_ITEMS_NEEDED = "an interval needs at least two items"

Item = TypeVar("Item")


@dataclass(frozen=True)
class Interval:
    """A statistic over `n` items with its 95% interval from `low` to `high`, all in the statistic's units.

    `low` and `high` are None exactly when `undefined` gives the reason in plain words; there may still be a
    `value`. `left_out`: how many resamples had no value.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    undefined: str | None = None
    left_out: int = 0

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None) or (self.low is None) == (self.undefined is None):
            raise ValueError("an interval has either two ends or a reason why not")


def bootstrap_mean(items: Sequence[float], *, seed: int = SEED, resamples: int = RESAMPLES) -> Interval:
    """Return the mean of n numbers with its 95% percentile bootstrap interval.

    For a paired difference, pass the n differences. Fewer than two numbers have no interval.

    Raises:
        BadInput: an item is not a finite number, or `resamples` is below 1.
    """
    numbers = np.array(
        [number(f"items[{index}]", item) for index, item in enumerate(listed("items", items, "numbers"))],
        dtype=float,
    )
    n, method = len(numbers), _method(resamples, seed)
    value = float(numbers.mean()) if n else None
    if n < 2:
        return Interval(value, None, None, n, method, TWO_ITEMS_NEEDED)
    generator = np.random.RandomState(seed)
    # One resample at a time: all at once would ask for resamples * n numbers, 8 GB for a million items.
    means = np.array([numbers[generator.randint(0, n, size=n)].mean() for _ in range(resamples)])
    return _percentiles(value, means, n, method, 0)


def bootstrap(
    items: Sequence[Item],
    statistic: Callable[[list[Item]], float | None],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Interval:
    """Return any statistic of a list of items with its 95% percentile bootstrap interval.

    Args:
        items: the n items.
        statistic: takes a list of n items; returns None where it has no value, such as a ratio over nothing.
        seed: the seed of the resamples.
        resamples: how many times n items are drawn with replacement.

    Returns:
        No interval with fewer than two items, without a value over all items, or where more than half of the
        resamples have no value. Other resamples without a value are left out and counted in `left_out`.

    Raises:
        BadInput: `resamples` is below 1.
    """
    n, method, listed = len(items), _method(resamples, seed), list(items)
    value = statistic(listed)
    if n < 2:
        return Interval(value, None, None, n, method, TWO_ITEMS_NEEDED)
    if value is None:
        return Interval(None, None, None, n, method, "there is no value on the whole data")
    generator = np.random.RandomState(seed)
    drawn = [statistic([listed[i] for i in generator.randint(0, n, size=n)]) for _ in range(resamples)]
    values = np.array(
        [statistic_value for statistic_value in drawn if statistic_value is not None], dtype=float
    )
    left_out = resamples - len(values)
    if 2 * left_out > resamples:
        return Interval(value, None, None, n, method, "most resamples have no value", left_out)
    return _percentiles(value, values, n, method, left_out)


def jackknife(sums: Array, statistic: Callable[[Array], Array]) -> Interval:
    """Return a statistic of sums with its 95% delete-one jackknife interval: value +- t(n - 1) * error.

    Args:
        sums: (n, *s), what each item adds to the whole.
        statistic: takes sums of shape (..., *s) and returns values of shape (...), NaN where it has none; it
            must not warn.

    Returns:
        No interval with fewer than two items, without a value over all items, or where leaving out one of the
        items leaves no value.
    """
    n, method, total = len(sums), "delete-one jackknife, t", sums.sum(axis=0)
    whole = float(statistic(total))
    value = None if np.isnan(whole) else whole
    if n < 2:
        return Interval(value, None, None, n, method, TWO_ITEMS_NEEDED)
    if value is None:
        return Interval(None, None, None, n, method, "there is no value on the whole data")
    without = statistic(total - sums)
    if np.isnan(without).any():
        return Interval(value, None, None, n, method, "without one of the items there is no value")
    low, high = symmetric(value, measure_spread(without).error, n - 1)
    return Interval(value, low, high, n, method)


def _percentiles(value: float | None, drawn: Array, n: int, method: str, left_out: int) -> Interval:
    low, high = np.percentile(drawn, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)])
    return Interval(value, float(low), float(high), n, method, None, left_out)


def _method(resamples: int, seed: int) -> str:
    if resamples < 1:
        raise BadInput("resamples", f"expected at least 1, found {resamples}")
    return f"percentile bootstrap, {resamples} resamples, seed {seed}"
