"""Does the advice of one turn contradict that of the turn before: knowledge conflict rate.

The advice of a turn is what `extract` takes out of its reply (clinical actions, "" where there is none).
Neighbouring turns of a case make pairs, an entailment model judges every `stride`-th of them, counted anew in
each case, and the rate is contradictions / judged pairs, 0 to 1. Two variants of what a pair is:

- `product`: both turns give advice. A turn without advice breaks the chain.
- `reference`, as the published program does it: the later turn gives advice and is not the first; the earlier
one may
  have none, and then the empty text is sent as premise. It asks a model about nothing, and what it says
  counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import BadInput, texts
from scoring.entailment import CONTRADICTION, VERDICTS, Ask

STRIDE = 2
Variant = Literal["product", "reference"]


@dataclass(frozen=True)
class AdvicePair:
    """The advice of two neighbouring turns of one case; `turn` is the number of the later one, from 1."""

    case: str
    turn: int
    premise: str
    hypothesis: str


@dataclass(frozen=True)
class KnowledgeConflict:
    """`verdicts` belong to `pairs`; what is none of the three verdicts is a failure and stays out of `rate`.

    `reference` is the number the published program prints from these verdicts: over all pairs, 0.0 without
    any.
    """

    rate: Estimate
    pairs: tuple[AdvicePair, ...]
    verdicts: tuple[str | None, ...]
    variant: Variant

    @property
    def contradictions(self) -> list[AdvicePair]:
        """Return the pairs whose verdict is a contradiction, in order."""
        return [
            pair for pair, verdict in zip(self.pairs, self.verdicts, strict=True) if verdict == CONTRADICTION
        ]

    @property
    def failed(self) -> int:
        return sum(verdict not in VERDICTS for verdict in self.verdicts)

    @property
    def reference(self) -> float:
        return len(self.contradictions) / len(self.pairs) if self.pairs else 0.0


def advice_pairs(
    responses_by_case: Mapping[str, Sequence[str | None] | None],
    extract: Callable[[str], str],
    stride: int = STRIDE,
    variant: Variant = "product",
) -> list[AdvicePair]:
    """Return the pairs of neighbouring turns to be judged, case by case in the order given.

    None in place of a reply counts as "", in place of a list as no replies.

    Args:
        responses_by_case: case -> replies in order.
        extract: returns the advice in a reply, "" for none.
        stride: of each case's pairs, every how many are taken, from the first on.
        variant: "product" needs advice in both turns; "reference" in the later one only, as published.

    Raises:
        BadInput: names the argument or entry that is of a wrong type; also for a stride below 1.
    """
    if isinstance(stride, bool) or not isinstance(stride, int) or stride < 1:
        raise BadInput("stride", f"expected a whole number from 1, found {stride!r}")
    if not isinstance(responses_by_case, Mapping):
        raise BadInput(
            "responses_by_case", f"expected replies by case, found {type(responses_by_case).__name__}"
        )
    if variant not in ("product", "reference"):
        raise BadInput("variant", f"expected product or reference, found {variant!r}")
    chosen: list[AdvicePair] = []
    for case, responses in responses_by_case.items():
        replies = texts(f"responses_by_case[{case!r}]", responses if responses is not None else [])
        advice = [extract(reply) for reply in replies]
        pairs = [
            AdvicePair(case, turn, before, now)
            for turn, (before, now) in enumerate(pairwise(advice), start=2)
            if now and (before or variant == "reference")
        ]
        chosen += pairs[::stride]
    return chosen


def knowledge_conflict(
    responses_by_case: Mapping[str, Sequence[str | None] | None],
    extract: Callable[[str], str],
    entails: Ask,
    stride: int = STRIDE,
    variant: Variant = "product",
) -> KnowledgeConflict:
    """Judge the pairs of `advice_pairs` in order, and return the share of contradictions, 0 to 1.

    The rate is over the pairs with a verdict; it is None where no pair has one. Raise BadInput as
    `advice_pairs` does.
    """
    pairs = advice_pairs(responses_by_case, extract, stride, variant)
    verdicts = tuple(entails(pair.premise, pair.hypothesis) for pair in pairs)
    method = f"contradictions of judged pairs, stride {stride}"
    judged = [verdict for verdict in verdicts if verdict in VERDICTS]
    if not pairs:
        rate = undefined_estimate("no two neighbouring turns give advice", 0, method)
    elif not judged:
        rate = undefined_estimate("no pair could be judged", 0, method)
    else:
        rate = Estimate(judged.count(CONTRADICTION) / len(judged), len(judged), method)
    return KnowledgeConflict(rate, tuple(pairs), verdicts, variant)
