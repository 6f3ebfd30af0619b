"""What the tests of this folder compute again with other means: limits with scipy.stats, and how much there
is of the rarer labels."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy.stats import beta, t

from tests.unit.scoring.agreement.drawn import ALL, PAIRED, Drawn

SHARES, AMOUNTS = ("percent", "agreeing"), ("prevalence", "bias")
COEFFICIENTS = sorted(set(ALL) - {*SHARES, *AMOUNTS})
Weight = Callable[
    [int, int], Fraction
]  # of each label of a row of the sample that has so many labels; 0: the row is in no count
Limits = tuple[float, float]


def symmetric(value: float, error: float, df: int) -> Limits:
    half = t.ppf(0.975, max(df, 1)) * error
    return value - half, value + half


def on_fishers_scale(value: float, error: float, df: int) -> Limits:
    if abs(value) >= 1:
        return symmetric(value, error, df)
    low, high = symmetric(math.atanh(value), error / (1 - value**2), df)
    return math.tanh(low), math.tanh(high)


def of_a_share(value: float, error: float, conversations: int, labels: int) -> Limits:
    """Korn and Graubard's."""
    effective = float(min(conversations, labels))
    if 0 < value < 1:
        wider = t.ppf(0.975, labels - 1) / t.ppf(0.975, conversations - 1) if labels > 1 else 1.0
        effective = min(labels, value * (1 - value) / error**2 * wider**2)
    k = value * effective
    return (
        float(beta.ppf(0.025, k, effective - k + 1)) if value > 0 else 0.0,
        float(beta.ppf(0.975, k + 1, effective - k)) if value < 1 else 1.0,
    )


def jackknife_error(without: list[float]) -> float:
    spread = np.array(without)
    return math.sqrt((len(spread) - 1) / len(spread) * ((spread - spread.mean()) ** 2).sum())


def rarer_conversations(sample: Drawn, weight: Weight) -> tuple[set[int], set[int]] | None:
    """Conversations with a rarer label, and those in which two gave one to the same unit. None where two
    labels are the commonest, so that
    rounding may choose."""
    given_to = [[label for label in row if label is not None] for row in sample.rows]
    own = [weight(at, len(labels)) for at, labels in enumerate(given_to)]
    amounts = [
        sum((amount * labels.count(label) for amount, labels in zip(own, given_to, strict=True)), Fraction(0))
        for label in range(sample.k)
    ]
    commonest = amounts.index(max(amounts))
    if amounts.count(amounts[commonest]) > 1:
        return None
    rarer = [[label for label in labels if label != commonest] for labels in given_to]
    carrying = {
        part for part, labels, amount in zip(sample.parts, rarer, own, strict=True) if labels and amount
    }
    return carrying, {part for part, labels in zip(sample.parts, rarer, strict=True) if len(labels) > 1}


def weight_in(name: str, weights: list[int] | None) -> Weight:
    """How much a label of a unit counts in the statistic `name` where units weigh `weights`."""

    def of(at: int, labels: int) -> Fraction:
        unit = Fraction(1 if weights is None else weights[at])
        if name in PAIRED:
            return unit * max(labels - 1, 0)  # once a pair
        if name.startswith("alpha"):
            return Fraction(labels > 1)  # n counts labels, whatever a unit weighs
        return unit / max(labels, 1)

    return of
