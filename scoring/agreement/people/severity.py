"""How strict each rater is beside the others on the same units, so that who rated which cases does not count.

Per rater: the mean level less the mean of the others' levels on each unit that somebody else rated too.
Between raters: the largest less the smallest effect of a rater in level = unit + rater, by least squares,
because where each unit has two of many raters, differences from the other raters there are no common
measure. Where all rated everything, that is the difference of the highest and the lowest mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.intervals.additive_counts import ratio
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.labels.labels import every_number, numbered, places
from scoring.arrays import Array, IntArray, small_column

ALONE = "nothing that this rater rated was rated by another rater"
NOBODY = "nothing was labelled by two raters"
APART = "the raters fall into groups that rated nothing in common, so the groups can't be compared"
LARGEST = "it is the largest of several differences, for which leaving out conversations gives no interval"
MAX_SPREAD = 0.5  # levels; a wider spread is warned of
_DIFFERENCE = ratio("rater's mean less the others' on what both rated", ALONE, low=-np.inf, high=np.inf)
_SPREAD = "largest less smallest rater effect"


@dataclass(frozen=True, eq=False)
class OrdinalLabels:
    """Labels of one criterion that have a place in its order, one entry a label. `part`: the conversation."""

    unit: IntArray = small_column()
    rater: IntArray = small_column()
    part: IntArray = small_column()
    level: Array = small_column()


@dataclass(frozen=True)
class RaterLevel:
    """Over the `labels` that others gave too: the rater's mean level, the mean of the others', and the
    difference in levels. With values from scoring.agreement.levels.failing, shares of failing labels instead.
    """

    labels: int
    mean: float | None
    others: float | None
    difference: Estimate


@dataclass(frozen=True)
class Severity:
    """`spread` in levels (or as a difference of shares). Every rater who gave a label with a place in the
    order is in `raters`.
    """

    raters: Mapping[int, RaterLevel]
    spread: Estimate

    @property
    def far_apart(self) -> bool:
        """For ordered scales: whether two raters differ by more than half a level."""
        return self.spread.value is not None and self.spread.value > MAX_SPREAD + 1e-9


def severity_of(criteria: Sequence[OrdinalLabels]) -> Severity:
    """Return how strict each rater is relative to the others on the same units, and the largest gap.

    Raters are in ascending order. A rater who shares no unit with another has `labels` 0 and no mean.
    `spread` is the largest less the smallest rater effect, never with an interval; its value is None where
    raters share no unit or fall into groups that share nothing.

    Args:
        criteria: the labels of each criterion that have a place in its order, which "does not apply" has
            not.
    """
    raters, parts = (
        every_number([ordinal_labels.rater for ordinal_labels in criteria]),
        every_number([ordinal_labels.part for ordinal_labels in criteria]),
    )
    shape = len(raters), len(parts)
    apart, number = np.zeros(shape), np.zeros(shape)
    own, others, above, together = (
        np.zeros(size) for size in (len(raters), len(raters), len(raters), (len(raters), len(raters)))
    )
    for ordinal_labels in criteria:
        place, who, at, level, size, total = _shared(ordinal_labels, raters, parts)
        theirs = (total - level) / (size - 1)
        cell = who * len(parts) + at
        apart += np.bincount(cell, weights=level - theirs, minlength=apart.size).reshape(shape)
        number += np.bincount(cell, minlength=apart.size).reshape(shape)
        for sums, amount in ((own, level), (others, theirs), (above, level - total / size)):
            sums += np.bincount(who, weights=amount, minlength=len(raters))
        together += _together(place, who, size, len(raters))
    return Severity(
        {
            rater: _rater(
                parts, np.stack([apart[row], number[row]], axis=1), float(own[row]), float(others[row])
            )
            for row, rater in enumerate(raters.tolist())
        },
        _spread(together, number.sum(axis=1), above),
    )


def _shared(ordinal_labels: OrdinalLabels, raters: IntArray, parts: IntArray) -> tuple[NDArray[Any], ...]:
    """Of each label of a unit with two or more, by unit: the unit's, rater's and part's place, the level, and
    how many levels and their sum the unit has.
    """
    place = numbered(ordinal_labels.unit)[1]
    size, total = np.bincount(place)[place], np.bincount(place, weights=ordinal_labels.level)[place]
    order = np.argsort(place, kind="stable")
    order = order[size[order] > 1]
    return (
        place[order],
        places(raters, ordinal_labels.rater[order]),
        places(parts, ordinal_labels.part[order]),
        ordinal_labels.level[order],
        size[order],
        total[order],
    )


def _together(place: NDArray[np.intp], who: NDArray[np.intp], size: NDArray[np.intp], raters: int) -> Array:
    """(R, R): how often two raters, or one with themselves, labelled the same unit, each time one over how
    many labelled it. In the order of units.
    """
    normal: Array = np.diag(np.bincount(who, weights=1 / size, minlength=raters))
    for step in range(1, int(size.max(initial=1))):
        first = np.flatnonzero(place[step:] == place[:-step])
        pairs = np.bincount(
            who[first] * raters + who[first + step], weights=1 / size[first], minlength=raters * raters
        ).reshape(raters, raters)
        normal += pairs + pairs.T
    return normal


def _rater(parts: IntArray, counts: Array, own: float, others: float) -> RaterLevel:
    """`counts` (C, 2): by conversation, how far the rater's levels lie from the others', and of how many
    labels. `own`, `others`: sums of levels.
    """
    number = int(counts[:, 1].sum())
    estimate = jackknife(_DIFFERENCE, counts, number)
    difference = (
        estimate
        if estimate.influential_part is None
        else replace(estimate, influential_part=int(parts[estimate.influential_part]))
    )
    return RaterLevel(
        number, own / number if number else None, others / number if number else None, difference
    )


def _spread(together: Array, number: Array, above: Array) -> Estimate:
    """`together` as of `_together`; of each rater the `number` of labels, and how far they lie `above` the
    means of their units in all.
    """
    here = number > 0
    if not here.any():
        return undefined_estimate(NOBODY, 0, _SPREAD)
    reached = together[np.ix_(here, here)] > 0
    for _ in range(len(reached).bit_length()):  # each time over twice as many others
        reached = reached @ reached
    if not reached.all():
        return undefined_estimate(APART, int(number.sum()), _SPREAD)
    effects = np.linalg.lstsq((np.diag(number) - together)[np.ix_(here, here)], above[here], rcond=None)[0]
    return Estimate(float(effects.max() - effects.min()), int(number.sum()), _SPREAD, no_interval=LARGEST)
