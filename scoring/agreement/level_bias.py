"""Is the judge lenient? The mean of judge less clinician, in levels of the scale, and how often each way. Of
tables (..., k, k), clinicians in rows.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scoring.agreement.chance import share
from scoring.agreement.jackknife import Statistic
from scoring.agreement.kappa import NO_PAIR
from scoring.agreement.pairs import Counts
from scoring.arrays import Array


@lru_cache(maxsize=64)
def level_bias(scale: tuple[float, ...]) -> Statistic:
    """`scale`: what the labels count. Above 0 the judge gives more than clinicians do."""
    apart = np.subtract.outer(np.array(scale), np.array(scale)).T

    def value(tables: Array) -> Array:
        return share(np.einsum("...ij,ij->...", tables, apart), tables.sum(axis=(-2, -1)))

    return Statistic(
        "judge less clinician, mean",
        value,
        lambda _: NO_PAIR,
        low=-np.inf,
        high=np.inf,
        all_agree=None,
        kind="amount",
    )


def directions(table: Counts) -> tuple[int, int]:
    """(lenient, strict): pairs in which the judge's label stands above the clinician's in the order of the
    scale, and below.
    """
    return int(np.triu(table, 1).sum()), int(np.tril(table, -1).sum())
