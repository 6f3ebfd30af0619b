"""Do units with more raters differ from the others in how far raters agree?

A unit with more raters counts more often among pairs of clinicians than beside the judge. Where third
opinions were asked for just where the first two differed, or easy units have more raters, the two sides are
then of different units, and neither a "yes" nor a "no" follows from them.
"""

from __future__ import annotations

import numpy as np
import scipy

from scoring.agreement.labels.labels import Labels

MIN_UNITS = 10  # on each side
SURE = 0.01


def find_uneven_raters(labels: Labels) -> bool:
    """Tell whether raters agree differently on units with more raters than average than on the others.

    Welch's test at 0.01; False with fewer than MIN_UNITS (10) units on either side.
    """
    units = labels.units
    raters = units.counts.sum(axis=1)
    several = raters > 1
    counts, number = units.counts[several], raters[several]
    if not len(number) or np.ptp(number) == 0:
        return False
    agreement = (counts * (counts - 1)).sum(axis=1) / (number * (number - 1))
    times = units.times[units.part[several]]
    more = number > np.average(number, weights=times)
    sides = [np.repeat(agreement[side], times[side]) for side in (more, ~more)]
    if min(len(side) for side in sides) < MIN_UNITS:
        return False
    apart = abs(sides[0].mean() - sides[1].mean())
    errors = np.array([side.var(ddof=1) / len(side) for side in sides])
    if not errors.sum():
        return bool(apart > 0)
    freedom = errors.sum() ** 2 / sum(
        error**2 / (len(side) - 1) for error, side in zip(errors, sides, strict=True)
    )
    return bool(2 * scipy.special.stdtr(freedom, -apart / np.sqrt(errors.sum())) < SURE)
