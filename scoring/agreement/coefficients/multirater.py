"""The coefficients of any number of raters that differ only in what they take for chance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scoring.agreement.coefficients.chance import beyond_chance, share
from scoring.agreement.coefficients.kappa import NO_VARIATION
from scoring.agreement.coefficients.spread import paired, parts
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.rarity import rarity_of_spread
from scoring.arrays import Array

NOBODY = "nothing was labelled by two raters"
TWO_CATEGORIES = "it needs a scale of at least two labels"


def coefficient(name: str, weight: Array, chance: Callable[[Array], Array]) -> Statistic:
    """Return a chance-corrected coefficient as a statistic of spread counts (..., k + 1, k) (spread.py).

    Args:
        name: what the estimate calls it.
        weight: (k, k), how far two labels agree, from 0 to 1.
        chance: takes the shares (..., k) of the labels, which add up to 1, and returns the agreement to
            expect by chance, from 0 to 1, of shape (...).
    """

    def value(spread: Array) -> Array:
        pairs, units, shares, rated = parts(spread)
        agreed = share(np.einsum("...ij,ij->...", pairs, weight), units)
        return beyond_chance(
            agreed, chance(share(shares, np.asarray(rated)[..., None])), np.ones(agreed.shape)
        )

    def reason(spread: Array) -> str:
        if not parts(spread)[1].any():
            return NOBODY
        return TWO_CATEGORIES if spread.shape[-1] < 2 else NO_VARIATION

    return Statistic(name, value, reason, shows=paired, rarity=rarity_of_spread)
