"""Whether a judge's reasons hold: its quotations, the turns it cites, and right labels for reasons that a
clinician rejected."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

import numpy as np

from scoring.agreement.additive_counts import over_summed, ratio
from scoring.agreement.estimate import Estimate, undefined_estimate
from scoring.agreement.jackknife import Statistic
from scoring.arrays import IntArray

CONTRADICTED = "contradicted"
REJECTED = frozenset(
    ("unsupported", CONTRADICTED)
)  # what contradicts the transcript is not supported by it either
NOT_CITED, NOT_MARKED = "the judge cites no turn", "no clinician marked evidence"
NEVER_BOTH = "wherever the judge cites turns, no clinician marked evidence"
NO_QUOTES, NONE_ANSWERED = (
    "the judge quotes nothing",
    "no clinician who gave the judge's label blind said whether its reasons are supported",
)
_NO_TURNS: frozenset[int] = frozenset()
_LOST = ratio("share of quotations not found", NO_QUOTES)
_JACCARD = ratio("turns that both name, of those that either names (Jaccard)", NOT_CITED)
_SHARE = ratio("share of the judge's cited turns that a clinician marked", NOT_CITED)
_UNSUPPORTED = ratio("share of right labels with an unsupported reason", NONE_ANSWERED)


class ClinicianReading(NamedTuple):
    """What one clinician said of the same unit and criterion: a blind label, the turns (from 1) marked as
    evidence, and what they called the judge's reasons once they saw them (None: nothing)."""

    label: str
    marked: frozenset[int]
    called: str | None


@dataclass(frozen=True)
class ReasoningComment:
    """What one rater wrote of a judge's reasoning on one criterion of a unit. `called`: how far they say that
    it holds, None where they do not say. `text` None: the words were erased."""

    rater: int
    unit: int
    position: int
    criterion: str
    called: str | None
    text: str | None


class ReasonedLabel(NamedTuple):
    """One label of a judge. `quotes` and `lost`: how many quotations its reasons hold, and those that the
    transcript does not.

    `erased`: the words of the transcript or of the reasons are gone. `silent`: there never were reasons.
    `cited`: turns from 1. `comments`: of anybody who was shown the reasons.
    """

    conversation: int
    unit: int
    position: int
    criterion: str
    label: str
    quotes: int
    lost: tuple[str, ...]
    cited: frozenset[int]
    clinicians: tuple[ClinicianReading, ...] = ()
    erased: bool = False
    silent: bool = False
    comments: tuple[ReasoningComment, ...] = ()


@dataclass(frozen=True)
class TurnOverlap:
    """Turns of one label: how many the judge cited, clinicians marked, and both. No number exactly where
    `undefined` says why."""

    cited: int
    marked: int
    both: int
    jaccard: float | None
    share: float | None
    undefined: str | None = None


@dataclass(frozen=True)
class TurnOverlapTotals:
    """The same over the `labels` where both name turns, the counts added up."""

    labels: int
    cited: int
    marked: int
    both: int
    jaccard: Estimate
    share: Estimate


@dataclass(frozen=True)
class LostQuotation:
    """A quotation that the transcript does not hold, in the judge's words."""

    unit: int
    position: int
    criterion: str
    quote: str


@dataclass(frozen=True)
class RightLabels:
    """Counted per clinician. `confirmed`: their blind label is the judge's; of `answered` of these they said
    how far the reasons are supported; `unsupported`: not at all, `contradicted` by the transcript among them.
    `share`: unsupported of answered."""

    confirmed: int
    answered: int
    unsupported: int
    contradicted: int
    share: Estimate


@dataclass(frozen=True)
class ReasoningAudit:
    """`labels` of the judge, `erased` and `silent` ones among them; `quoting`: those with a quotation.
    `not_found`: lost of quotes."""

    labels: int
    erased: int
    silent: int
    quoting: int
    quotes: int
    lost: tuple[LostQuotation, ...]
    not_found: Estimate
    overlap: TurnOverlapTotals
    right: RightLabels
    comments: tuple[ReasoningComment, ...] = ()


def in_common(cited: Collection[int], marked: Collection[int]) -> TurnOverlap:
    ours, theirs = set(cited), set(marked)
    both = len(ours & theirs)
    if not ours or not theirs:
        return TurnOverlap(len(ours), len(theirs), both, None, None, NOT_MARKED if ours else NOT_CITED)
    return TurnOverlap(len(ours), len(theirs), both, both / len(ours | theirs), both / len(ours))


def audit(labels: Iterable[ReasonedLabel]) -> tuple[ReasoningAudit, Mapping[str, ReasoningAudit]]:
    """All criteria together, and each, in the order in which they come. Of a label nothing is kept but its
    counts, what was lost and what was commented on.
    """
    rows: dict[int, int] = {}
    by_criterion: dict[str, _Tally] = {}
    for label in labels:
        tally = by_criterion.get(label.criterion)
        if tally is None:
            tally = by_criterion[label.criterion] = _Tally()
        tally.add(label, rows.setdefault(label.conversation, len(rows)))
    conversations = list(rows)
    return _Tally.of_all(by_criterion.values()).audit(conversations), {
        name: tally.audit(conversations) for name, tally in by_criterion.items()
    }


