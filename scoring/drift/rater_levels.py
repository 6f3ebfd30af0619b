"""How far each rater's levels lie from those of the others on the same unit and question, and when.

A label's difference is its level less the mean of the others' levels. Where not always the same others are
there, each of them is first brought to one average by their effect in level = item + rater (least squares): a
strict colleague who joins in week five would otherwise seem to make everybody else lenient from then on.
Where the same raters rate everything, that changes nothing, and a rater's mean over everything is never
changed by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.agreement.intervals.additive_counts import ratio
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.labels.labels import numbered
from scoring.agreement.people.severity import ALONE, OrdinalLabels
from scoring.arrays import Array, IntArray, Mask, choose_rows, kept_column, small_column
from scoring.drift.periods import UNKNOWN, Periods

_DIFFERENCE = ratio("rater's mean less the others' on what both rated", ALONE, low=-np.inf, high=np.inf)


@dataclass(frozen=True, eq=False)
class DatedLevels:
    """One entry a label. `item`: unit and question together, as a number; `part`: the conversation; `day`:
    UNKNOWN if unknown.
    """

    item: IntArray = small_column()
    rater: IntArray = small_column()
    part: IntArray = small_column()
    level: Array = small_column()
    day: IntArray = small_column()

    def where(self, chosen: Mask) -> DatedLevels:
        """Return the labels that the mask `chosen` selects; `self` if it selects all, because a copy costs
        memory.
        """
        return self if chosen.all() else choose_rows(self, chosen)


@dataclass(frozen=True, eq=False)
class LevelDifferences:
    """One entry for each label with a known day, of an item that others labelled too. `partners`: of each
    rater, who these others are.
    """

    partners: dict[int, frozenset[int]]
    rater: IntArray = small_column()
    part: IntArray = small_column()
    day: IntArray = small_column()
    difference: Array = small_column()

    def of(self, rater: int) -> LevelDifferences:
        """Return the differences of one rater; the partners of all raters stay."""
        return self.where(kept_column(self, "rater") == rater)

    def where(self, chosen: Mask) -> LevelDifferences:
        """Return the entries that the mask `chosen` selects; the partners of all raters stay."""
        return LevelDifferences(
            self.partners,
            *(kept_column(self, name)[chosen] for name in ("rater", "part", "day", "difference")),
        )


def dated_levels(
    criteria: Sequence[OrdinalLabels], rater: IntArray, unit: IntArray, day: IntArray
) -> DatedLevels:
    """Join the labels of several criteria into one table, with the day on which each unit was committed.

    The result has one entry per label, criterion after criterion. Its `item` numbers unit and criterion
    together. A label whose rater and unit are not listed has day UNKNOWN (-1).

    Args:
        criteria: the labels of each criterion.
        rater, unit, day: arrays of one length; `day[i]` is when `rater[i]` committed `unit[i]`.
    """
    nothing = np.zeros(0, dtype=np.int64)
    of, who, part = (
        np.concatenate([nothing, *columns])
        for columns in (
            [ordinal_labels.unit for ordinal_labels in criteria],
            [ordinal_labels.rater for ordinal_labels in criteria],
            [ordinal_labels.part for ordinal_labels in criteria],
        )
    )
    level = np.concatenate([np.zeros(0), *(ordinal_labels.level for ordinal_labels in criteria)])
    question = np.repeat(np.arange(len(criteria)), [len(ordinal_labels.unit) for ordinal_labels in criteria])
    most = int(max(of.max(initial=0), unit.max(initial=0))) + 1
    label_days = np.full(len(of), UNKNOWN, dtype=np.int64)
    if len(rater):
        key, wanted = rater * most + unit, who * most + of
        order = np.argsort(key)
        place = order[np.minimum(np.searchsorted(key, wanted, sorter=order), len(key) - 1)]
        label_days = np.where(key[place] == wanted, day[place], UNKNOWN)
    return DatedLevels(numbered(question * most + of)[1].astype(np.int64), who, part, level, label_days)


def level_differences(levels: DatedLevels) -> LevelDifferences:
    """Return how far each dated label lies from the mean of the others' levels on the same item.

    Only items that two or more labelled count. Raters' usual effects are taken out of "the others", in a
    way that keeps each rater's mean; labels of unknown day count among the others but get no entry.
    """
    shared = _share_items(levels)
    who, item, level = shared.who, shared.item, shared.labels.level
    if not len(who):
        return LevelDifferences({}, who.astype(np.int64), shared.labels.part, shared.labels.day, level)
    effect = shared.effects()
    # In place, as a million labels take eight megabytes a step.
    colleagues = np.maximum(shared.size - 1, 1)[item].astype(float)
    others: Array = np.bincount(item, weights=effect[who]).astype(float, copy=False)[item]
    others -= effect[who]
    others /= colleagues
    usual = np.bincount(who, weights=others, minlength=len(shared.raters)) / np.maximum(
        np.bincount(who, minlength=len(shared.raters)), 1
    )
    difference = shared.total[item]
    difference -= level
    difference /= colleagues
    np.subtract(level, difference, out=difference)
    difference += others
    difference -= usual[who]
    del colleagues, others
    met = (shared.by_item.T @ shared.by_item).toarray() > 0
    np.fill_diagonal(met, False)
    partners = {
        rater: frozenset(shared.raters[met[row]].tolist())
        for row, rater in enumerate(shared.raters.tolist())
        if met[row].any()
    }
    dated = kept_column(shared.labels, "day") > UNKNOWN
    return LevelDifferences(
        partners,
        shared.raters[who[dated]],
        kept_column(shared.labels, "part")[dated],
        kept_column(shared.labels, "day")[dated],
        difference[dated],
    )


def strictness(levels: DatedLevels) -> dict[int, float]:
    """Return rater -> effect in the least-squares fit of level = item + rater, in ascending order of
    raters.

    Above 0: the rater gives higher levels than others. 0 for a rater who shares no item with anybody.
    """
    shared = _share_items(levels)
    effect = shared.effects() if len(shared.who) else np.zeros(len(shared.raters))
    return dict(zip(shared.raters.tolist(), effect.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _SharedItems:
    """The `labels` of items that two or more labelled. `who`: of each its position among `raters`, all there
    are; `item`: its item as a number from 0, with gaps. `size`, `total`: of each item how
    many levels it has, and their sum.
    """

    labels: DatedLevels
    raters: IntArray
    who: NDArray[np.int32]
    item: NDArray[np.int32]
    size: IntArray
    total: Array

    @cached_property
    def by_item(self) -> scipy.sparse.csr_array:
        """How many labels each rater gave to each item: one or none."""
        return scipy.sparse.csr_array(
            (np.ones(len(self.who), dtype=np.int32), (self.item, self.who)),
            shape=(len(self.size), len(self.raters)),
        )

    def effects(self) -> Array:
        """(R,) of level = item + rater, as agreement/people/severity.py; of groups that share nothing each
        around its own mean.
        """
        above = (self.total / np.maximum(self.size, 1))[self.item]
        np.subtract(self.labels.level, above, out=above)
        count = len(self.raters)
        share = np.repeat(1 / np.sqrt(np.maximum(self.size, 1)), np.diff(self.by_item.indptr))
        scaled = scipy.sparse.csr_array(
            (self.by_item.data * share, self.by_item.indices, self.by_item.indptr), shape=self.by_item.shape
        )
        normal = np.diag(np.bincount(self.who, minlength=count).astype(float)) - (scaled.T @ scaled).toarray()
        sums = np.bincount(self.who, weights=above, minlength=count)
        effects: Array = np.linalg.lstsq(normal, sums, rcond=None)[0]
        return effects


def _share_items(levels: DatedLevels) -> _SharedItems:
    raters, place = numbered(levels.rater)
    who = place.astype(np.int32)
    item = numbered(levels.item)[1].astype(np.int32)
    several = (np.bincount(item) > 1)[item]
    if not several.all():
        levels, who, item = levels.where(several), who[several], item[several]
    total = np.bincount(item, weights=levels.level).astype(float, copy=False)
    return _SharedItems(levels, raters, who, item, np.bincount(item), total)


def level_of(differences: LevelDifferences) -> Estimate:
    """Return the mean of the differences with a jackknife interval over conversations. `n` counts labels.

    `differences` is of one rater. The value is None without entries.
    """
    parts, part = numbered(differences.part)
    counts = np.stack(
        [
            np.bincount(part, weights=differences.difference, minlength=len(parts)),
            np.bincount(part, minlength=len(parts)),
        ],
        axis=1,
    )
    return jackknife(_DIFFERENCE, counts.astype(float), len(differences.part))


def level_by_period(differences: LevelDifferences, periods: Periods) -> list[Estimate]:
    """Return `level_of` of each period, in order. `periods.of` has one entry per entry of `differences`."""
    return [level_of(differences.where(periods.of == place)) for place in range(len(periods.first))]
