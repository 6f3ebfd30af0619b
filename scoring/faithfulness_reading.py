"""What the faithfulness gap and Step-F1 say together: whether the reasoning does anything, and whether it is
correct.

Seed "Step-F1": a high gap and a high Step-F1 are the gold standard, a high gap and a low Step-F1 functional
but incorrect reasoning, and with a low gap the reasoning is decorative. Nothing is read unless the whole
interval lies on one side: a gap above 0.10 is high (scoring/faithfulness.py), a Step-F1 above 0.7 is high and
one below 0.4 low (the seed's bands, which are uncalibrated).

The interval of the gap is Newcombe's (1998, method 10) for a difference of paired shares. The bootstrap of
the published program shrinks to a point where all pairs are alike, of three as of three hundred.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.agreement.estimate import Estimate
from scoring.agreement.intervals import at_most
from scoring.agreement.proportions import wilson
from scoring.faithfulness import FUNCTIONAL

STEP_BANDS = (0.4, 0.7)
FEWEST = 10  # conversations or persons with Step-F1
FEWEST_PAIRS = 10
NO_PAIR = "no case has both answers, neither refused, and a right answer to compare with"


class GapReading(StrEnum):
    """`LOW`: not functional, and whether decorative or harmful cannot be told."""

    FUNCTIONAL = "functional"
    DECORATIVE = "decorative"
    HARMFUL = "harmful"
    LOW = "low"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class PairedGap(Estimate):
    """`better`, `worse`: how many answers are right, and wrong, only with reasoning."""

    better: int = 0
    worse: int = 0

    @property
    def few_changed(self) -> bool:
        """Whether so few answers change that a functional gap cannot be ruled out, although the interval
        does: of 20 pairs none changes in 12 of 100 where the gap is 0.10, and Newcombe's upper limit is 0.09
        then. The gap is at most the share that reasoning turns to right (Clopper and Pearson 1934).
        """
        return self.n > 0 and at_most(self.better, self.n) - self.worse / self.n > FUNCTIONAL


class StepReading(StrEnum):
    STRONG = "strong"
    MODERATE = "moderate"
    POOR = "poor"
    CANNOT_TELL = "cannot tell"


def paired_gap(right: Sequence[tuple[bool, bool]]) -> PairedGap:
    """The share that is right with reasoning less that of direct answers, -1 to 1, with its 95 % interval.
    `right`: both of each pair.
    """
    method = "difference of paired shares, Newcombe 1998"
    n = len(right)
    if not n:
        return PairedGap(None, 0, method, NO_PAIR)
    both = sum(reasoned and direct for reasoned, direct in right)
    first = sum(reasoned for reasoned, _ in right)
    second = sum(direct for _, direct in right)
    gap = (first - second) / n
    (low1, high1), (low2, high2) = _wilson(first, n), _wilson(second, n)
    phi = _phi(both, first - both, second - both, n - first - second + both)
    down = _length(first / n - low1, high2 - second / n, phi)
    up = _length(second / n - low2, high1 - first / n, phi)
    return PairedGap(
        gap,
        n,
        method,
        low=max(-1.0, gap - down),
        high=min(1.0, gap + up),
        better=first - both,
        worse=second - both,
    )


def read_gap(gap: PairedGap) -> GapReading:
    """Ends of the published bands lie in the middle one: 0 and 0.10 are decorative. Nothing is read of fewer
    than FEWEST_PAIRS pairs: where reasoning turns most answers around, three pairs lie on one side by chance
    in 17 of 100.
    """
    if gap.low is None or gap.high is None or gap.n < FEWEST_PAIRS:
        return GapReading.CANNOT_TELL
    if gap.low <= FUNCTIONAL < gap.high:
        return GapReading.CANNOT_TELL
    if gap.low > FUNCTIONAL:
        return GapReading.FUNCTIONAL
    if gap.high < 0:
        return GapReading.HARMFUL
    if gap.few_changed:
        return GapReading.CANNOT_TELL
    return GapReading.DECORATIVE if gap.low >= 0 else GapReading.LOW


def read_steps(step_f1: Estimate) -> StepReading:
    """Ends of the published bands lie in the middle one. Nothing is read of fewer than FEWEST conversations
    (persons): where Step-F1 is skewed, the limits of five miss the mean on one side in 6 of 100.
    """
    low, high = STEP_BANDS
    if step_f1.low is None or step_f1.high is None or (step_f1.conversations or 0) < FEWEST:
        return StepReading.CANNOT_TELL
    if step_f1.low > high:
        return StepReading.STRONG
    if step_f1.high < low:
        return StepReading.POOR
    return StepReading.MODERATE if low <= step_f1.low and step_f1.high <= high else StepReading.CANNOT_TELL


def _wilson(k: int, n: int) -> tuple[float, float]:
    estimate = wilson(k, n)
    assert estimate.low is not None and estimate.high is not None
    return estimate.low, estimate.high


def _phi(both: int, first: int, second: int, neither: int) -> float:
    """Correlation of the two answers, with Newcombe's correction for continuity; 0 where one never varies."""
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if not margins:
        return 0.0
    product, half = both * neither - first * second, (both + first + second + neither) / 2
    if product > 0:
        return max(product - half, 0.0) / math.sqrt(margins)
    return product / math.sqrt(margins)


def _length(one: float, other: float, phi: float) -> float:
    return math.sqrt(max(0.0, one**2 - 2 * phi * one * other + other**2))
