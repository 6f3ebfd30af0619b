""" "Does not apply" comes first: whether a criterion applies is one question, what is said where it applies
another.

One coefficient over YES, NO and "does not apply" hides the second behind the first: .68 where people agree
perfectly on what applies and not at all on the verdict (docs/statistics.md). So pairs are taken apart: those
where a rule decides, counted and left out; whether the criterion applies; the verdict where both said that it
does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.agreement.pairs import LabelPairs
from scoring.arrays import Mask

APPLIES = ("applies", "does not apply")


@dataclass(frozen=True, eq=False)
class Applicability:
    """`forced`: pairs that a rule decides, as the conversation is too short; of these `first_against` and
    `second_against` say something else. `free`: the other pairs on the whole scale; `applies`: the same, on
    two labels; `verdict`: those of them where both say that it applies, on the scale without "does not
    apply".
    """

    forced: int
    first_against: int
    second_against: int
    free: LabelPairs
    applies: LabelPairs
    verdict: LabelPairs


def separate(pairs: LabelPairs, forced: Mask, not_applicable: str) -> Applicability:
    """`forced`: one entry a pair. `not_applicable` is one of the labels of the pairs' domain."""
    na, free = pairs.domain.index(not_applicable), pairs.where(~forced)
    first, second = free.first == na, free.second == na
    rest = tuple(label for label in pairs.domain if label != not_applicable)
    both = free.where(~first & ~second)
    return Applicability(
        pairs.where(forced).n,
        pairs.where(forced & (pairs.first != na)).n,
        pairs.where(forced & (pairs.second != na)).n,
        free,
        LabelPairs(
            APPLIES,
            free.side,
            free.unit,
            free.part,
            first.astype(np.int64),
            second.astype(np.int64),
            free.weight,
            free.times,
        ),
        LabelPairs(
            rest,
            both.side,
            both.unit,
            both.part,
            both.first - (both.first > na),
            both.second - (both.second > na),
            both.weight,
            both.times,
        ),
    )
