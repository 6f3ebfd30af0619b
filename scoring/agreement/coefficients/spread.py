"""How the labels of a unit spread over the scale, in the form that Gwet's, Fleiss' and Brennan and Prediger's
coefficients need.

Counts (..., k + 1, k), which add up over units: rows 0 to k - 1 hold how the unit's pairs of different raters
fall on the labels, each unit with two labels or more adding 1 in all; the last row holds the shares of the
labels, each unit with any label adding 1 (Gwet 2014, sections 2.3 and 2.4: units with one label count for
chance and not for agreement).
"""

from __future__ import annotations

import numpy as np

from scoring.agreement.labels.labels import LabelledUnits
from scoring.arrays import Array, Mask


def by_unit(units: LabelledUnits) -> Array:
    """(U, k + 1, k)."""
    total = units.counts.sum(axis=1)
    return together(units.counts, total * (total - 1), units.counts / total[:, None])


def together(counts: Array, ways: Array, last: Array) -> Array:
    """Of counts (U, k), how often two different raters of a unit gave each two labels, in both orders, out of
    `ways` (U,); and `last` (U, k).
    """
    sums = np.empty(
        (len(counts), counts.shape[1] + 1, counts.shape[1]), order="F"
    )  # as Units.by_part reads it, cell by cell
    pairs = sums[:, :-1]
    np.multiply(counts[:, :, None], counts[:, None, :], out=pairs)
    np.einsum("ujj->uj", pairs)[:] -= counts
    pairs /= np.maximum(ways, 1)[:, None, None]  # with one label there are no pairs to divide
    sums[:, -1] = last
    return sums


def of_pairs(tables: Array) -> Array:
    """The same from tables (..., k, k) of two sides: each pair is one unit with two labels."""
    *some, k, _ = tables.shape
    made = np.empty((*some, k + 1, k), order="F")
    made[..., :-1, :] = (tables + np.swapaxes(tables, -1, -2)) / 2
    made[..., -1, :] = made[..., :-1, :].sum(axis=-1)
    return made


def parts(spread: Array) -> tuple[Array, Array, Array, Array]:
    """Pairs (..., k, k), how many units they come from (...), shares of the labels (..., k), how many units
    those come from (...).
    """
    pairs, shares = spread[..., :-1, :], spread[..., -1, :]
    return pairs, pairs.sum(axis=(-2, -1)), shares, shares.sum(axis=-1)


def paired(spread: Array) -> Mask:
    """Which entries hold a pair of labels."""
    return parts(spread)[1] > 0
