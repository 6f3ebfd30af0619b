"""Percent agreement: of all pairs, how many carry the same label. Shown first, in counts."""

from __future__ import annotations

from scoring.agreement.coefficients.chance import share
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.pairs import Counts
from scoring.arrays import Array

NO_PAIRS = "nothing has been rated by both a rater and the judge yet"


def _share(tables: Array) -> Array:
    return share(tables.trace(axis1=-2, axis2=-1), tables.sum(axis=(-2, -1)))


PERCENT = Statistic("percent agreement", _share, lambda _: NO_PAIRS, low=0.0, kind="share")


def percent(table: Counts) -> Estimate:
    """Return the share of pairs on the diagonal of a (k, k) table of counts, 0 to 1, without an interval.

    An empty table gives an estimate without a value.
    """
    n = int(table.sum())
    if n == 0:
        return undefined_estimate(NO_PAIRS, 0, "percent agreement")
    return Estimate(float(table.trace()) / n, n, "percent agreement")
