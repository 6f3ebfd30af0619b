"""A coefficient for each rater beside the judge, or for each two raters, and the mean of them.

Raters are not pooled into one: each has habits of their own, and one table of all would take differences between them for
chance. The interval leaves out one conversation at a time, which touches only the raters who have it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.estimate import Estimate, cannot
from scoring.agreement.jackknife import Array, Statistic, around
from scoring.agreement.labels import Whole
from scoring.agreement.pairs import SideTables

NONE = "nobody and the judge labelled the same thing"
ONE_PAIR = "one pair cannot tell agreement from chance"


@dataclass(frozen=True, eq=False)
class Averaged:
    """`each`: the value of each of the `sides` (NaN: it has none), `pairs` of each. `value`: the mean of those that have one, or NaN with
    the `reason`. `without` (C,): the mean without each of the `parts`, or any other for which it stands, `times` in all."""

    statistic: Statistic
    value: float
    without: Array
    parts: Whole
    times: Whole
    sides: Whole
    each: Array
    pairs: Whole
    reason: str = ""

    @property
    def n(self) -> int:
        return int(self.pairs.sum())

    def estimate(self) -> Estimate:
        """The mean with its interval; the method says of how many it is the mean."""
        known, all_ = int((~np.isnan(self.each)).sum()), len(self.each)
        if np.isnan(self.value):
            return cannot(self.reason, self.n, self.statistic.name, int(self.times.sum()))
        found = around(self.value, self.without, self.n, self.statistic, self.parts, times=self.times)
        return found if all_ == 1 else replace(found, method=f"{found.method}, mean of {known} of {all_}")


def average(statistic: Statistic, found: SideTables) -> Averaged:
    """`statistic` of tables (..., k, k). A side with a single pair has no value: it cannot tell agreement from chance."""
    count = len(found.sides)
    wholes = np.zeros((count, *found.tables.shape[1:]))
    np.add.at(wholes, found.side, found.tables * found.times[found.part, None, None])
    each = statistic.of(wholes) if count else np.zeros(0)
    each = np.where(found.pairs > 1, each, np.nan)
    known = ~np.isnan(each)
    if not known.any():
        reason = NONE if not count else ONE_PAIR if (found.pairs < 2).all() else statistic.reason(wholes[int(found.pairs.argmax())])
        return Averaged(statistic, np.nan, np.zeros(0), found.parts, found.times, found.sides, each, found.pairs, reason)
    mine = known[found.side]
    side, part = found.side[mine], found.part[mine]
    without = statistic.of(wholes[side] - found.tables[mine])
    lost = np.isnan(without) | (found.pairs[side] - found.pairs_here[mine] < 2)
    change = np.where(lost, 0.0, without) - each[side]
    top = np.nansum(each) + np.bincount(part, weights=change, minlength=len(found.parts))
    bottom = known.sum() - np.bincount(part, weights=lost, minlength=len(found.parts))
    left = np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0.5)
    return Averaged(statistic, float(np.nanmean(each)), left, found.parts, found.times, found.sides, each, found.pairs)


def difference(first: Averaged, second: Averaged, name: str) -> Estimate:
    """First less second, over the conversations of both."""
    n = first.n + second.n
    for one in (first, second):
        if np.isnan(one.value):
            return cannot(one.reason, n, name)
    parts = np.union1d(first.parts, second.parts)
    times, lefts = np.ones(len(parts), dtype=np.int64), []
    for one in (first, second):
        left, at = np.full(len(parts), one.value), np.searchsorted(parts, one.parts)
        left[at], times[at] = one.without, one.times
        lefts.append(left)
    statistic = Statistic(name, lambda x: x, lambda _: "", low=-2.0, high=2.0, all_agree=None)
    return around(first.value - second.value, lefts[0] - lefts[1], n, statistic, parts, times=times)

