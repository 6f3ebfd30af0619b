"""Which of two judges is right more often? Both against one reference label a unit.

Counts of units first. Units of one conversation are alike, so the test counts conversations, as `changes`
does: those in which the first judge was right more often against those in which the second was, by the exact
sign test. With one unit a conversation it is McNemar's exact test of `table`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.agreement.significance_tests.mcnemar import sign_test


@dataclass(frozen=True)
class RightOrWrong:
    """Units that `both`, only one or `neither` labelled like the reference. `first_ahead`, `second_ahead`:
    conversations.

    `p`: two-sided, of these two; None where neither judge is ahead in any conversation.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    first_ahead: int
    second_ahead: int
    p: float | None

    @property
    def table(self) -> list[list[int]]:
        """Rows the first judge right and wrong, columns the second."""
        return [[self.both, self.first_only], [self.second_only, self.neither]]


def right_or_wrong(units: Iterable[tuple[int, str, str, str]]) -> RightOrWrong:
    """Count on how many units each of two judges gave the reference label, and test which is ahead.

    A judge is ahead in a conversation where it is right on more units. `p` is the exact two-sided sign
    test.

    Args:
        units: (conversation, reference label, first judge's label, second judge's label), only units that
            all three labelled.
    """
    cells: Counter[tuple[bool, bool]] = Counter()
    lead: Counter[int] = Counter()
    for conversation, reference, first, second in units:
        cells[first == reference, second == reference] += 1
        lead[conversation] += (first == reference) - (second == reference)
    first_ahead, second_ahead = sum(net > 0 for net in lead.values()), sum(net < 0 for net in lead.values())
    return RightOrWrong(
        cells[True, True],
        cells[True, False],
        cells[False, True],
        cells[False, False],
        first_ahead,
        second_ahead,
        sign_test(first_ahead, second_ahead),
    )
