"""How near two labels of a scale are: agreement weights (k, k), 1 on the diagonal, for weighted coefficients
(Gwet 2014, chapter 3).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from scoring.arrays import Array

Weights = Literal["none", "linear", "quadratic", "ordinal"]


def weights(kind: Weights, scale: Array) -> Array:
    """`scale`: what the k labels count. "none": only the same label agrees. "linear", "quadratic": one less
    the distance, or its square, as a share of the largest. "ordinal": by how many labels lie between,
    whatever they count.
    """
    k = len(scale)
    if kind == "none" or k < 2:
        return np.eye(k)
    if kind == "ordinal":
        apart = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
        pairs = apart * (apart + 1) / 2
        return np.asarray(1 - pairs / pairs.max())
    distance = np.abs(np.subtract.outer(scale, scale)) / (scale.max() - scale.min())
    return np.asarray(1 - (distance if kind == "linear" else distance**2))
