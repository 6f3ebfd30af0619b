"""A number that was estimated from labels, with its interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """An estimated number with its 95% interval from `low` to `high`, or the reason why there is none.

    `value`: None exactly when `undefined` gives the reason in plain words. `n`: the labels or pairs used.
    `low`, `high`: both None without an interval; `no_interval` may then say why. `conversations`: how many
    independent parts, conversations or persons, the interval rests on; None if the statistic does not count
    them. `influential_part`: the number of the part with the largest share of the interval's variance, and
    `influence` that share, 0 to 1. `error`: the standard error behind the interval, in the units of `value`;
    None if the interval was made without one.
    """

    value: float | None
    n: int
    method: str
    undefined: str | None = None
    low: float | None = None
    high: float | None = None
    no_interval: str | None = None
    conversations: int | None = None
    influential_part: int | None = None
    influence: float | None = None
    error: float | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError("an estimate has either a value or a reason why not")
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two ends or none")
        if self.low is not None and (self.value is None or self.no_interval is not None):
            raise ValueError("there is an interval only around a value, and then no reason against it")


def undefined_estimate(reason: str, n: int, method: str, conversations: int | None = None) -> Estimate:
    """Return an estimate without a value; `reason` says why in plain words."""
    return Estimate(None, n, method, reason, conversations=conversations)
