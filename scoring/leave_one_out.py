"""How far a value would vary, from its values without each part of the data (delete-one jackknife).

Tukey (1958): SE^2 = (C-1)/C * sum of (value without c - their mean)^2 over the C parts, which are mostly
conversations. Deterministic. What limits this error gives depends on what is estimated
(scoring/agreement/intervals/limits.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.arrays import Array, IntArray


@dataclass(frozen=True, eq=False)
class LeaveOneOutSpread:
    """`squares` (K,): how far the value without each part lies from the mean of all of these, squared;
    `total`: their sum, over all of the `parts` C. In the units of the value, `variance` in their square.
    """

    squares: Array
    total: float
    parts: int

    @property
    def variance(self) -> float:
        return (self.parts - 1) / self.parts * self.total

    @property
    def error(self) -> float:
        return float(np.sqrt(self.variance))


def measure_spread(without: Array, times: IntArray | None = None) -> LeaveOneOutSpread:
    """Return the spread of a value over what it is without each part.

    Args:
        without: (K,), the value without each part; at least one, no NaN.
        times: (K,), how many parts each entry stands for; by default 1.
    """
    times = np.ones(len(without), dtype=np.int64) if times is None else times
    parts = int(times.sum())
    squares = (without - (times * without).sum() / parts) ** 2
    return LeaveOneOutSpread(squares, float((times * squares).sum()), parts)
