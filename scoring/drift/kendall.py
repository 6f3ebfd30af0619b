"""Does a number go with time, within groups that must not be compared with each other? Kendall's test in
strata.

Hirsch, Slack and Smith (1982, Water Resources Research 18), "seasonal Kendall": S, the pairs that rise with
time less those that fall, and its variance are added over strata; z = (S -+ 1) / sqrt(var S). Variance with
ties in both numbers: Kendall (1975), as in scipy.stats.kendalltau.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.arrays import Array, IntArray

SMALL = 256  # up to here all pairs are compared at once; above, Knight's (1966) way by sorting is faster
DIGITS = 9  # means of the same levels added up in another order are the same


@dataclass(frozen=True)
class Kendall:
    """`p` two-sided; None where in no stratum both the day and the value vary. `n`: entries in strata of two
    or more.
    """

    s: int
    variance: float
    p: float | None
    n: int

    @property
    def direction(self) -> int:
        return (self.s > 0) - (self.s < 0)


def kendall(day: Array, value: Array, stratum: IntArray) -> Kendall:
    """Test whether `value` rises or falls with `day`, comparing only entries of the same `stratum`.

    Seasonal Kendall test (Hirsch, Slack and Smith 1982): S and its variance are added over strata. `p` is
    two-sided with a continuity correction, and None where no stratum has two different days and values.

    Args:
        day: (N,) without NaN.
        value: (N,) without NaN, compared after rounding to 9 digits.
        stratum: (N,).
    """
    order = np.argsort(stratum, kind="stable")
    bounds = np.flatnonzero(np.diff(stratum[order])) + 1
    s, variance, n = 0, 0.0, 0
    for here in np.split(order, bounds):
        if len(here) > 1:
            rises, spread = _one(day[here], np.round(value[here], DIGITS))
            s, variance, n = s + rises, variance + spread, n + len(here)
    if variance <= 0:
        return Kendall(s, 0.0, None, n)
    z = (s - math.copysign(1, s)) / math.sqrt(variance) if s else 0.0
    return Kendall(s, variance, 2 * float(scipy.special.ndtr(-abs(z))), n)


def _one(x: Array, y: Array) -> tuple[int, float]:
    """S and its variance."""
    n = len(x)
    ties_x, ties_y = _ties(x), _ties(y)
    pairs = n * (n - 1) / 2
    if n <= SMALL:
        s = int((np.sign(x[:, None] - x) * np.sign(y[:, None] - y)).sum()) // 2
    else:
        # tau-b, whose denominator is known: S comes back exactly
        tau = float(scipy.stats.kendalltau(x, y).statistic)
        s = (
            0
            if math.isnan(tau)
            else round(tau * math.sqrt((pairs - _twos(ties_x) / 2) * (pairs - _twos(ties_y) / 2)))
        )
    variance = (n * (n - 1) * (2 * n + 5) - _fives(ties_x) - _fives(ties_y)) / 18 + _twos(ties_x) * _twos(
        ties_y
    ) / (2 * n * (n - 1))
    if n > 2:
        variance += _threes(ties_x) * _threes(ties_y) / (9 * n * (n - 1) * (n - 2))
    return s, variance if variance > 1e-9 else 0.0


def _ties(values: Array) -> Array:
    """How many entries share each value that several have."""
    counts = np.unique(values, return_counts=True)[1].astype(float)
    return np.asarray(counts[counts > 1])


def _twos(ties: Array) -> float:
    return float((ties * (ties - 1)).sum())


def _threes(ties: Array) -> float:
    return float((ties * (ties - 1) * (ties - 2)).sum())


def _fives(ties: Array) -> float:
    return float((ties * (ties - 1) * (2 * ties + 5)).sum())
