"""Whether a judge's reasons hold: its quotations, the turns it cites, and right labels for reasons that a
clinician rejected."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from scoring.agreement.intervals.additive_counts import over_summed, ratio
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic
from scoring.arrays import IntArray, Mask, choose_rows
from scoring.judge_reasons import JudgeReasons, LabelCounts, ReasonedLabel, ReasoningComment

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
    """Return how many turns the judge cited, a clinician marked, and both.

    `jaccard` (both / either) and `share` (both / cited) are None where either names no turn.
    """
    ours, theirs = set(cited), set(marked)
    both = len(ours & theirs)
    if not ours or not theirs:
        return TurnOverlap(len(ours), len(theirs), both, None, None, NOT_MARKED if ours else NOT_CITED)
    return TurnOverlap(len(ours), len(theirs), both, both / len(ours | theirs), both / len(ours))


def audit(reasons: JudgeReasons) -> tuple[ReasoningAudit, Mapping[str, ReasoningAudit]]:
    """Return the audit of a judge's reasons over all criteria, and of each criterion that has labels.

    Criteria keep the order of `reasons.criteria`. Of a label only its counts, lost quotations and comments
    are kept.
    """
    row_of = {conversation: row for row, conversation in enumerate(reasons.conversations)}
    tallies = {name: _Tally() for name in reasons.criteria}
    labelled = np.zeros(len(row_of), dtype=bool)
    for label in reasons.labels:
        row = row_of[label.conversation]
        labelled[row] = True
        tallies[label.criterion].add(label, row)
    counts = reasons.counts
    rows = np.array([row_of[number] for number in counts.conversation.tolist()], dtype=np.int64)
    labelled[rows] = True
    for place, tally in enumerate(tallies.values()):
        chosen = counts.criterion == place
        tally.add_counts(choose_rows(counts, chosen), rows[chosen])
    by_criterion = {name: tally for name, tally in tallies.items() if tally.counts["labels"]}
    conversations = np.array(reasons.conversations, dtype=np.int64)
    return _Tally.of_all(by_criterion.values()).audit(conversations, labelled), {
        name: tally.audit(conversations, labelled) for name, tally in by_criterion.items()
    }


class _ConversationCounts:
    """Two counts of each conversation, by its row; eight bytes each, because there may be very many."""

    def __init__(self) -> None:
        self._counts = array("q")

    def add(self, row: int, first: int, second: int) -> None:
        self._make_room(row)
        self._counts[2 * row] += first
        self._counts[2 * row + 1] += second

    def add_second(self, rows: IntArray, second: IntArray) -> None:
        """To the second count of different rows."""
        if len(rows):
            self._make_room(int(rows.max()))
            np.frombuffer(self._counts, dtype=np.int64)[2 * rows + 1] += second

    def _make_room(self, row: int) -> None:
        missing = 2 * (row + 1) - len(self._counts)
        if missing > 0:
            self._counts.extend(repeat(0, missing))

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

    def add_counts(self, counts: LabelCounts, rows: IntArray) -> None:
        """`rows`: of their conversations, each once."""
        for name in ("labels", "erased", "silent", "quoting", "quotes", "confirmed"):
            self.counts[name] += int(getattr(counts, name).sum())
        self.counts["only cited"] += int(counts.cited.sum())
        self.by_conversation[_LOST][0].add_second(rows, counts.quotes)

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

    def audit(self, conversations: IntArray, labelled: Mask) -> ReasoningAudit:
        """`conversations`: the number of each by its row; `labelled`: which have labels of any criterion."""
        counts, numbers = self.counts, conversations[labelled].tolist()

        def estimate(statistic: Statistic, n: int) -> Estimate:
            parts = self.by_conversation[statistic]
            summed: Any = sum(part.summed(len(conversations)) for part in parts)
            return over_summed(statistic, numbers, summed[labelled].astype(float), n)

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
