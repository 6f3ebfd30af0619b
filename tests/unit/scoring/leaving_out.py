"""The delete-one interval as it is defined: the statistic of a list, computed anew without each of its items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple
from typing import TypeVar

import numpy as np
import pytest

from scoring.agreement.intervals.bootstrap import TWO_ITEMS_NEEDED, Interval
from scoring.agreement.intervals.limits import symmetric
from scoring.leave_one_out import measure_spread

Item = TypeVar("Item")


def leave_each_out(items: Sequence[Item], statistic: Callable[[list[Item]], float | None]) -> Interval:
    """What `jackknife` says of the same items; `statistic` gives None where it has no value."""
    n, method, listed = len(items), "delete-one jackknife, t", list(items)
    value = statistic(listed)
    if n < 2:
        return Interval(value, None, None, n, method, TWO_ITEMS_NEEDED)
    if value is None:
        return Interval(None, None, None, n, method, "there is no value on the whole data")
    without = [statistic(listed[:index] + listed[index + 1 :]) for index in range(n)]
    numbers = [number for number in without if number is not None]
    if len(numbers) < n:
        return Interval(value, None, None, n, method, "without one of the items there is no value")
    low, high = symmetric(value, measure_spread(np.array(numbers)).error, n - 1)
    return Interval(value, low, high, n, method)


def assert_same(found: Interval, expected: Interval) -> None:
    assert astuple(found) == tuple(
        pytest.approx(field, abs=1e-12) if isinstance(field, float) else field for field in astuple(expected)
    )
