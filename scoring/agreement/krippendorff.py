"""Krippendorff's alpha (2011, 2019): any number of raters, missing labels, nominal, ordinal or interval scales.

From the coincidences o (k, k), each unit with m >= 2 labels adding n_c (n_k - [c = k]) / (m - 1), and their margins n_c with sum n:
alpha = 1 - (n - 1) * sum o d / sum n_c n_k d. The distance d is 0 or 1; or the squared difference of what the labels count; or, ordinal,
the squared number of labels given between the two, ends counted half.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from scoring.agreement.chance import share
from scoring.agreement.jackknife import Array, Statistic
from scoring.agreement.labels import Units
from scoring.agreement.multirater import NOBODY

Level = Literal["nominal", "ordinal", "interval"]
NO_VARIATION = "every label is the same, so agreement cannot be told from chance"


def coincidences(units: Units) -> Array:
    """(U, k, k)."""
    n = units.counts
    total = n.sum(axis=1)
    made = n[:, :, None] * n[:, None, :]
    diagonal = np.arange(n.shape[1])
    made[:, diagonal, diagonal] -= n
    return np.nan_to_num(share(made, (total - 1)[:, None, None]))


@lru_cache(maxsize=64)
def krippendorff(level: Level, scale: tuple[float, ...]) -> Statistic:
    """Of coincidences (..., k, k). `scale`: what the labels count, which only "interval" uses."""
    k = len(scale)
    fixed = 1 - np.eye(k) if level == "nominal" else np.subtract.outer(scale, scale) ** 2

    def value(coincident: Array) -> Array:
        margins = coincident.sum(axis=-1)
        n = margins.sum(axis=-1)
        if level == "ordinal":
            below = np.cumsum(margins, axis=-1) - margins / 2
            distance = (below[..., :, None] - below[..., None, :]) ** 2
            observed = (coincident * distance).sum(axis=(-2, -1))
            expected = np.einsum("...i,...ij,...j->...", margins, distance, margins)
        else:
            observed = np.einsum("...ij,ij->...", coincident, fixed)
            expected = np.einsum("...i,ij,...j->...", margins, fixed, margins)
        return 1 - share((n - 1) * observed, expected)

    return Statistic(f"Krippendorff's alpha, {level}", value, lambda total: NO_VARIATION if total.any() else NOBODY)
