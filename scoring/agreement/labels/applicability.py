""" "Does not apply" comes first: whether a criterion applies is one question, the label where it applies
another.

One coefficient over YES, NO and "does not apply" hides the second behind the first: .68 where people agree
perfectly on what applies and not at all on the verdict (docs/reference_statistics.md). So pairs are taken
apart: those where a rule decides, counted and left out; whether the criterion applies; the verdict where both
said that it does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.agreement.labels.pairs import LabelPairs
from scoring.arrays import Mask

APPLIES = ("applies", "does not apply")


@dataclass(frozen=True, eq=False)
class Applicability:
    """Pairs of labels, separated by whether a rule decides that the criterion does not apply.

    `forced`: how many pairs the rule decides. `first_against`, `second_against`: in how many of these the
    first, or second, label is not "does not apply". `free`: all other pairs, on the whole scale, on which
    "does not apply" has the code `not_applicable`.
    """

    forced: int
    first_against: int
    second_against: int
    free: LabelPairs
    not_applicable: int

    @property
    def applies(self) -> LabelPairs:
        """Return the free pairs recoded to two labels: 0 "applies", 1 "does not apply"."""
        free, na = self.free, self.not_applicable
        return LabelPairs(
            APPLIES,
            free.side,
            free.unit,
            free.part,
            (free.first == na).astype(np.int64),
            (free.second == na).astype(np.int64),
            free.weight,
            free.times,
        )

    @property
    def verdict(self) -> LabelPairs:
        """Return the free pairs in which both labels apply, on the scale without "does not apply"."""
        free, na = self.free, self.not_applicable
        both = free.where((free.first != na) & (free.second != na))
        return LabelPairs(
            (*free.domain[:na], *free.domain[na + 1 :]),
            both.side,
            both.unit,
            both.part,
            both.first - (both.first > na),
            both.second - (both.second > na),
            both.weight,
            both.times,
        )


def separate(pairs: LabelPairs, forced: Mask, not_applicable: str) -> Applicability:
    """Separate the pairs that a rule decides from the others.

    Args:
        pairs: pairs on a scale with "does not apply".
        forced: which pairs the rule decides, one entry per pair.
        not_applicable: the label in `pairs.domain` that means "does not apply".
    """
    na = pairs.domain.index(not_applicable)
    return Applicability(
        pairs.where(forced).n,
        pairs.where(forced & (pairs.first != na)).n,
        pairs.where(forced & (pairs.second != na)).n,
        pairs.where(~forced),
        na,
    )
