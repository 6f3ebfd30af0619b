"""Spearman's rank correlation (1904): do two numbers of the same run go up and down together, whatever the
shape of the curve?

Ties share the mean of their ranks. Runs of one model on one vignette are alike, so that their number says too
much: where clusters are given, one cluster is left out at a time (jackknife), on Fisher's z = artanh(rho),
with Student's t on C - 1 degrees of freedom. Without clusters the points count as independent: z +- 1.96 *
sqrt((1 + rho^2 / 2) / (n - 3)) (Bonett and Wright 2000).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate
from scoring.arrays import Array, IntArray
from scoring.bad_input import BadInput, listed, number
from scoring.confidence import CONFIDENCE
from scoring.dominance import Codes
from scoring.leave_one_out import measure_spread
from scoring.rank_jackknife import mean_ranks, number_clusters, spearman_without_each

THREE_POINTS_NEEDED = "fewer than three points have both numbers"
ORDERED = "the order is perfect, so how far chance would move it can't be estimated"
ONE = "all of them are of one group, which can't show how much this varies"
RESTS_ON_ONE = (
    "without one of the groups it is perfect or undefined, so how much it varies can't be estimated"
)
ALIKE = "it is the same whichever group is left out, so how much it varies can't be estimated"
ROUNDING_ERROR = 1e-12


@dataclass(frozen=True)
class RankCorrelation(Estimate):
    """`value` from -1 (always falls) to 1 (always rises) over `n` points.

    `conversations`: how many clusters the interval rests on. `p`: two-sided that it is 0, by the distribution
    of the interval; None without an interval. `p_independent`: by t on n - 2 degrees of freedom, as if no two
    points were of one cluster, which is what is often printed.
    """

    p: float | None = None
    p_independent: float | None = None

    @property
    def direction(self) -> int:
        """1 rises, -1 falls, 0 where `p` does not tell or is not there."""
        if self.value is None or self.p is None or self.p >= 1 - CONFIDENCE:
            return 0
        return (self.value > 0) - (self.value < 0)


def rank_correlation(
    x: Sequence[float] | Array,
    y: Sequence[float] | Array,
    clusters: Sequence[Hashable] | IntArray | None = None,
    names: tuple[str, str] = ("the first", "the second"),
) -> RankCorrelation:
    """Return Spearman's rho of n pairs, -1 to 1, with an interval over clusters.

    The value is None, with a reason, for fewer than three pairs or where x or y is constant.

    Args:
        x, y: lists or arrays of one length.
        clusters: what each pair belongs to; None if all pairs are independent.
        names: of x and y, for the reason.

    Raises:
        BadInput: anything but finite numbers, or lists of different lengths.
    """
    xs, ys = _numbers("x", x), _numbers("y", y)
    if len(xs) != len(ys):
        raise BadInput("y", f"expected as many numbers as x has, {len(xs)}, found {len(ys)}")
    if clusters is not None and len(clusters) != len(xs):
        raise BadInput("clusters", f"expected one for each of the {len(xs)} numbers, found {len(clusters)}")
    n, method = (
        len(xs),
        "Spearman's rho, points taken as independent"
        if clusters is None
        else "Spearman's rho, leaving out one group of runs at a time, t",
    )
    cluster = None if clusters is None else number_clusters(clusters)
    groups = None if cluster is None else int(cluster.max(initial=-1)) + 1
    same = next((name for name, some in zip(names, (xs, ys), strict=True) if n and np.ptp(some) == 0), None)
    if n < 3 or same is not None:
        return RankCorrelation(
            None,
            n,
            method,
            THREE_POINTS_NEEDED if n < 3 else f"{same} is the same in all of them",
            conversations=groups,
        )
    x_codes, y_codes = (np.unique(some, return_inverse=True)[1] for some in (xs, ys))
    rho = _rho(x_codes, y_codes)
    independent = (
        None if abs(rho) == 1 else _p(abs(rho) * math.sqrt((n - 2) / ((1 - rho) * (1 + rho))), n - 2)
    )

    def bare(reason: str) -> RankCorrelation:
        return RankCorrelation(
            rho, n, method, no_interval=reason, conversations=groups, p_independent=independent
        )

    if abs(rho) == 1:
        return bare(ORDERED)
    if cluster is None:
        if n < 4:
            return bare("three points are too few for one")
        error, step = (
            math.sqrt((1 + rho * rho / 2) / (n - 3)),
            float(scipy.special.ndtri((1 + CONFIDENCE) / 2)),
        )
        p = _p(abs(math.atanh(rho)) / error, math.inf)
    else:
        spread = _jackknife(x_codes, y_codes, cluster)
        if isinstance(spread, str):
            return bare(spread)
        error, step = spread, float(scipy.special.stdtrit((groups or 0) - 1, (1 + CONFIDENCE) / 2))
        p = _p(abs(math.atanh(rho)) / error, (groups or 0) - 1)
    z, half = math.atanh(rho), step * error
    return RankCorrelation(
        rho,
        n,
        method,
        low=math.tanh(z - half),
        high=math.tanh(z + half),
        conversations=groups,
        p=p,
        p_independent=independent,
    )


def chance_of_perfect_order(x: Sequence[float] | Array, y: Sequence[float] | Array) -> float:
    """Return the two-sided probability of an order as perfect as this one if x and y were independent.

    Only for a rho of -1 or 1: 2 divided by the number of different orders of y, at most 1. Raise BadInput
    for anything but finite numbers.
    """
    _, codes = np.unique(_numbers("x", x), return_inverse=True)
    _numbers("y", y)
    ways = math.lgamma(len(codes) + 1) - sum(math.lgamma(size + 1) for size in np.bincount(codes).tolist())
    return min(1.0, 2 * math.exp(-ways))


def _numbers(name: str, some: Sequence[float] | Array) -> Array:
    if isinstance(some, np.ndarray):
        if some.dtype == np.float64 and some.ndim == 1 and np.isfinite(some).all():
            return some
        some = some.tolist()  # its entries are refused as those of a list are
    if isinstance(some, list) and set(map(type, some)) <= {float}:  # of very many the usual case
        finite = np.array(some, dtype=float)
        if np.isfinite(finite).all():
            return finite
    return np.array(
        [number(f"{name}[{i}]", item) for i, item in enumerate(listed(name, some, "numbers"))], dtype=float
    )


def _p(t: float, degrees: float) -> float:
    return float(2 * scipy.special.stdtr(degrees, -t))


def _rho(x: Codes, y: Codes) -> float:
    """Neither may be constant."""
    a, b = mean_ranks(x), mean_ranks(y)
    a, b = a - a.mean(), b - b.mean()
    return float(_exact(np.array(float(a @ b) / math.sqrt(float(a @ a) * float(b @ b)))))


def _exact(rho: Array) -> Array:
    """Rounding must not make a perfect order nearly perfect."""
    return np.where(np.abs(rho) > 1 - ROUNDING_ERROR, np.copysign(1.0, rho), rho)


def _jackknife(x: Codes, y: Codes, cluster: Codes) -> float | str:
    """The standard error of z from leaving out one cluster at a time, or why there is none."""
    if cluster.max() < 1:
        return ONE
    rho = _exact(spearman_without_each(x, y, cluster))
    if not (np.abs(rho) < 1).all():  # NaN is neither
        return RESTS_ON_ONE
    error = measure_spread(np.arctanh(rho)).error
    return error if error > ROUNDING_ERROR else ALIKE
