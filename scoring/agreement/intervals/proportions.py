"""A share k of n, from 0 to 1, and how far it may be off: Clopper and Pearson's exact interval, and Wilson's.

Clopper and Pearson (1934): the shares under which k or more, and k or fewer, of n come with a chance of 2.5 %
each, as quantiles of beta distributions. Never too narrow; the one for safety. Wilson (1927): the shares p
with |k/n - p| <= z * sqrt(p(1-p)/n), z = 1.96; narrower, right on average. Both take the n for independent of
each other.
"""

from __future__ import annotations

import math

from scoring.agreement.intervals import limits
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import BadInput, count
from scoring.confidence import CONFIDENCE

# scipy.special.ndtri(1 - TAIL), written out: computed here, it would load scipy.special for every command.
Z = 1.959963984540054
NONE = "there is nothing to take a share of"


def clopper_pearson(k: int, n: int, none: str = NONE) -> Estimate:
    """Return k / n with Clopper and Pearson's exact 95% interval; without a value where n is 0.

    Args:
        none: the reason to give where n is 0.

    Raises:
        BadInput: a count is below 0, or k is above n.
    """
    k, n = _counts(k, n)
    if n == 0:
        return undefined_estimate(none, 0, "Clopper-Pearson")
    return Estimate(k / n, n, "Clopper-Pearson", low=limits.at_least(k, n), high=limits.at_most(k, n))


def wilson(k: int, n: int) -> Estimate:
    """Return k / n with Wilson's 95% interval; without a value where n is 0.

    Raises:
        BadInput: a count is below 0, or k is above n.
    """
    k, n = _counts(k, n)
    if n == 0:
        return undefined_estimate(NONE, 0, "Wilson")
    middle, half = (k + Z**2 / 2) / (n + Z**2), wilson_half_width(k / n, n)
    # At the ends the limits are 0 and 1 exactly, and rounding must not pass them.
    return Estimate(
        k / n, n, "Wilson", low=0.0 if k == 0 else middle - half, high=1.0 if k == n else middle + half
    )


def wilson_half_width(share: float, n: float) -> float:
    """Return half the width of Wilson's 95% interval.

    Args:
        share: 0 to 1.
        n: above 0; need not be a whole number, because a design effect may divide it.
    """
    return Z / (1 + Z**2 / n) * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))


def at_most(k: int, n: int) -> float | None:
    """Return the highest plausible share for k of n, 0 to 1; None where n is 0.

    It is Clopper and Pearson's one-sided 95% limit.

    Raises:
        BadInput: a count is below 0, or k is above n.
    """
    k, n = _counts(k, n)
    return limits.at_most(k, n, 1 - CONFIDENCE) if n else None


def _counts(k: int, n: int) -> tuple[int, int]:
    k, n = count("k", k), count("n", n)
    if k > n:
        raise BadInput("k", f"expected 0 to {n}, found {k}")
    return k, n
