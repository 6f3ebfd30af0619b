"""How many units it takes for a claim about rare failures. They are taken for independent of each other."""

from __future__ import annotations

import scipy

from scoring.bad_input import count, inside
from scoring.confidence import CONFIDENCE

RISK = 1 - CONFIDENCE


def failures_needed(rate: float, misses: int = 0, risk: float = RISK) -> int:
    """Return the fewest confirmed failures that, with this many missed, show a miss rate up to `rate`.

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
