"""Does a metric rise or fall over the turns, under which condition? One test a condition, corrected for all
of them together.

Every conversation gives one slope, so that turns, which lean on each other, are not taken for independent.
That the mean of the slopes is 0 is tested by Student's t on their jackknife error, the distribution of its
interval (average_curves.py), and by the t that Hall (1992) made monotone, which allows for slopes that lie
further out to one side; the larger p counts. Both are corrected over the conditions (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.arrays import Array, IntArray
from scoring.confidence import ALPHA
from scoring.drift.average_curves import SLOPE, mean, sums_by_part

MIN_CONVERSATIONS = 10  # conversations, or persons, below which no change is named


# Of the conversations under one condition: the slope of each, NaN where it has none, and whose it is.
ConditionSlopes = tuple[Array, IntArray]


@dataclass(frozen=True)
class SlopeChange:
    """`p` is None exactly when `untold` says why; `corrected`: p over all conditions. `direction`: 1 where it
    rises, -1 where it falls, 0 where no change is named.
    """

    slope: Estimate
    p: float | None
    untold: str | None
    corrected: float | None = None

    @property
    def direction(self) -> int:
        """Return 1 for a significant rise, -1 for a significant fall, else 0 (`corrected` None or at least
        ALPHA (0.05)).
        """
        if self.corrected is None or self.corrected >= ALPHA or self.slope.value is None:
            return 0
        return (self.slope.value > 0) - (self.slope.value < 0)


def slope_changes(conditions: Sequence[ConditionSlopes]) -> list[SlopeChange]:
    """Test, for each condition in order, whether the mean of its slopes differs from 0.

    The tests are described at the head of this module. `p` is None, with the reason in `untold`, below
    MIN_CONVERSATIONS (10) conversations (or persons) or where the slopes do not vary. `corrected` is p
    after Holm over all conditions.
    """
    means = [mean(*condition, SLOPE) for condition in conditions]
    reasons = [_reason(slope) for slope in means]
    p_values = [
        None if reason is not None else _p(condition)
        for condition, reason in zip(conditions, reasons, strict=True)
    ]
    return [
        SlopeChange(slope, p, reason, corrected)
        for slope, p, reason, corrected in zip(means, p_values, reasons, holm(p_values), strict=True)
    ]


def _reason(slope: Estimate) -> str | None:
    """Why it cannot be tested."""
    if slope.value is None:
        return "no conversation has numbers at two turns"
    independent = slope.conversations or 0
    if independent < MIN_CONVERSATIONS:
        who = "persons with conversations that have" if slope.n > independent else "conversations with"
        return f"it takes {MIN_CONVERSATIONS} {who} numbers at two turns"
    return None if slope.error else slope.no_interval


def _p(condition: ConditionSlopes) -> float:
    """The larger of both, two-sided."""
    values = _pseudo_values(condition)
    n, middle, spread = len(values), float(values.mean()), float(values.std(ddof=1))
    skewness = float((((values - middle) / spread) ** 3).sum()) * n / ((n - 1) * (n - 2))
    share = middle / spread
    hall = share + skewness * share**2 / 3 + skewness**2 * share**3 / 27 + skewness / (6 * n)
    if share * hall <= 0:
        return 1.0
    return float(2 * scipy.special.stdtr(n - 1, -np.sqrt(n) * min(abs(share), abs(hall))))


def _pseudo_values(condition: ConditionSlopes) -> Array:
    """Of each conversation, or person with several: what it says of the mean (Tukey 1958); of one
    conversation each its own slope.
    """
    sums = sums_by_part(*condition)
    sums = sums[sums[:, 1] > 0]
    total = sums.sum(axis=0)
    without = (total[0] - sums[:, 0]) / (total[1] - sums[:, 1])
    return np.asarray(len(sums) * total[0] / total[1] - (len(sums) - 1) * without)
