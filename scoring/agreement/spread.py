"""How the labels of a unit spread over the scale, in the form that Gwet's, Fleiss' and Brennan and Prediger's coefficients need.

Counts (..., k + 1, k), which add up over units: rows 0 to k - 1 hold how the unit's pairs of different raters fall on the
labels, each unit with two labels or more adding 1 in all; the last row holds the shares of the labels, each unit with any
label adding 1 (Gwet 2014, sections 2.3 and 2.4: units with one label count for chance and not for agreement).
"""

from __future__ import annotations

import numpy as np

from scoring.agreement.jackknife import Array
from scoring.agreement.labels import Units


def by_unit(units: Units) -> Array:
    """(U, k + 1, k)."""
    n = units.counts
    total = n.sum(axis=1)
    made = np.zeros((len(n), n.shape[1] + 1, n.shape[1]))
    several = total >= 2
    pairs = (total * (total - 1))[several, None, None]
    made[several, :-1] = (n[several, :, None] * n[several, None, :] - np.apply_along_axis(np.diag, 1, n[several])) / pairs if several.any() else 0
    made[:, -1] = n / total[:, None]
    return made


def of_pairs(tables: Array) -> Array:
    """The same from tables (..., k, k) of two sides: each pair is one unit with two labels."""
    both = (tables + np.swapaxes(tables, -1, -2)) / 2
    return np.concatenate([both, both.sum(axis=-1, keepdims=True).swapaxes(-1, -2)], axis=-2)


def parts(spread: Array) -> tuple[Array, Array, Array, Array]:
    """Pairs (..., k, k), how many units they come from (...), shares of the labels (..., k), how many units those come from (...)."""
    pairs, shares = spread[..., :-1, :], spread[..., -1, :]
    return pairs, pairs.sum(axis=(-2, -1)), shares, shares.sum(axis=-1)
