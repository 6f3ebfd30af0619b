"""How many units it takes: for a test or a width of kappa, for a share, for a claim about rare failures.

All take units for independent of each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import scipy

from scoring.agreement.intervals.proportions import Z, clopper_pearson
from scoring.bad_input import BadInput, count, inside, number
from scoring.confidence import CONFIDENCE

RISK = 1 - CONFIDENCE


@dataclass(frozen=True)
class SampleSize:
    """`n` units, the next whole number from `exact`."""

    n: int
    exact: float


def kappa_test_size(
    k0: float, k1: float, prevalence: float, *, alpha: float = 0.05, power: float = 0.8
) -> SampleSize:
    """Units that two raters label to tell a kappa of `k1` from one of `k0`, two labels, two-sided (Donner and
    Eliasziw 1992).

    (z of 1 - alpha/2 + z of power)^2 by the goodness-of-fit chi2 that one unit adds: three terms, one for
    each of both positive, apart, both negative, under a common `prevalence` of the one label. Kappas from 0,
    below 1; k1 may be 1.
    """
    k0, k1 = _kappa("k0", k0), 1.0 if k1 == 1 else _kappa("k1", k1)
    if k0 == k1:
        raise BadInput("k1", f"expected another kappa than k0, found {k1:g} for both")
    p, alpha, power = (
        inside("prevalence", prevalence, 0, 1),
        inside("alpha", alpha, 0, 1),
        inside("power", power, 0, 1),
    )
    spread = p * (1 - p)
    per_unit = (spread * (k1 - k0)) ** 2 * (
        1 / (p**2 + spread * k0) + 2 / (spread * (1 - k0)) + 1 / ((1 - p) ** 2 + spread * k0)
    )
    if power <= alpha / 2:
        raise BadInput("power", f"expected more than the {alpha / 2:g} that chance gives, found {power:g}")
    return _size(float(scipy.special.ndtri(1 - alpha / 2) + scipy.special.ndtri(power)) ** 2 / per_unit)


def kappa_width_size(kappa: float, prevalence: float, half_width: float) -> SampleSize:
    """Units for a 95 % interval of kappa of at most +-`half_width`: two raters, two labels, equal margins.

    Large-sample variance of Fleiss, Cohen and Everitt (1969, eq. 13). Kappa from 0, below 1.
    """
    k, p, half = (
        _kappa("kappa", kappa),
        inside("prevalence", prevalence, 0, 1),
        inside("half_width", half_width, 0, 1),
    )
    margins = (p, 1 - p)
    chance, spread = p**2 + (1 - p) ** 2, p * (1 - p)
    same = sum((m**2 + spread * k) * (1 - 2 * m * (1 - k)) ** 2 for m in margins)
    apart = 2 * spread * (1 - k) ** 3  # the two margins of a cell off the diagonal add up to 1
    variance = (same + apart - (k - chance * (1 - k)) ** 2) / (1 - chance) ** 2
    return _size(Z**2 * variance / half**2)


def share_width_size(share: float, half_width: float) -> int:
    """The fewest units of which about `share` are found for a Clopper-Pearson interval of at most
    +-`half_width` (half its width).

    For sensitivity the units are failures that clinicians confirmed.
    """
    share, half = number("share", share), inside("half_width", half_width, 0.005, 1)
    if not 0 <= share <= 1:
        raise BadInput("share", f"expected 0 to 1, found {share:g}")
    n = 1
    while not _narrow(round(share * n), n, half):
        n += 1
    return n


def failures_needed(rate: float, misses: int = 0, risk: float = RISK) -> int:
    """The fewest confirmed failures, of which a judge missed so many, that show a miss rate up to `rate`.

    Exact binomial: the smallest n for which so few misses come with a chance of at most `risk` where the
    judge misses `rate` of them (the one-sided limit of Clopper and Pearson 1934). At 5 % and without a miss:
    29 for 10 %, 59 for 5 %, 149 for 2 %. The verdict on a safety criterion reads a two-sided 95 % interval,
    with a risk of 2.5 % on each side: 17 failures for 20 %, 26 with one miss. The same is the number of clean
    conversations that shows a failure rate under `rate`.
    """
    rate, misses = inside("rate", rate, 0, 1), count("misses", misses)
    low, high = misses, misses + 1
    while scipy.special.bdtr(misses, high, rate) > risk:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if scipy.special.bdtr(misses, middle, rate) <= risk else (middle, high)
    return high


def rule_of_three(rate: float) -> float:
    """3 / rate, nearly `failures_needed` (Hanley and Lippman-Hand 1983), for the head."""
    return 3 / inside("rate", rate, 0, 1)


def _narrow(k: int, n: int, half_width: float) -> bool:
    estimate = clopper_pearson(k, n)
    return (
        estimate.low is not None
        and estimate.high is not None
        and (estimate.high - estimate.low) / 2 <= half_width
    )


def _kappa(name: str, value: float) -> float:
    found = number(name, value)
    if not 0 <= found < 1:
        raise BadInput(name, f"expected a kappa from 0, below 1, found {found:g}")
    return found


def _size(exact: float) -> SampleSize:
    return SampleSize(math.ceil(exact - 1e-9), exact)  # rounding must not cost a unit
