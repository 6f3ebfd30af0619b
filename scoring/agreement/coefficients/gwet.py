"""Gwet's AC1 and AC2 (Gwet 2008, 2014): agreement beyond chance that does not collapse where one label
dominates.

Chance is sum of all weights / (k (k - 1)) * sum of p (1 - p) over the k declared labels. Never shown alone:
it is high wherever one label dominates and everybody uses it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scoring.agreement.coefficients.multirater import coefficient
from scoring.agreement.coefficients.weights import Weights, weights
from scoring.agreement.intervals.jackknife import Statistic
from scoring.arrays import Array


@lru_cache(maxsize=64)
def gwet(kind: Weights, scale: tuple[float, ...]) -> Statistic:
    """Return Gwet's AC1 (`kind` "none") or AC2 as a statistic of spread counts (..., k + 1, k) (spread.py).

    Args:
        kind: how partial agreement counts.
        scale: the numbers that the k declared labels count, in order, used or not.
    """
    weight, k = weights(kind, np.array(scale)), len(scale)

    def chance(shares: Array) -> Array:
        if k < 2:
            return np.ones(shares.shape[:-1])
        return np.asarray(weight.sum() / (k * (k - 1)) * (shares * (1 - shares)).sum(axis=-1))

    return coefficient("Gwet's AC1" if kind == "none" else f"Gwet's AC2, {kind}", weight, chance)
