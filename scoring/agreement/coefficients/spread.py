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
    """Return the spread counts of each unit, (U, k + 1, k), in the form that the module describes."""
    total = units.counts.sum(axis=1)
    return together(units.counts, total * (total - 1), units.counts / total[:, None])


def together(counts: Array, ways: Array, last: Array) -> Array:
    """Return (U, k + 1, k): how pairs of raters labelled each unit, with `last` as the last row.

    Args:
        counts: (U, k), how often each label was given to a unit.
        ways: (U,), what the pairs of a unit are divided by; below 1 counts as 1. Each pair of raters counts
            in both orders, so a unit with m labels has m * (m - 1) of them.
        last: (U, k).
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
    """Return the spread counts (..., k + 1, k) of tables (..., k, k) of two sides.

    Each pair counts as one unit with two labels.
    """
    *some, k, _ = tables.shape
    made = np.empty((*some, k + 1, k), order="F")
    made[..., :-1, :] = (tables + np.swapaxes(tables, -1, -2)) / 2
    made[..., -1, :] = made[..., :-1, :].sum(axis=-1)
    return made


def parts(spread: Array) -> tuple[Array, Array, Array, Array]:
    """Split spread counts (..., k + 1, k) into pairs and label shares, each with its number of units.

    Returns:
        Pairs (..., k, k), the number of units with two labels or more (...), label shares (..., k) summed
        over units, and the number of units with any label (...).
    """
    pairs, shares = spread[..., :-1, :], spread[..., -1, :]
    return pairs, pairs.sum(axis=(-2, -1)), shares, shares.sum(axis=-1)


def paired(spread: Array) -> Mask:
    """Tell which entries of spread counts (..., k + 1, k) hold a pair of labels; shape (...)."""
    return parts(spread)[1] > 0
