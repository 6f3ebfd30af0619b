"""Brennan and Prediger's coefficient (1981), chance the same for every label; with two raters and two labels
it is PABAK, 2 * agreement - 1.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scoring.agreement.coefficients.multirater import coefficient
from scoring.agreement.coefficients.weights import Weights, weights
from scoring.agreement.intervals.jackknife import Statistic


@lru_cache(maxsize=64)
def brennan_prediger(kind: Weights, scale: tuple[float, ...]) -> Statistic:
    """Return Brennan and Prediger's coefficient as a statistic of spread counts (..., k + 1, k) (spread.py).

    Args:
        kind: how partial agreement counts; "none" with two labels is PABAK.
        scale: the numbers that the k labels count, in order.
    """
    weight = weights(kind, np.array(scale))
    chance = float(weight.mean())
    name = "PABAK (Brennan-Prediger)" if kind == "none" else f"Brennan-Prediger, {kind}"
    return coefficient(name, weight, lambda shares: np.full(shares.shape[:-1], chance))
