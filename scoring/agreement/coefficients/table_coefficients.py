"""Coefficients for any number of raters, of two: the same statistic of tables (..., k, k)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from scoring.agreement.coefficients.brennan_prediger import brennan_prediger
from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.krippendorff import Level, krippendorff
from scoring.agreement.coefficients.spread import of_pairs
from scoring.agreement.coefficients.weights import Weights
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.rarity import rarity_of_tables
from scoring.arrays import Array

Scale = tuple[float, ...]


@lru_cache(maxsize=64)
def gwet_of_two(kind: Weights, scale: Scale) -> Statistic:
    """Return Gwet's AC1 or AC2 as a statistic of tables of counts (..., k, k) of two sides (gwet.py)."""
    return _spread(gwet(kind, scale))


@lru_cache(maxsize=64)
def brennan_prediger_of_two(kind: Weights, scale: Scale) -> Statistic:
    """Return Brennan and Prediger's coefficient as a statistic of tables (..., k, k) of two sides."""
    return _spread(brennan_prediger(kind, scale))


@lru_cache(maxsize=64)
def krippendorff_of_two(level: Level, scale: Scale) -> Statistic:
    """Return Krippendorff's alpha as a statistic of tables of counts (..., k, k) of two sides."""
    inner = krippendorff(level, scale)

    def counts(tables: Array) -> Array:
        both = tables + np.swapaxes(tables, -1, -2)
        return np.concatenate([both, both.sum(axis=-1)[..., None, :]], axis=-2)

    return replace(
        inner,
        of=lambda tables: inner.of(counts(tables)),
        rarity=rarity_of_tables,
        reason=lambda table: inner.reason(counts(table)),
    )


def _spread(inner: Statistic) -> Statistic:
    return replace(
        inner,
        of=lambda tables: inner.of(of_pairs(tables)),
        rarity=rarity_of_tables,
        reason=lambda table: inner.reason(of_pairs(table)),
    )
