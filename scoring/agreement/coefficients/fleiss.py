"""Fleiss' kappa (Fleiss 1971), and its form for missing labels (Gwet 2014, equation 2.11): chance from the
common shares of the labels.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scoring.agreement.coefficients.multirater import coefficient
from scoring.agreement.coefficients.weights import Weights, weights
from scoring.agreement.intervals.jackknife import Statistic


@lru_cache(maxsize=64)
def fleiss(kind: Weights, scale: tuple[float, ...]) -> Statistic:
    """Return Fleiss' kappa as a statistic of spread counts (..., k + 1, k) (spread.py).

    Args:
        kind: how partial agreement counts.
        scale: the numbers that the k labels count, in order.
    """
    weight = weights(kind, np.array(scale))
    name = "Fleiss' kappa" if kind == "none" else f"Fleiss' kappa, {kind}"
    return coefficient(name, weight, lambda shares: np.einsum("...i,ij,...j->...", shares, weight, shares))
