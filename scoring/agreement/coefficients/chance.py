"""(agreement - chance) / (1 - chance), the frame of every coefficient here, and shares, without a warning
where there is nothing.
"""

from __future__ import annotations

import numpy as np

from scoring.arrays import Array

ROUNDING_ERROR = 1e-12


def share(amount: Array, whole: Array, least: Array | float = 0.0) -> Array:
    """amount / whole of any shapes that fit; NaN where `whole` is not above `least`."""
    above, below = np.broadcast_arrays(np.asarray(amount, dtype=float), np.asarray(whole, dtype=float))
    made: Array = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > least)
    return made


def beyond_chance(agreed: Array, chance: Array, whole: Array) -> Array:
    """All three as amounts out of `whole`, any shape. NaN where there is nothing, or chance alone would agree
    on everything.
    """
    return share(agreed - chance, whole - chance, ROUNDING_ERROR * np.asarray(whole))
