"""On which side of a bar an estimate lies, itself or with its whole interval."""

from __future__ import annotations

from scoring.agreement.intervals.estimate import Estimate


def slightly_further(difference: Estimate, margin: float) -> bool:
    """Tell whether the whole interval is below 0 but the estimate is above -`margin`."""
    return is_below_zero(difference) and not falls_short(difference, margin)


def is_surely_further(difference: Estimate, margin: float) -> bool:
    """Tell whether the whole interval is below 0 and the estimate is at or below -`margin`."""
    return is_below_zero(difference) and falls_short(difference, margin)


def is_below_zero(difference: Estimate) -> bool:
    """Tell whether the whole interval is below 0; False without an interval."""
    return difference.high is not None and difference.high < 0


def falls_short(difference: Estimate, margin: float) -> bool:
    """Tell whether the estimate, whatever its interval, is at or below -`margin`; False without a value."""
    return difference.value is not None and difference.value <= -margin


def is_above(estimate: Estimate, bar: float) -> bool:
    """Tell whether the whole interval is above `bar`; False without an interval."""
    return estimate.low is not None and estimate.low > bar


def is_at_most(estimate: Estimate, bar: float) -> bool:
    """Tell whether the estimate, whatever its interval, is at or below `bar`; True without a value."""
    return estimate.value is None or estimate.value <= bar
