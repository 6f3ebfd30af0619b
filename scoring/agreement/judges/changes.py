"""Two judges on the same questions: which labels differ, and whether they differ in one direction.

Labels of one conversation are not independent: several of them may change for one reason. So it is
conversations that are counted: those in which more labels went up than down against those in which more went
down, by the exact sign test (two-sided binomial). With one label a conversation and two labels on the scale
this is McNemar's exact test (McNemar 1947).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.agreement.significance_tests.mcnemar import sign_test


@dataclass(frozen=True)
class LabelChanges:
    """Counts over the questions that both answered. `up`, `down`: the second gave a higher or lower label of
    the scale.

    `applicable`: changes into or out of "does not apply", which have no direction. `risen`, `fallen`:
    conversations in which more labels went up than down, and the other way; `p` compares these two, and is
    None where there are none.
    """

    both: int
    same: int
    up: int
    down: int
    applicable: int
    risen: int
    fallen: int
    p: float | None


def changes(pairs: Sequence[tuple[int, str, str]], values: Mapping[str, int | None]) -> LabelChanges:
    """Count how the second judge's labels differ from the first's, and test whether conversations rise or
    fall.

    `p` is the exact two-sided sign test of `risen` against `fallen`, None where both are 0.

    Args:
        pairs: (conversation, first judge's label, second judge's label).
        values: label -> its place in the order; None for "does not apply".

    Raises:
        KeyError: a label is not in `values`.
    """
    same = up = down = applicable = 0
    direction: Counter[int] = Counter()
    for conversation, first, second in pairs:
        before, after = values[first], values[second]
        if first == second:
            same += 1
        elif before is None or after is None or before == after:
            applicable += 1
        elif after > before:
            up += 1
            direction[conversation] += 1
        else:
            down += 1
            direction[conversation] -= 1
    risen, fallen = sum(net > 0 for net in direction.values()), sum(net < 0 for net in direction.values())
    return LabelChanges(len(pairs), same, up, down, applicable, risen, fallen, sign_test(risen, fallen))
