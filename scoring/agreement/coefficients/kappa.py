"""Cohen's kappa, unweighted, linear or quadratic (Cohen 1960, 1968).

kappa = 1 - sum(w * observed) / sum(w * expected), with w 0 on the diagonal; the expected counts come from the
two margins. For ordered labels w is the distance of positions in the declared domain, or its square.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scoring.agreement.coefficients.chance import ROUNDING_ERROR, share
from scoring.agreement.coefficients.weights import Weights, weights
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.pairs import Counts
from scoring.agreement.labels.rarity import rarity_of_tables
from scoring.arrays import Array

NO_PAIR = "there is no pair of labels"
NO_VARIATION = "every label is the same, so agreement can't be separated from chance"
NAMES = {
    "none": "kappa",
    "linear": "linear kappa",
    "quadratic": "quadratic kappa",
    "ordinal": "ordinal kappa",
}


@lru_cache(maxsize=64)
def cohen(kind: Weights, k: int) -> Statistic:
    """Return Cohen's kappa as a statistic of tables of counts (..., k, k), with the first side in rows.

    Args:
        kind: how partial agreement counts, by the positions of the labels.
        k: the number of labels on the scale.
    """
    penalty = 1 - weights(kind, np.arange(k, dtype=float))

    def value(tables: Array) -> Array:
        rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
        n = rows.sum(axis=-1)
        expected = np.einsum("...i,ij,...j->...", rows, penalty, columns)
        return 1 - share(n * np.einsum("...ij,ij->...", tables, penalty), expected, ROUNDING_ERROR * n * n)

    return Statistic(
        NAMES[kind], value, lambda table: NO_VARIATION if table.any() else NO_PAIR, rarity=rarity_of_tables
    )


def kappa(table: Counts, weighted: Weights = "none") -> Estimate:
    """Return Cohen's kappa of a (k, k) table of counts, without an interval.

    Returns:
        An estimate of at most 1; without a value where the table is empty or both sides used only one label,
        the same one.
    """
    statistic, n, counts = cohen(weighted, table.shape[0]), int(table.sum()), table.astype(float)
    value = float(statistic.of(counts))
    return (
        undefined_estimate(statistic.reason(counts), n, statistic.name)
        if np.isnan(value)
        else Estimate(value, n, statistic.name)
    )
