"""A coefficient for each rater beside the judge, or for each two raters, and the mean of them.

Raters are not pooled into one: each has habits of their own, and one table of all would take differences
between them for chance. Each counts as many times as they share units, so that five careless units do not
weigh as much as fifty. The interval leaves out one conversation at a time, which touches only the raters who
have it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic, around
from scoring.agreement.labels.pairs import SideTables
from scoring.agreement.labels.rarity import Rarity
from scoring.arrays import Array, IntArray

NONE = "nothing was labelled by both a rater and the judge"
ONE_PAIR = "with one pair, agreement can't be separated from chance"


@dataclass(frozen=True, eq=False)
class RaterMean:
    """The mean of a coefficient over sides: raters next to the judge, or pairs of raters.

    `each`: the value of each of the `sides`, NaN where a side has none; `pairs`: how many pairs each has.
    `value`: the mean of the sides that have a value, weighted by their pairs; NaN where none has one, and
    then `reason` says why. `parts` (C,): the numbers of the conversations, each standing for `times`
    identical ones. `without` (C,): the mean with one such conversation left out. `units`: how many units
    were labelled. `rarity`: of each part, over all sides.
    """

    statistic: Statistic
    value: float
    without: Array
    parts: IntArray
    times: IntArray
    sides: IntArray
    each: Array
    pairs: Array
    units: int
    rarity: Rarity
    reason: str = ""

    @property
    def n(self) -> int:
        """The number of pairs over all sides."""
        return round(float(self.pairs.sum()))

    @property
    def shared(self) -> int:
        """The number of conversations in which two raters gave a rarer label to the same unit."""
        return int(self.times[self.rarity.shared].sum())

    def estimate(self) -> Estimate:
        """Return the mean with its interval; with several sides, `method` says how many have a value."""
        valued, all_ = int((~np.isnan(self.each)).sum()), len(self.each)
        if np.isnan(self.value):
            return undefined_estimate(self.reason, self.n, self.statistic.name, int(self.times.sum()))
        shared = self.shared if self.statistic.rarity is not None else None
        mean = around(
            self.value,
            self.without,
            self.n,
            self.statistic,
            self.parts,
            times=self.times,
            shared=shared,
            units=self.units,
        )
        return mean if all_ == 1 else replace(mean, method=f"{mean.method}, mean of {valued} of {all_}")


def average(statistic: Statistic, tables: SideTables) -> RaterMean:
    """Compute a statistic for each side, and its mean over sides weighted by their pairs.

    Args:
        statistic: takes tables of counts (..., k, k).
        tables: the tables of each side in each conversation. A side with fewer than two pairs has no value.
    """
    count, conversations = len(tables.sides), len(tables.parts)
    wholes = np.zeros((count, *tables.tables.shape[1:]))
    np.add.at(wholes, tables.side, tables.tables * tables.times[tables.part, None, None])
    each = statistic.of(wholes) if count else np.zeros(0)
    each = np.where(tables.pairs > 1, each, np.nan)
    of_raters = (
        tables.parts,
        tables.times,
        tables.sides,
        each,
        tables.pairs,
        tables.units,
        tables.rarity(),
    )
    valued = ~np.isnan(each)
    if not valued.any():
        reason = (
            NONE
            if not count
            else ONE_PAIR
            if (tables.pairs < 2).all()
            else statistic.reason(wholes[int(tables.pairs.argmax())])
        )
        return RaterMean(statistic, np.nan, np.zeros(0), *of_raters, reason)
    chosen = valued[tables.side]
    side, part, pairs_here = tables.side[chosen], tables.part[chosen], tables.pairs_here[chosen]
    without = statistic.of(wholes[side] - tables.tables[chosen])
    left = tables.pairs[side] - pairs_here
    lost = np.isnan(without) | (left < 2)
    weighed = np.where(valued, tables.pairs * np.where(valued, each, 0.0), 0.0)
    change = np.where(lost, 0.0, left * np.where(lost, 0.0, without)) - weighed[side]
    top = weighed.sum() + np.bincount(part, weights=change, minlength=conversations)
    bottom = tables.pairs[valued].sum() - np.bincount(
        part, weights=np.where(lost, tables.pairs[side], pairs_here), minlength=conversations
    )
    means = np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0.5)
    value = float(weighed.sum() / tables.pairs[valued].sum())
    return RaterMean(statistic, value, means, *of_raters)
