"""Agreement among raters before and after they talked a set over.

The share of pairs of raters who gave the same label, over all units and criteria. Its interval is the
delete-one-conversation jackknife with Student's t and C-1 degrees of freedom (Efron and Stein 1981), because
labels of one conversation are alike; where no conversation differs from the others, Clopper and Pearson
(1934) over conversations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from scoring.agreement.intervals.additive_counts import divide_counts
from scoring.agreement.intervals.limits import symmetric
from scoring.agreement.intervals.proportions import clopper_pearson
from scoring.arrays import Array
from scoring.leave_one_out import measure_spread

ONE = "one conversation can't show how much this varies"
NONE = "nothing was labelled by two raters"
ROUNDING_ERROR = 1e-18  # squared deviations that rounding alone makes


@dataclass(frozen=True)
class RoundLabel:
    """`label` None: cannot rate, which agrees and disagrees with nothing."""

    conversation: int
    unit: int
    criterion: str
    rater: int
    label: str | None


@dataclass(frozen=True)
class AgreementShare:
    """`same` of `pairs`; `value`, `low` and `high` from 0 to 1 (of a change: from -1 to 1). None exactly
    where `undefined` says why.
    """

    same: int
    pairs: int
    conversations: int
    value: float | None
    low: float | None
    high: float | None
    undefined: str | None = None


def pairwise(labels: Iterable[RoundLabel]) -> AgreementShare:
    """Return the share of pairs of raters with the same label on the same unit and criterion, 0 to 1.

    The 95% interval is the jackknife over conversations; Clopper and Pearson's where all conversations show
    the same share; none (with a reason) for one conversation. The value is None without pairs.
    """
    return _share(_counts(labels))


def with_others(labels: Iterable[RoundLabel], rater: int) -> AgreementShare:
    """Return `pairwise` over the pairs that `rater` is in: how far they agree with the others."""
    return _share(_counts(labels, rater))


def _share(counts: Mapping[int, tuple[int, int]]) -> AgreementShare:
    same, pairs = (
        sum(pair_count[0] for pair_count in counts.values()),
        sum(pair_count[1] for pair_count in counts.values()),
    )
    if not pairs:
        return AgreementShare(0, 0, 0, None, None, None, NONE)
    value, number = same / pairs, len(counts)
    if number < 2:
        return AgreementShare(same, pairs, number, value, None, None, ONE)
    spread = measure_spread(np.array([(same - s) / (pairs - p) for s, p in counts.values()]))
    if spread.total < ROUNDING_ERROR:
        agreeing = clopper_pearson(round(value * number), number)
        return AgreementShare(same, pairs, number, value, agreeing.low, agreeing.high)
    low, high = symmetric(value, spread.error, number - 1)
    return AgreementShare(same, pairs, number, value, max(0.0, low), min(1.0, high))


def change(before: Iterable[RoundLabel], after: Iterable[RoundLabel]) -> AgreementShare:
    """Return the share of agreeing pairs after less before, -1 to 1, over what was labelled both times.

    Only units, criteria and raters with an entry in both, and conversations with a pair in both, count.
    `same` and `pairs` are those of `after`. There is no interval for one conversation, or where all changed
    alike.
    """
    first, second = list(before), list(after)
    both = {(label.unit, label.criterion, label.rater) for label in first} & {
        (label.unit, label.criterion, label.rater) for label in second
    }
    old, new = (
        _counts(label for label in labels if (label.unit, label.criterion, label.rater) in both)
        for labels in (first, second)
    )
    shared = sorted(old.keys() & new.keys())
    if not shared:
        return AgreementShare(0, 0, 0, None, None, None, NONE)

    counts = np.array([[new[c], old[c]] for c in shared], dtype=float)
    total, number = counts.sum(axis=0), len(shared)
    value, (same, pairs) = float(_difference(total)), map(round, total[0].tolist())
    if number < 2:
        return AgreementShare(same, pairs, number, value, None, None, ONE)
    spread = measure_spread(_difference(total - counts))
    if spread.total < ROUNDING_ERROR:
        return AgreementShare(
            same,
            pairs,
            number,
            value,
            None,
            None,
            "every conversation changed alike, so how much this varies can't be estimated",
        )
    low, high = symmetric(value, spread.error, number - 1)
    return AgreementShare(same, pairs, number, value, max(-1.0, low), min(1.0, high))


def _difference(counts: Array) -> Array:
    """(...,) new share less old share, of (..., 2, 2): new and old by agreeing pairs and pairs."""
    shares = divide_counts(counts)
    return np.asarray(shares[..., 0] - shares[..., 1])


def _counts(labels: Iterable[RoundLabel], of: int | None = None) -> Mapping[int, tuple[int, int]]:
    """Conversation -> (pairs with the same label, pairs), for conversations with a pair; only pairs that the
    rater `of` is in, or all.
    """
    together: dict[tuple[int, int, str], list[tuple[int, str]]] = defaultdict(list)
    for label in labels:
        if label.label is not None:
            together[label.conversation, label.unit, label.criterion].append((label.rater, label.label))
    counts_by_conversation: dict[int, tuple[int, int]] = {}
    for (conversation, _, _), given in together.items():
        matches = [a[1] == b[1] for a, b in combinations(given, 2) if of is None or of in (a[0], b[0])]
        if matches:
            same, compared = counts_by_conversation.get(conversation, (0, 0))
            counts_by_conversation[conversation] = (same + sum(matches), compared + len(matches))
    return counts_by_conversation
