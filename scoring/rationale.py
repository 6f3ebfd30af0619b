"""Whether a judge's reasons hold: its quotations, the turns it cites, and right labels for reasons that a
clinician rejected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.agreement.additive import over_conversations, ratio
from scoring.agreement.estimate import Estimate, undefined_estimate

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
_LOST = ratio("share of quotations not found", NO_QUOTES)
_JACCARD = ratio("turns that both name, of those that either names (Jaccard)", NOT_CITED)
_SHARE = ratio("share of the judge's cited turns that a clinician marked", NOT_CITED)
_UNSUPPORTED = ratio("share of right labels with an unsupported reason", NONE_ANSWERED)


@dataclass(frozen=True)
class ClinicianReading:
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


@dataclass(frozen=True)
class ReasonedLabel:
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
    """All criteria together, and each, in the order in which they come."""
    by_criterion: dict[str, list[ReasonedLabel]] = defaultdict(list)
    for reasoned_label in labels:
        by_criterion[reasoned_label.criterion].append(reasoned_label)
    return _audit([reasoned_label for listed in by_criterion.values() for reasoned_label in listed]), {
        name: _audit(listed) for name, listed in by_criterion.items()
    }


def _audit(labels: Sequence[ReasonedLabel]) -> ReasoningAudit:
    quotes = sum(reasoned_label.quotes for reasoned_label in labels)
    return ReasoningAudit(
        len(labels),
        sum(reasoned_label.erased for reasoned_label in labels),
        sum(reasoned_label.silent for reasoned_label in labels),
        sum(reasoned_label.quotes > 0 for reasoned_label in labels),
        quotes,
        tuple(
            LostQuotation(reasoned_label.unit, reasoned_label.position, reasoned_label.criterion, quote)
            for reasoned_label in labels
            for quote in reasoned_label.lost
        ),
        over_conversations(
            _LOST,
            (
                (reasoned_label.conversation, (len(reasoned_label.lost), reasoned_label.quotes))
                for reasoned_label in labels
            ),
            (2,),
            quotes,
        ),
        _overlap(labels),
        _right(labels),
        tuple(comment for label in labels for comment in label.comments),
    )


def _overlap(labels: Sequence[ReasonedLabel]) -> TurnOverlapTotals:
    each = [
        (
            reasoned_label.conversation,
            in_common(
                reasoned_label.cited, frozenset().union(*(c.marked for c in reasoned_label.clinicians))
            ),
        )
        for reasoned_label in labels
    ]
    with_share = [(conversation, turns) for conversation, turns in each if turns.undefined is None]
    if not with_share:
        reasons = {turns.undefined for _, turns in each}
        why = (
            NOT_CITED
            if NOT_MARKED not in reasons
            else NEVER_BOTH
            if any(turns.marked for _, turns in each)
            else NOT_MARKED
        )
        return TurnOverlapTotals(
            0, 0, 0, 0, undefined_estimate(why, 0, _JACCARD.name), undefined_estimate(why, 0, _SHARE.name)
        )
    cited, marked, both = (
        sum(getattr(turns, name) for _, turns in with_share) for name in ("cited", "marked", "both")
    )
    return TurnOverlapTotals(
        len(with_share),
        cited,
        marked,
        both,
        over_conversations(
            _JACCARD,
            ((c, (turns.both, turns.cited + turns.marked - turns.both)) for c, turns in with_share),
            (2,),
            len(with_share),
        ),
        over_conversations(
            _SHARE, ((c, (turns.both, turns.cited)) for c, turns in with_share), (2,), len(with_share)
        ),
    )


def _right(labels: Sequence[ReasonedLabel]) -> RightLabels:
    confirmed = [
        (reasoned_label.conversation, clinician.called)
        for reasoned_label in labels
        for clinician in reasoned_label.clinicians
        if clinician.label == reasoned_label.label
    ]
    answered = [(conversation, called) for conversation, called in confirmed if called is not None]
    share = over_conversations(
        _UNSUPPORTED,
        ((conversation, (called in REJECTED, 1)) for conversation, called in answered),
        (2,),
        len(answered),
    )
    return RightLabels(
        len(confirmed),
        len(answered),
        sum(called in REJECTED for _, called in answered),
        sum(called == CONTRADICTED for _, called in answered),
        share,
    )
