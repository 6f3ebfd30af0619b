"""Spearman's rho without each cluster in turn, for all clusters together: n log n where they are small,
instead of ranking n points anew for each.

Leaving out a set S lowers the mean rank of a remaining point i by the sum over j in S of w(j, i): 1 where
x_j < x_i, 1/2 where they are equal, 0 otherwise. So the sum of products of the new ranks is that of the old
ranks less sums that stand ready for each j, plus, for pairs j, k in S, the sum over i of w_x(j, i) w_y(k, i),
which are counts of points beyond j in x and beyond k in y. The sum of squares of mean ranks of N points with
ties of t is (N^3 - N - sum(t^3 - t)) / 12 about the mean. All of these are multiples of 1/4, and exact in
doubles up to some 300,000 points.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from scoring.arrays import Array, IntArray
from scoring.dominance import Codes, DominanceCounts

# What a pair of points of a cluster costs, in points ranked: where the pairs of a cluster cost more than all
# points, it is left out by ranking the others anew.
PAIR = 5
PAIRS_AT_ONCE = 1_000_000


def mean_ranks(codes: Codes) -> Array:
    """Return the rank of each code, from 1, with the mean rank for ties.

    `codes` are places among distinct values, from 0; places that do not occur do no harm.
    """
    counts = np.bincount(codes)
    middle: Array = np.cumsum(counts) - (counts - 1) / 2
    return middle[codes]


def number_clusters(clusters: Sequence[Hashable] | IntArray) -> Codes:
    """Return (N,) a number from 0 for the cluster of each point, in the order of their first points."""
    if isinstance(clusters, np.ndarray):
        _, first, place = np.unique(clusters, return_index=True, return_inverse=True)
        numbers: Codes = np.argsort(np.argsort(first))[place]
        return numbers
    number = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    return np.fromiter((number[name] for name in clusters), dtype=np.intp, count=len(clusters))


def spearman_without_each(x: Codes, y: Codes, cluster: Codes) -> Array:
    """Return rho of the points without each cluster, in the order of the clusters' numbers.

    NaN where x or y is constant then, or fewer than two points are left.

    Args:
        x, y: (N,), places among the distinct values, from 0.
        cluster: (N,), as `number_clusters` returns.
    """
    order = np.argsort(cluster, kind="stable")
    sizes = np.bincount(cluster)
    starts = np.cumsum(sizes) - sizes
    products = _Products(x, y)
    cross = np.empty(len(sizes))
    small = np.flatnonzero(PAIR * sizes**2 <= len(x))
    for some in _chunks(small, sizes[small] ** 2):
        cross[some] = products.without(order, starts[some], sizes[some])
    for place in np.flatnonzero(PAIR * sizes**2 > len(x)):
        remaining = np.ones(len(x), dtype=bool)
        remaining[order[starts[place] : starts[place] + sizes[place]]] = False
        cross[place] = mean_ranks(x[remaining]) @ mean_ranks(y[remaining])
    left = (len(x) - sizes).astype(float)
    squares = [_squares(codes, cluster, left) for codes in (x, y)]
    size = np.sqrt(squares[0] * squares[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        rho: Array = np.where(size > 0, (cross - left * ((left + 1) / 2) ** 2) / size, np.nan)
    return rho


def _chunks(clusters: Codes, pairs: Codes) -> list[Codes]:
    """The clusters in parts that have about so many pairs together."""
    part = np.cumsum(pairs) // PAIRS_AT_ONCE
    return [clusters[part == number] for number in np.unique(part)]


class _Products:
    """The sum of products of ranks without some of the points."""

    def __init__(self, x: Codes, y: Codes) -> None:
        self.x, self.y, self.n = x, y, len(x)
        self.ranks = mean_ranks(x), mean_ranks(y)
        self.whole = float(self.ranks[0] @ self.ranks[1])
        self.before_x, self.before_y = (
            np.concatenate(([0], np.cumsum(np.bincount(codes)))) for codes in (x, y)
        )
        self.counts = DominanceCounts(y[np.argsort(x, kind="stable")])
        # What leaving out a point takes from the products: the other rank of each point it stands before.
        self.taken = _beyond(y, self.ranks[0])[y] + _beyond(x, self.ranks[1])[x]

    def without(self, order: Codes, starts: Codes, sizes: Codes) -> Array:
        """Without each cluster: `order` has its points from `starts` on."""
        cluster = np.repeat(np.arange(len(sizes)), sizes)
        points = order[np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())]
        # Every pair of points of a cluster, in both orders and of a point with itself.
        first = np.repeat(np.arange(len(points)), sizes[cluster])
        begins = np.cumsum(sizes) - sizes
        within = np.arange(len(first)) - np.repeat(np.cumsum(sizes[cluster]) - sizes[cluster], sizes[cluster])
        second = begins[cluster[first]] + within
        j, k = points[first], points[second]
        both = np.bincount(cluster[first], weights=self._beyond_both(j, k), minlength=len(sizes))
        lowered = [
            np.bincount(first, weights=_stands_before(codes[k], codes[j]), minlength=len(points))
            for codes in (self.x, self.y)
        ]
        own = (self.ranks[0][points] - lowered[0]) * (self.ranks[1][points] - lowered[1])
        gone = np.bincount(cluster, weights=self.taken[points] + own, minlength=len(sizes))
        return np.asarray(self.whole - gone + both, dtype=np.float64)

    def _beyond_both(self, j: Codes, k: Codes) -> Array:
        """The sum over all points i of w_x(j, i) w_y(k, i)."""
        total = np.zeros(len(j))
        for x_step in (0, 1):
            before = self.before_x[self.x[j] + x_step]
            for y_step in (0, 1):
                code = self.y[k] + y_step
                total += self.n - before - self.before_y[code] + self.counts.below(before, code)
        return total / 4


def _stands_before(left_out: Codes, codes: Codes) -> Array:
    """w: 1 where the point left out is smaller, 1/2 where it is equal."""
    weights: Array = np.where(left_out < codes, 1.0, np.where(left_out == codes, 0.5, 0.0))
    return weights


def _beyond(codes: Codes, values: Array) -> Array:
    """By code, the sum of the values of larger codes and half of those of the same."""
    sums = np.bincount(codes, weights=values)
    beyond: Array = np.cumsum(sums[::-1])[::-1] - sums / 2
    return beyond


def _squares(codes: Codes, cluster: Codes, left: Array) -> Array:
    """The sum of squares about the mean of the ranks without each cluster. `left`: points that remain."""
    ties = np.bincount(codes).astype(float)
    of_ties = float((ties**3 - ties).sum())
    distinct, gone = np.unique(cluster * len(ties) + codes, return_counts=True)
    tie = ties[distinct % len(ties)]
    remaining = tie - gone
    change = (remaining**3 - remaining) - (tie**3 - tie)
    without = of_ties + np.bincount(distinct // len(ties), weights=change, minlength=len(left))
    squares: Array = (left**3 - left - without) / 12
    return squares
