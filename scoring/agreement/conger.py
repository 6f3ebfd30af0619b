"""Conger's kappa (Conger 1980; with missing labels Gwet 2014, section 2.5): several raters, each with habits of their own.

Chance is the mean over all pairs of different raters of the agreement that their own shares of labels would give.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.agreement.chance import beyond_chance, share
from scoring.agreement.jackknife import Array, Statistic
from scoring.agreement.kappa import NO_VARIATION
from scoring.agreement.labels import Labels
from scoring.agreement.multirater import NOBODY
from scoring.agreement.spread import by_unit, parts
from scoring.agreement.weights import Weights, weights

NO_RATINGS = "one of the raters has no label"


def habits(labels: Labels, raters: Sequence[int]) -> Array:
    """Counts (C, k + 1 + R, k) that add up over parts: the spread of spread.py, then how often each of the R raters, in their order, used each label."""
    units, k = labels.units, len(labels.domain)
    rater = np.searchsorted(raters, labels.rater)
    own = np.zeros((len(units.parts), len(raters), k))
    part = units.part[np.searchsorted(units.names, labels.unit)]
    np.add.at(own, (part, rater, labels.code), 1.0 if labels.weight is None else labels.weight)
    return np.concatenate([units.by_part(by_unit(units)), own], axis=1)


def conger(kind: Weights, scale: tuple[float, ...]) -> Statistic:
    """Of the counts of `habits`."""
    weight, k = weights(kind, np.array(scale)), len(scale)

    def value(counts: Array) -> Array:
        pairs, units, _, _ = parts(counts[..., :k + 1, :])
        own = counts[..., k + 1:, :]
        totals, raters = own.sum(axis=-1), own.shape[-2]
        agreed = share(np.einsum("...ij,ij->...", pairs, weight), units)
        if raters < 2:
            return np.full(np.shape(units), np.nan)
        shares = share(own, totals[..., None])
        every = shares.sum(axis=-2)
        chance = (np.einsum("...i,ij,...j->...", every, weight, every) - np.einsum("...gi,ij,...gj->...", shares, weight, shares)) / (raters * (raters - 1))
        return beyond_chance(agreed, chance, np.ones(agreed.shape))

    def reason(counts: Array) -> str:
        if not parts(counts[..., :k + 1, :])[1].any():
            return NOBODY
        return NO_VARIATION if counts[..., k + 1:, :].sum(axis=-1).all() else NO_RATINGS

    return Statistic("Conger's kappa" if kind == "none" else f"Conger's kappa, {kind}", value, reason)
