"""Does a metric rise or fall over the turns, under which condition? One test a condition, corrected for all
of them together.

Every conversation gives one slope, so that turns, which lean on each other, are not taken for independent.
That the mean of the slopes is 0 is tested by Student's t on their jackknife error, the distribution of its
interval (average_curves.py), and corrected over the conditions (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import scipy

from scoring.agreement.estimate import Estimate
from scoring.agreement.multiplicity import holm
from scoring.confidence import ALPHA

FEWEST = 8  # conversations, or persons, below which no change is named


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
        if self.corrected is None or self.corrected >= ALPHA or self.slope.value is None:
            return 0
        return (self.slope.value > 0) - (self.slope.value < 0)


def slope_changes(slopes: Sequence[Estimate]) -> list[SlopeChange]:
    """Of the mean slope under each condition."""
    reasons = [_reason(slope) for slope in slopes]
    p_values = [
        None if reason is not None else _p(slope) for slope, reason in zip(slopes, reasons, strict=True)
    ]
    return [
        SlopeChange(slope, p, reason, corrected)
        for slope, p, reason, corrected in zip(slopes, p_values, reasons, holm(p_values), strict=True)
    ]


def _reason(slope: Estimate) -> str | None:
    """Why it cannot be tested."""
    if slope.value is None:
        return "no conversation has numbers at two turns"
    if (slope.conversations or 0) < FEWEST:
        return f"it takes {FEWEST} conversations with numbers at two turns"
    return None if slope.error else slope.no_interval


def _p(slope: Estimate) -> float:
    t = abs(slope.value or 0.0) / (slope.error or 1.0)
    return float(2 * scipy.special.stdtr((slope.conversations or 0) - 1, -t))
