"""Krippendorff's alpha (2011, 2019): any number of raters, missing labels, nominal, ordinal or interval
scales.

From the coincidences o (k, k), each unit with m >= 2 labels adding n_c (n_k - [c = k]) / (m - 1), and their
margins n_c with sum n: alpha = 1 - (n - 1) * sum o d / sum n_c n_k d. The distance d is 0 or 1; or the
squared difference of what the labels count; or, ordinal, the squared number of labels given between the two,
ends counted half.

What chance would do is read off by drawing pairs among the n labels given, none with itself; that is the n -
1. So where units weigh differently, weights change which labels are common, and never how many there are: n
stays the number of labels given to units with two or more, and the coincidences are brought back to that sum.
Weights that are all equal then change nothing, whatever they are; a unit of weight 2 counts twice in what is
observed and expected, but is no second witness, as the same unit twice in the data would be.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.coefficients.multirater import NOBODY
from scoring.agreement.coefficients.spread import together
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.labels import LabelledUnits
from scoring.agreement.labels.rarity import rarity_of_spread
from scoring.arrays import Array

Level = Literal["nominal", "ordinal", "interval"]
NO_VARIATION = "every label is the same, so agreement can't be separated from chance"


def coincidences(units: LabelledUnits) -> Array:
    """Return (U, k + 1, k): each unit's coincidences, then a last row with how often each label was given.

    Labels of units with a single label count 0. The last row is divided by the unit's weight, so that
    `LabelledUnits.by_part`, which multiplies by it, leaves plain counts.
    """
    total = units.counts.sum(axis=1)
    given = (
        np.where(total > 1, 1 / units.weight, 0.0)[:, None] * units.counts
    )  # Units.by_part multiplies by the weight
    return together(units.counts, total - 1, given)


@lru_cache(maxsize=64)
def krippendorff(level: Level, scale: tuple[float, ...]) -> Statistic:
    """Return Krippendorff's alpha as a statistic of the counts (..., k + 1, k) that `coincidences` returns.

    Args:
        level: how the distance of two labels is measured.
        scale: the numbers that the k labels count, in order; only "interval" uses their values.
    """
    k = len(scale)
    fixed = 1 - np.eye(k) if level == "nominal" else np.subtract.outer(scale, scale) ** 2

    def value(counts: Array) -> Array:
        coincident, n = counts[..., :-1, :], counts[..., -1, :].sum(axis=-1)
        margins = coincident.sum(axis=-1)
        weighed = margins.sum(axis=-1)  # n, where every unit weighs 1
        if level == "ordinal":
            below = np.cumsum(margins, axis=-1) - margins / 2
            distance = (below[..., :, None] - below[..., None, :]) ** 2
            observed = (coincident * distance).sum(axis=(-2, -1))
            expected = np.einsum("...i,...ij,...j->...", margins, distance, margins)
        else:
            observed = np.einsum("...ij,ij->...", coincident, fixed)
            expected = np.einsum("...i,ij,...j->...", margins, fixed, margins)
        return 1 - share((n - 1) * share(weighed, n) * observed, expected)

    return Statistic(
        f"Krippendorff's alpha, {level}",
        value,
        lambda total: NO_VARIATION if total.any() else NOBODY,
        rarity=rarity_of_spread,
    )
