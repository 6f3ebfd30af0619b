"""Percent agreement of any number of raters (Gwet 2014, equation 2.4): of a unit's pairs of raters how many
agree, averaged over units.
"""

from __future__ import annotations

from scoring.agreement.coefficients.chance import share
from scoring.agreement.coefficients.multirater import NOBODY
from scoring.agreement.coefficients.spread import paired, parts
from scoring.agreement.intervals.jackknife import Statistic
from scoring.arrays import Array


def _share(spread: Array) -> Array:
    pairs, units, _, _ = parts(spread)
    return share(pairs.trace(axis1=-2, axis2=-1), units)


AGREEING = Statistic(
    "percent agreement", _share, lambda _: NOBODY, low=0.0, takes=paired, shows=paired, kind="share"
)
