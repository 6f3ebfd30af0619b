"""(agreement - chance) / (1 - chance), the frame of every coefficient here, and shares, without a warning
where there is nothing.
"""

from __future__ import annotations

import numpy as np

from scoring.arrays import Array

ROUNDING_ERROR = 1e-12


def share(amount: Array, whole: Array, least: Array | float = 0.0) -> Array:
    """Return `amount / whole` after broadcasting both; NaN where `whole` is not above `least`."""
    above, below = np.broadcast_arrays(np.asarray(amount, dtype=float), np.asarray(whole, dtype=float))
    made: Array = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > least)
    return made


def beyond_chance(agreed: Array, chance: Array, whole: Array) -> Array:
    """Return (agreed - chance) / (whole - chance): the agreement beyond chance, 1 where all agree.

    Args:
        agreed: the amount of agreement found, from 0 to `whole`.
        chance: the amount of agreement to expect by chance, from 0 to `whole`.
        whole: the amount that full agreement would reach.

    Returns:
        One value per entry, in the broadcast shape; NaN where `whole` is 0 or chance alone reaches it.
    """
    return share(agreed - chance, whole - chance, ROUNDING_ERROR * np.asarray(whole))
