"""Is the judge lenient? The mean of judge less clinician, in levels of the scale, and how often each way. Of
tables (..., k, k), clinicians in rows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.coefficients.kappa import NO_PAIR
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.labels.pairs import Counts, LabelPairs
from scoring.agreement.labels.rarity import rarity_of_tables, too_few_carrying
from scoring.arrays import Array

MIN_CARRYING = 10  # conversations in which the judge or a clinician gave a rarer label


@lru_cache(maxsize=64)
def level_bias(scale: tuple[float, ...]) -> Statistic:
    """Return the mean of judge less clinician as a statistic of tables (..., k, k), clinicians in rows.

    The mean is in the units of `scale`. Above 0, the judge gives higher labels than the clinicians.

    Args:
        scale: the numbers that the k labels count, in order.
    """
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


def estimate_level_bias(scale: tuple[float, ...], pairs: LabelPairs) -> Estimate:
    """Estimate the mean of judge less clinician over all pairs, in the units of `scale`.

    Args:
        scale: the numbers that the labels count, in order.
        pairs: the clinician's label first, the judge's second.

    Returns:
        An estimate without an interval where fewer than MIN_CARRYING (10) conversations hold a label other
        than the commonest: such intervals hold the true value too rarely.
    """
    tables, times = pairs.by_part(), pairs.parts[1]
    estimate = jackknife(level_bias(scale), tables, pairs.n, times)
    carrying = int(times[rarity_of_tables(tables, times).carrying].sum()) if len(tables) else 0
    if estimate.low is None or carrying >= MIN_CARRYING:
        return estimate
    return replace(
        estimate,
        low=None,
        high=None,
        no_interval=too_few_carrying(carrying),
        error=None,
        influential_part=None,
        influence=None,
    )


def directions(table: Counts) -> tuple[int, int]:
    """Return (lenient, strict): how many of the judge's labels are higher, and lower, than the clinician's.

    Args:
        table: counts (k, k) in the order of the scale, clinicians in rows.
    """
    return int(np.triu(table, 1).sum()), int(np.tril(table, -1).sum())
