"""95 % limits around an estimate, from its jackknife error over conversations, on the scale on which they
hold.

What each reaches, also where labels are rare, is measured by `python -m bench coverage` and stands in
docs/reference_statistics.md.
"""

from __future__ import annotations

import math

import scipy

from scoring.confidence import CONFIDENCE

TAIL = (1 - CONFIDENCE) / 2
Limits = tuple[float, float]


def symmetric(value: float, error: float, df: float) -> Limits:
    """Return the 95% limits value +- t(df) * error (Tukey 1958); `df` below 1 counts as 1."""
    half = _t(df) * error
    return value - half, value + half


def fisher(value: float, error: float, df: float) -> Limits:
    """Return the 95% limits of a coefficient between -1 and 1, computed on the atanh scale (Fisher 1921).

    The error becomes error / (1 - value**2) there. A value at or beyond -1 or 1 gets `symmetric` limits.
    """
    far = 1 - value**2
    if far <= 0:
        return symmetric(value, error, df)
    low, high = symmetric(math.atanh(value), error / far, df)
    return math.tanh(low), math.tanh(high)


def korn_graubard(share: float, error: float, conversations: int, most: float) -> Limits:
    """Return the 95% limits of a share of labels that come in conversations (Korn and Graubard 1998).

    They are Clopper and Pearson's limits for the number of independent labels that would have this error.

    Args:
        share: 0 to 1.
        error: the standard error of `share` over conversations; at 0, each conversation counts as one label.
        conversations: how many conversations the labels come from.
        most: the number of labels, which the number of independent ones never exceeds.
    """
    effective = float(min(conversations, most))
    if error > 0 and 0 < share < 1:
        wider = _t(most - 1) / _t(conversations - 1) if most > 1 else 1.0
        effective = min(most, share * (1 - share) / error**2 * wider**2)
    return at_least(share * effective, effective), at_most(share * effective, effective)


def at_least(k: float, n: float, tail: float = TAIL) -> float:
    """Return Clopper and Pearson's lower limit, 0 to 1, for the share k / n; 0.0 where k is 0.

    `k` and `n` need not be whole numbers. `tail`: the error allowed on this side, 0.025 for a 95% interval.
    """
    return float(scipy.special.betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0


def at_most(k: float, n: float, tail: float = TAIL) -> float:
    """Return Clopper and Pearson's upper limit, 0 to 1, for the share k / n; 1.0 where k is n.

    `k` and `n` need not be whole numbers. `tail`: the error allowed on this side, 0.025 for a 95% interval.
    """
    return float(scipy.special.betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0


def _t(df: float) -> float:
    return float(scipy.special.stdtrit(max(df, 1.0), 1 - TAIL))
