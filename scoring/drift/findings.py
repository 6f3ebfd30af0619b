"""What moved, as findings of one family: each with a p value corrected for all the others, or the reason why
nobody can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scoring.agreement.significance_tests.multiplicity import holm
from scoring.confidence import ALPHA

Kind = Literal["judge", "raters", "mix", "model", "trend", "level"]
SOURCES: tuple[Kind, ...] = (
    "judge",
    "raters",
    "mix",
    "model",
)  # each seen where only it can move; the others are of judge and clinicians together


@dataclass(frozen=True)
class Finding:
    """`p` is None exactly when `untold` says why; `corrected`: p after Holm (1979) over the family.

    `n`: conversations (of the line: periods). `direction`: 1 up, -1 down, 0 neither. `who`: the number of the
    rater or of the condition that moved most. `what`: of a judge, whether its "level" moved or how often it
    is "right". `up`, `down`: conversations that moved either way.
    """

    kind: Kind
    p: float | None
    n: int
    direction: int = 0
    untold: str | None = None
    corrected: float | None = None
    who: int | None = None
    what: str = ""
    up: int = 0
    down: int = 0

    def __post_init__(self) -> None:
        if (self.p is None) == (self.untold is None):
            raise ValueError("a finding has either a p value or a reason why not")

    @property
    def named(self) -> bool:
        """Tell whether the corrected p is below ALPHA (0.05); False for a finding that was not tested or
        corrected.
        """
        return self.corrected is not None and self.corrected < ALPHA


def cannot_tell(kind: Kind, reason: str, n: int = 0) -> Finding:
    """Return a finding of `kind` without a p value, whose `untold` is `reason`."""
    return Finding(kind, None, n, untold=reason)


def family(findings: Sequence[Finding]) -> list[Finding]:
    """Return the same findings, in order, with `corrected` set to p after Holm (1979) over all of them.

    Findings without a p value stay without one and do not count in the correction.
    """
    return [
        replace(finding, corrected=p)
        for finding, p in zip(findings, holm([finding.p for finding in findings]), strict=True)
    ]
