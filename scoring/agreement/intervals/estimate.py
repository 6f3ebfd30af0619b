"""A number that was estimated from labels, with its interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """`value` is None exactly when `undefined` gives the reason, in a reader's words.

    `n`: labels or pairs that went in. `low` to `high`: the 95 % interval; None together, and where there is a
    value
    `no_interval` may say why. `conversations`: the independent parts that the interval rests on,
    conversations or persons; None where the statistic does not count them. `influential_part`: the number of
    the one part that makes up `influence` of the interval's variance, the largest share of all (None without
    an interval). `error`: the standard error that the interval was made of, on the scale of the value; None
    where it was made otherwise.
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
    return Estimate(None, n, method, reason, conversations=conversations)
