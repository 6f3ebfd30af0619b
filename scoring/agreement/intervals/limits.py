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
    """value +- t(df) * error (Tukey 1958)."""
    half = _t(df) * error
    return value - half, value + half


def fisher(value: float, error: float, df: float) -> Limits:
    """Of a coefficient between -1 and 1: +- t(df) errors on the scale of atanh (Fisher 1921), the error
    carried there by its slope.
    """
    far = 1 - value**2
    if far <= 0:
        return symmetric(value, error, df)
    low, high = symmetric(math.atanh(value), error / far, df)
    return math.tanh(low), math.tanh(high)


def korn_graubard(share: float, error: float, conversations: int, most: float) -> Limits:
    """Of a share of labels in conversations: Clopper and Pearson's limits for as many independent labels as
    would have this error, at most `most` (Korn and Graubard 1998). Without an error, for one label a
    conversation.
    """
    effective = float(min(conversations, most))
    if error > 0 and 0 < share < 1:
        wider = _t(most - 1) / _t(conversations - 1) if most > 1 else 1.0
        effective = min(most, share * (1 - share) / error**2 * wider**2)
    return at_least(share * effective, effective), at_most(share * effective, effective)


def at_least(k: float, n: float, tail: float = TAIL) -> float:
    """The lower limit of Clopper and Pearson for k of n; neither need be whole."""
    return float(scipy.special.betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0


def at_most(k: float, n: float, tail: float = TAIL) -> float:
    """The upper one."""
    return float(scipy.special.betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0


def _t(df: float) -> float:
    return float(scipy.special.stdtrit(max(df, 1.0), 1 - TAIL))
