"""What a test found, or the reason why there is nothing to test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Significance:
    """`p`: two-sided, None exactly when `undefined` gives the reason. `statistic` and `df`, its degrees of
    freedom, where it has them.
    """

    p: float | None
    method: str
    statistic: float | None = None
    df: int | None = None
    undefined: str | None = None

    def __post_init__(self) -> None:
        if (self.p is None) == (self.undefined is None):
            raise ValueError("a test has either a p or a reason why not")


def untestable(reason: str, method: str) -> Significance:
    """Return a test without p, with the reason."""
    return Significance(None, method, undefined=reason)