class _ConversationCounts:
    """Two counts of each conversation, by its row; eight bytes each, because there may be very many."""

    def __init__(self) -> None:
        self._counts = array("q")

    def add(self, row: int, first: int, second: int) -> None:
        missing = 2 * (row + 1) - len(self._counts)
        if missing > 0:
            self._counts.extend(repeat(0, missing))
        self._counts[2 * row] += first
        self._counts[2 * row + 1] += second

    def summed(self, conversations: int) -> IntArray:
        """Shape (conversations, 2)."""
        sums = np.zeros((conversations, 2), dtype=np.int64)
        counts = np.frombuffer(self._counts, dtype=np.int64).reshape(-1, 2)
        sums[: len(counts)] = counts
        return sums


class _Tally:
    """What is counted of the labels of one criterion, or of all together."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.lost: list[LostQuotation] = []
        self.comments: list[ReasoningComment] = []
        self.by_conversation = {
            statistic: [_ConversationCounts()] for statistic in (_LOST, _JACCARD, _SHARE, _UNSUPPORTED)
        }

    @classmethod
    def of_all(cls, tallies: Iterable[_Tally]) -> _Tally:
        whole = cls()
        for tally in tallies:
            whole.counts.update(tally.counts)
            whole.lost += tally.lost
            whole.comments += tally.comments
            for statistic, parts in tally.by_conversation.items():
                whole.by_conversation[statistic] += parts
        return whole

    def add(self, label: ReasonedLabel, row: int) -> None:
        """`row`: of its conversation."""
        counts = self.counts
        counts["labels"] += 1
        if label.erased:
            counts["erased"] += 1
        if label.silent:
            counts["silent"] += 1
        if label.quotes:
            counts["quoting"] += 1
            counts["quotes"] += label.quotes
            self.by_conversation[_LOST][0].add(row, len(label.lost), label.quotes)
        for quote in label.lost:
            self.lost.append(LostQuotation(label.unit, label.position, label.criterion, quote))
        self.comments += label.comments
        self._add_turns(label, row)
        for clinician in label.clinicians:
            if clinician.label == label.label:
                self._add_right_label(clinician.called, row)

    def _add_turns(self, label: ReasonedLabel, row: int) -> None:
        counts = self.counts
        marked = _NO_TURNS.union(*[clinician.marked for clinician in label.clinicians])
        if not label.cited or not marked:
            if label.cited:
                counts["only cited"] += 1
            if marked:
                counts["only marked"] += 1
            return
        turns = in_common(label.cited, marked)
        for name in ("cited", "marked", "both"):
            counts[name] += getattr(turns, name)
        counts["with turns"] += 1
        either = turns.cited + turns.marked - turns.both
        self.by_conversation[_JACCARD][0].add(row, turns.both, either)
        self.by_conversation[_SHARE][0].add(row, turns.both, turns.cited)

    def _add_right_label(self, called: str | None, row: int) -> None:
        counts = self.counts
        counts["confirmed"] += 1
        if called is not None:
            counts["answered"] += 1
            counts["unsupported"] += called in REJECTED
            counts["contradicted"] += called == CONTRADICTED
            self.by_conversation[_UNSUPPORTED][0].add(row, called in REJECTED, 1)

    def audit(self, conversations: Sequence[int]) -> ReasoningAudit:
        """`conversations`: the number of each by its row."""
        counts = self.counts

        def estimate(statistic: Statistic, n: int) -> Estimate:
            parts = self.by_conversation[statistic]
            summed = sum(part.summed(len(conversations)) for part in parts)
            return over_summed(statistic, conversations, np.asarray(summed, dtype=float), n)

        return ReasoningAudit(
            counts["labels"],
            counts["erased"],
            counts["silent"],
            counts["quoting"],
            counts["quotes"],
            tuple(self.lost),
            estimate(_LOST, counts["quotes"]),
            self._overlap(estimate),
            RightLabels(
                counts["confirmed"],
                counts["answered"],
                counts["unsupported"],
                counts["contradicted"],
                estimate(_UNSUPPORTED, counts["answered"]),
            ),
            tuple(self.comments),
        )

    def _overlap(self, estimate: Callable[[Statistic, int], Estimate]) -> TurnOverlapTotals:
        counts, n = self.counts, self.counts["with turns"]
        if n:
            return TurnOverlapTotals(
                n,
                counts["cited"],
                counts["marked"],
                counts["both"],
                estimate(_JACCARD, n),
                estimate(_SHARE, n),
            )
        why = NOT_CITED if not counts["only cited"] else NEVER_BOTH if counts["only marked"] else NOT_MARKED
        return TurnOverlapTotals(
            0, 0, 0, 0, undefined_estimate(why, 0, _JACCARD.name), undefined_estimate(why, 0, _SHARE.name)
        )
