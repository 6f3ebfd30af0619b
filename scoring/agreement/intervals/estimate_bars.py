"""On which side of a bar an estimate lies, itself or with its whole interval."""

from __future__ import annotations

from scoring.agreement.intervals.estimate import Estimate


def slightly_further(difference: Estimate, margin: float) -> bool:
    """Whether the judge surely lies below colleagues, by less than the margin."""
    return is_below_zero(difference) and not falls_short(difference, margin)


def is_surely_further(difference: Estimate, margin: float) -> bool:
    """Whether it lies below 0 with its whole interval, and itself at or below minus the margin."""
    return is_below_zero(difference) and falls_short(difference, margin)


def is_below_zero(difference: Estimate) -> bool:
    """The whole interval."""
    return difference.high is not None and difference.high < 0


def falls_short(difference: Estimate, margin: float) -> bool:
    """On the estimate: at or below minus the margin."""
    return difference.value is not None and difference.value <= -margin


def is_above(estimate: Estimate, bar: float) -> bool:
    """The whole interval."""
    return estimate.low is not None and estimate.low > bar


def is_at_most(estimate: Estimate, bar: float) -> bool:
    """On the estimate; where there is none, nothing speaks against it."""
    return estimate.value is None or estimate.value <= bar
