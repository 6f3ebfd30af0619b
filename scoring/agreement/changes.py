"""Two judges on the same questions: which labels differ, and whether they differ in one direction.

The exact sign test on the changed labels; for two labels this is the exact McNemar test (McNemar 1947; two-sided
binomial). Labels of one conversation are not independent, so its p-value is smaller than it should be where several
labels of a conversation change together: it is shown with the number of conversations behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.stats import binomtest


@dataclass(frozen=True)
class Changes:
    """Counts over the questions that both answered. `up`, `down`: the second gave a higher or lower label of the scale.

    `applicable`: changes into or out of "does not apply", which have no direction. `p` is None where nothing went up or down.
    """

    both: int
    same: int
    up: int
    down: int
    applicable: int
    p: float | None


def changes(pairs: Sequence[tuple[str, str]], values: Mapping[str, int | None]) -> Changes:
    """`pairs`: (first judge's label, second judge's). `values`: what each label counts; None for "does not apply"."""
    same = sum(first == second for first, second in pairs)
    up = down = applicable = 0
    for first, second in pairs:
        before, after = values[first], values[second]
        if first == second:
            continue
        if before is None or after is None or before == after:
            applicable += 1
        elif after > before:
            up += 1
        else:
            down += 1
    p = float(binomtest(up, up + down, 0.5).pvalue) if up + down else None
    return Changes(len(pairs), same, up, down, applicable, p)
