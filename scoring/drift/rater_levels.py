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

from scoring.agreement.additive import ratio
from scoring.agreement.estimate import Estimate
from scoring.agreement.jackknife import jackknife
from scoring.agreement.labels import numbered
from scoring.agreement.severity import ALONE, OrdinalLabels
from scoring.arrays import Array, IntArray, Mask, choose_rows, small_column
from scoring.drift.periods import UNKNOWN, Periods

_DIFFERENCE = ratio("rater's mean less the others' on the same units", ALONE, low=-np.inf, high=np.inf)


@dataclass(frozen=True, eq=False)
class DatedLevels:
    """One entry a label. `item`: unit and question together, as a number; `part`: the conversation; `day`:
    UNKNOWN where nobody knows it.
    """

    item: IntArray = small_column()
    rater: IntArray = small_column()
    part: IntArray = small_column()
    level: Array = small_column()
    day: IntArray = small_column()

    def where(self, chosen: Mask) -> DatedLevels:
        """These themselves where all are chosen: of very many levels a copy costs memory."""
        return self if chosen.all() else choose_rows(self, chosen)


@dataclass(frozen=True, eq=False)
class LevelDifferences:
    """One entry for each label with a known day, of an item that others labelled too. `partners`: of each
    rater, who these others are.
    """

    rater: IntArray
    part: IntArray
    day: IntArray
    difference: Array
    partners: dict[int, frozenset[int]]

    def of(self, rater: int) -> LevelDifferences:
        chosen = self.rater == rater
        return LevelDifferences(
            self.rater[chosen], self.part[chosen], self.day[chosen], self.difference[chosen], self.partners
        )


def dated_levels(
    criteria: Sequence[OrdinalLabels], rater: IntArray, unit: IntArray, day: IntArray
) -> DatedLevels:
    """Labels with the day on which their rater committed their unit: `day[i]` is that of `rater[i]` and
    `unit[i]`.
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
    """How far every label lies from those of the others."""
    shared = _shared(levels)
    who, item, size, level, total = shared.who, shared.item, shared.size, shared.level, shared.total
    if not len(who):
        return LevelDifferences(who.astype(np.int64), shared.labels.part, shared.labels.day, level, {})
    effect = shared.effects()
    others = (np.bincount(item, weights=effect[who])[item] - effect[who]) / (size - 1)
    usual = np.bincount(who, weights=others, minlength=len(shared.raters)) / np.maximum(
        np.bincount(who, minlength=len(shared.raters)), 1
    )
    difference = level - (total - level) / (size - 1) + others - usual[who]
    met = (shared.by_item.T @ shared.by_item).toarray() > 0
    np.fill_diagonal(met, False)
    partners = {
        rater: frozenset(shared.raters[met[row]].tolist())
        for row, rater in enumerate(shared.raters.tolist())
        if met[row].any()
    }
    dated = shared.labels.day > UNKNOWN
    return LevelDifferences(
        shared.raters[who][dated],
        shared.labels.part[dated],
        shared.labels.day[dated],
        difference[dated],
        partners,
    )


def strictness(levels: DatedLevels) -> dict[int, float]:
    """The effect of each rater in level = item + rater, above 0 where they give more than others; 0 for who
    shares no item with anybody.
    """
    shared = _shared(levels)
    effect = shared.effects() if len(shared.who) else np.zeros(len(shared.raters))
    return dict(zip(shared.raters.tolist(), effect.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _SharedItems:
    """The `labels` of items that two or more labelled. `who`: position among `raters`, all there are; `item`
    likewise; `size`, `total`: how many levels the item has, and their sum.
    """

    labels: DatedLevels
    raters: IntArray
    who: NDArray[np.intp]
    item: NDArray[np.intp]
    size: IntArray
    total: Array

    @property
    def level(self) -> Array:
        return self.labels.level

    @cached_property
    def by_item(self) -> scipy.sparse.csr_array:
        return scipy.sparse.csr_array(
            (np.ones(len(self.who)), (self.item, self.who)),
            shape=(int(self.item.max()) + 1, len(self.raters)),
        )

    def effects(self) -> Array:
        return _effects(self.by_item, self.who, self.item, self.size, self.level - self.total / self.size)


def _shared(levels: DatedLevels) -> _SharedItems:
    raters, who = numbered(levels.rater)
    item = numbered(levels.item)[1]
    size, total = np.bincount(item)[item], np.bincount(item, weights=levels.level)[item]
    several = size > 1
    return _SharedItems(
        levels.where(several),
        raters,
        who[several],
        item[several],
        size[several],
        total[several].astype(float),
    )


def _effects(
    by_item: scipy.sparse.csr_array,
    who: NDArray[np.intp],
    item: NDArray[np.intp],
    size: IntArray,
    above: Array,
) -> Array:
    """(R,) of level = item + rater, as scoring/agreement/severity.py; of groups that share nothing each
    around its own mean.
    """
    count = by_item.shape[1]
    scaled = scipy.sparse.csr_array((1 / np.sqrt(size), (item, who)), shape=by_item.shape)
    normal = np.diag(np.bincount(who, minlength=count).astype(float)) - (scaled.T @ scaled).toarray()
    effects: Array = np.linalg.lstsq(normal, np.bincount(who, weights=above, minlength=count), rcond=None)[0]
    return effects


def level_of(differences: LevelDifferences) -> Estimate:
    """The mean difference of one rater with its interval, over conversations. `n`: labels."""
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
    """The same of each period. `periods`: of the entries of `differences`."""
    return [
        level_of(
            LevelDifferences(
                differences.rater[chosen],
                differences.part[chosen],
                differences.day[chosen],
                differences.difference[chosen],
                differences.partners,
            )
        )
        for chosen in (periods.of == place for place in range(len(periods.first)))
    ]
