"""Does a number rise or fall over turns or periods? Four looks at one series.

Mann (1945) and Kendall (1975): S, the pairs that rise less those that fall; var S = (n(n-1)(2n+5) - sum over
ties of t(t-1)(2t+5)) / 18; z = (S -+ 1) / sqrt(var S). Kendall's tau-b (1945): S by the geometric mean of the
pairs without ties. Theil (1950) and Sen (1968): the median of the slopes of all pairs. Least squares, for
comparison. All miss what rises and falls again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.arrays import Array
from scoring.bad_input import values
from scoring.confidence import CONFIDENCE

THREE_POINTS_NEEDED = "fewer than three points have a value"
FLAT = "every value is the same"
STRAIGHT = "the values lie exactly on a line, so how far chance would move it can't be estimated"
ROUNDING_ERROR = 1e-14  # of the largest value: what rounding leaves of points on a line
TINY = 1e-290  # squares below it have lost their digits


@dataclass(frozen=True)
class MannKendall:
    """`s` from -n(n-1)/2 to that; `p` two-sided by the normal distribution, 1 where s is 0."""

    s: int
    var_s: float
    z: float
    p: float


@dataclass(frozen=True)
class LeastSquaresLine:
    """Least squares. `slope` per position with its 95 % interval by Student's t with n - 2 df; `error`: its
    standard error.

    `p`: two-sided that the slope is 0; None with the interval where all points lie on one line, and
    `slope.no_interval` says so.
    """

    slope: Estimate
    error: float
    p: float | None


@dataclass(frozen=True)
class Trend:
    """`n` points. Slopes are per position, in the units of the series. `mann_kendall`, `line`: None where
    `undefined` says why.
    """

    n: int
    mann_kendall: MannKendall | None
    tau_b: Estimate
    theil_sen: Estimate
    line: LeastSquaresLine | None
    undefined: str | None = None


def trend(series: Sequence[float | None]) -> Trend:
    """Return how a series rises or falls over positions 0, 1, 2, ...: four measures, described at the head.

    None in the series has no value and keeps its position. With fewer than three values all are undefined.
    Raise BadInput for an entry that is neither None nor a finite number.
    """
    points = [
        (position, value) for position, value in enumerate(values("series", series)) if value is not None
    ]
    n = len(points)
    if n < 3:
        return Trend(
            n,
            None,
            undefined_estimate(THREE_POINTS_NEEDED, n, "Kendall's tau-b"),
            undefined_estimate(THREE_POINTS_NEEDED, n, "Theil-Sen slope"),
            None,
            THREE_POINTS_NEEDED,
        )
    x, y = (np.array(column, dtype=np.float64) for column in zip(*points, strict=True))
    first, second = np.triu_indices(n, 1)
    rises = np.sign(y[second] - y[first])
    s = int(rises.sum())
    pairs, untied = len(rises), int((rises != 0).sum())
    tau = (
        undefined_estimate(FLAT, n, "Kendall's tau-b")
        if untied == 0
        else Estimate(s / math.sqrt(pairs * untied), n, "Kendall's tau-b")
    )
    sen = float(np.median((y[second] - y[first]) / (x[second] - x[first])))
    return Trend(
        n, _mann_kendall(s, n, Counter(y.tolist())), tau, Estimate(sen, n, "Theil-Sen slope"), _line(x, y)
    )


def _mann_kendall(s: int, n: int, ties: Counter[float]) -> MannKendall:
    var_s = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties.values())) / 18
    z = (s - math.copysign(1, s)) / math.sqrt(var_s) if s else 0.0
    return MannKendall(s, var_s, z, 2 * float(scipy.special.ndtr(-abs(z))))


def _line(x: Array, y: Array) -> LeastSquaresLine:
    n, method = len(x), "least squares slope"
    across, level = x - x.mean(), math.fsum(y) / len(y)
    squares = float(across @ across)
    slope = 0.0 if np.ptp(y) == 0 else float(across @ (y - level)) / squares
    off = y - level - slope * across
    if np.abs(off).max() <= ROUNDING_ERROR * np.abs(y).max() or np.ptp(y) == 0 or off @ off < TINY:
        return LeastSquaresLine(
            Estimate(slope, n, method, no_interval=FLAT if slope == 0 else STRAIGHT), 0.0, None
        )
    error = math.sqrt(float(off @ off) / (n - 2) / squares)
    half = float(scipy.special.stdtrit(n - 2, (1 + CONFIDENCE) / 2)) * error
    return LeastSquaresLine(
        Estimate(slope, n, method, low=slope - half, high=slope + half),
        error,
        2 * float(scipy.special.stdtr(n - 2, -abs(slope) / error)),
    )
