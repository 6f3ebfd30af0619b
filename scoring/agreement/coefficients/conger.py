"""Conger's kappa (Conger 1980; with missing labels Gwet 2014, section 2.5): several raters, each with habits
of their own.

Chance is the mean over all pairs of different raters of the agreement that their own shares of labels would
give.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.agreement.coefficients.chance import beyond_chance, share
from scoring.agreement.coefficients.kappa import NO_VARIATION
from scoring.agreement.coefficients.multirater import NOBODY
from scoring.agreement.coefficients.spread import by_unit, paired, parts
from scoring.agreement.coefficients.weights import Weights, weights
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.labels import Labels, numbered
from scoring.agreement.labels.rarity import rarity_of_spread
from scoring.arrays import Array

NO_RATINGS = "one of the raters has no label"


def habits(labels: Labels, raters: Sequence[int]) -> Array:
    """Return what `conger` needs: per part, how labels spread over units and how often each rater used each.

    Returns:
        Counts (C, k + 1 + R, k), one entry per part of `labels.units.parts`. The first k + 1 rows are the
        weighted spread of spread.py; then follows one row per rater, in the order of `raters`.
    """
    units, k = labels.units, len(labels.domain)
    _, part = numbered(labels.part)
    own = np.zeros((len(raters), k, len(units.parts)))
    for row, rater in enumerate(raters):
        his = labels.rater == rater
        cells = np.bincount(
            labels.code[his] * len(units.parts) + part[his],
            weights=None if labels.weight is None else labels.weight[his],
            minlength=k * len(units.parts),
        )
        own[row] = cells.reshape(k, -1)
    return np.concatenate([units.by_part(by_unit(units)), np.moveaxis(own, -1, 0)], axis=1)


def conger(kind: Weights, scale: tuple[float, ...]) -> Statistic:
    """Return Conger's kappa as a statistic of the counts that `habits` returns.

    It has no value with fewer than two raters, or where one of the raters has no label.

    Args:
        kind: how partial agreement counts.
        scale: the numbers that the k labels count, in order.
    """
    weight, k = weights(kind, np.array(scale)), len(scale)

    def value(counts: Array) -> Array:
        pairs, units, _, _ = parts(counts[..., : k + 1, :])
        own = counts[..., k + 1 :, :]
        totals, raters = own.sum(axis=-1), own.shape[-2]
        agreed = share(np.einsum("...ij,ij->...", pairs, weight), units)
        if raters < 2:
            return np.full(np.shape(units), np.nan)
        shares = share(own, totals[..., None])
        every = shares.sum(axis=-2)
        chance = (
            np.einsum("...i,ij,...j->...", every, weight, every)
            - np.einsum("...gi,ij,...gj->...", shares, weight, shares)
        ) / (raters * (raters - 1))
        return beyond_chance(agreed, chance, np.ones(agreed.shape))

    def reason(counts: Array) -> str:
        if not parts(counts[..., : k + 1, :])[1].any():
            return NOBODY
        return NO_VARIATION if counts[..., k + 1 :, :].sum(axis=-1).all() else NO_RATINGS

    return Statistic(
        "Conger's kappa" if kind == "none" else f"Conger's kappa, {kind}",
        value,
        reason,
        shows=lambda counts: paired(counts[..., : k + 1, :]),
        rarity=lambda counts, times: rarity_of_spread(counts[:, : k + 1], times),
    )
