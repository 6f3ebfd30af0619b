"""How near two labels of a scale are: agreement weights (k, k), 1 on the diagonal, for weighted coefficients
(Gwet 2014, chapter 3).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from scoring.arrays import Array

Weights = Literal["none", "linear", "quadratic", "ordinal"]


def weights(kind: Weights, scale: Array) -> Array:
    """Return the agreement weights (k, k) of k labels: 1 for the same label, 0 for the furthest apart.

    Args:
        kind: "none": 1 for the same label, else 0. "linear": 1 less the distance of two labels as a share of
            the largest distance; "quadratic": 1 less the square of that share. "ordinal": 1 less d (d + 1) /
            2 as a share of its largest, where d is the distance in positions, whatever the labels count.
        scale: the numbers that the k labels count, in order.
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
