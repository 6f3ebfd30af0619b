"""Scott's pi (Scott 1955): like kappa, with one common habit of labelling for both sides. Of tables (..., k,
k).
"""

from __future__ import annotations

from scoring.agreement.coefficients.chance import beyond_chance
from scoring.agreement.coefficients.kappa import NO_PAIR, NO_VARIATION
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.rarity import rarity_of_tables
from scoring.arrays import Array


def _pi(tables: Array) -> Array:
    n = tables.sum(axis=(-2, -1))
    both = (tables.sum(axis=-1) + tables.sum(axis=-2)) / 2
    return beyond_chance(tables.trace(axis1=-2, axis2=-1) * n, (both**2).sum(axis=-1), n * n)


SCOTT = Statistic(
    "Scott's pi", _pi, lambda table: NO_VARIATION if table.any() else NO_PAIR, rarity=rarity_of_tables
)
