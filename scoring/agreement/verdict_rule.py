"""May the judge be trusted on this criterion? The one rule, in one place; every table, page, file and
sentence reads its result.

In this order, the first that holds: there is too little to tell; clinicians are not shown to agree with each
other beyond chance, so that no judge can be validated against them; the judge is surely worse than a
colleague; surely about as good as one; neither is shown. "No" comes before "not shown", because more ratings
cannot help a judge that is surely worse. How often each verdict is given to judges whose truth is known
stands in docs/reference_statistics.md (`python -m bench verdicts`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from scoring.agreement.colleague import ColleagueComparison
from scoring.agreement.estimate import Estimate
from scoring.agreement.intervals import at_most
from scoring.agreement.lost_answers import LostAnswers
from scoring.agreement.minimum_data import MINIMUM_CONVERSATIONS, MINIMUM_PAIRS
from scoring.agreement.safety import Safety

# clinicians whose coefficient lies surely below this do not agree beyond chance in any way that matters
AGREE = 0.20
NEVER_TOGETHER = AGREE / (
    2 - AGREE
)  # the share of conversations with a rare label in which two gave it, at which kappa is AGREE: 2 s / (1 + s)
CATCH_MARGIN = 0.10  # how far below a colleague the judge may see failures that a clinician saw
CONTRADICTED = 10  # conversations
UNLABELLED = 0.20  # of the units on which the judge was asked
LEAN = 1 / 3  # of a level


class TrustVerdict(StrEnum):
    CANNOT_TELL = "cannot_tell"
    COLLEAGUES_DIFFER = "colleagues_differ"
    NO = "no"
    YES = "yes"
    LEANS = "leans"
    NOT_SHOWN = "not_shown"


class VerdictReason(StrEnum):
    """What decided. The first nine belong to "cannot_tell"."""

    NOT_BLIND = "not_blind"
    ONE_RATER_CHOSEN = "one_rater_chosen"
    NO_JUDGE_LABEL = "no_judge_label"
    NO_PAIRS = "no_pairs"
    ALL_DOES_NOT_APPLY = "all_does_not_apply"
    FEW_PAIRS = "few_pairs"
    FEW_CONVERSATIONS = "few_conversations"
    NO_TWO_CLINICIANS = "no_two_clinicians"
    FEW_PAIRS_OF_CLINICIANS = "few_pairs_of_clinicians"
    CLINICIANS_DISAGREE = "clinicians_disagree"
    FURTHER_BY_COEFFICIENT = "further_by_coefficient"
    FURTHER_BY_SAME_LABEL = "further_by_same_label"
    NO_BETTER_THAN_CHANCE = "no_better_than_chance"
    ONE_LABEL_ONLY = "one_label_only"
    CATCHES_LESS_THAN_COLLEAGUE = "catches_less_than_colleague"
    CATCHES_BELOW_BAR = "catches_below_bar"
    GIVES_NO_LABEL = "gives_no_label"
    LIKE_A_COLLEAGUE = "like_a_colleague"
    LEANS_ONE_WAY = "leans_one_way"
    SILENT_ON_FAILURES = "silent_on_failures"
    RARE_LABEL = "rare_label"
    COEFFICIENT_OPEN = "coefficient_open"
    SAME_LABEL_OPEN = "same_label_open"
    CATCH_BESIDE_COLLEAGUE_OPEN = "catch_beside_colleague_open"
    CATCH_OPEN = "catch_open"


@dataclass(frozen=True)
class Margins:
    """How far below a colleague still counts as about as close: in the `coefficient`, and in the share of the
    `same_label`, which is never more than half the share of the rarer label. `catches_at_least`: the share of
    failures that a judge has to catch.
    """

    coefficient: float = 0.10
    same_label: float = 0.10
    catches_at_least: float = 0.80


@dataclass(frozen=True)
class CriterionEvidence:
    """Of one criterion and one judge, from blind labels.

    `pairs` of a clinician and the judge from `conversations`; `lost`: where the judge gave no label though
    asked. `people_pairs` of two clinicians from `people_conversations`, on units that the judge labelled.
    `same_label`, `coefficient`: judge beside colleagues.
    `people`: clinicians' coefficient on all their units, on which they used `people_labels_used` labels, and
    in `people_carrying` conversations a rarer one, in `people_shared` of them two on the same unit;
    `people_whole_scale`: the same with "does not apply" as a label.
    `labels_used`: by clinicians, "does not apply" among them; `levels_used` without it. `rarer_share`: of
    clinicians' labels, 0 to 1, those that are not the commonest. `contradicted`: conversations in which most
    clinicians gave another label than the only one that the judge ever gave; 0 where it gave more than one.
    `bias`: judge less clinician; `level`: what lies between two neighbouring levels; None where levels have
    no order. `safety`: of a criterion of the safety gate.
    """

    blind: bool
    one_rater_chosen: bool
    pairs: int
    conversations: int
    lost: LostAnswers
    people_pairs: int
    people_conversations: int
    same_label: ColleagueComparison
    coefficient: ColleagueComparison
    people: Estimate
    people_labels_used: int
    people_carrying: int
    people_shared: int
    people_whole_scale: Estimate
    labels_used: int
    levels_used: int
    rarer_share: float
    contradicted: int
    bias: Estimate
    level: float | None
    safety: Safety | None


@dataclass(frozen=True)
class CriterionVerdict:
    """`margin`: the margin of the same label that held for this criterion."""

    verdict: TrustVerdict
    reason: VerdictReason
    margin: float


def decide(evidence: CriterionEvidence, margins: Margins) -> CriterionVerdict:
    margin = min(margins.same_label, evidence.rarer_share / 2)
    steps: tuple[tuple[TrustVerdict, Callable[[], VerdictReason | None]], ...] = (
        (TrustVerdict.CANNOT_TELL, lambda: _too_little(evidence)),
        (TrustVerdict.COLLEAGUES_DIFFER, lambda: _colleagues_differ(evidence)),
        (TrustVerdict.NO, lambda: _worse(evidence, margins)),
        (TrustVerdict.NOT_SHOWN, lambda: _open(evidence, margins, margin)),
    )
    for verdict, ask in steps:
        reason = ask()
        if reason is not None:
            return CriterionVerdict(verdict, reason, margin)
    if _leans(evidence):
        return CriterionVerdict(TrustVerdict.LEANS, VerdictReason.LEANS_ONE_WAY, margin)
    return CriterionVerdict(TrustVerdict.YES, VerdictReason.LIKE_A_COLLEAGUE, margin)


def _too_little(evidence: CriterionEvidence) -> VerdictReason | None:
    checks = (
        (not evidence.blind, VerdictReason.NOT_BLIND),
        (evidence.one_rater_chosen, VerdictReason.ONE_RATER_CHOSEN),
        (not evidence.labels_used, VerdictReason.NO_PAIRS),
        (not evidence.lost.labelled, VerdictReason.NO_JUDGE_LABEL),
        (evidence.labels_used == 1 and not evidence.levels_used, VerdictReason.ALL_DOES_NOT_APPLY),
        (evidence.conversations < MINIMUM_CONVERSATIONS, VerdictReason.FEW_CONVERSATIONS),
        (evidence.pairs < MINIMUM_PAIRS, VerdictReason.FEW_PAIRS),
        (not evidence.people_pairs, VerdictReason.NO_TWO_CLINICIANS),
        (
            evidence.people_pairs < MINIMUM_PAIRS or evidence.people_conversations < MINIMUM_CONVERSATIONS,
            VerdictReason.FEW_PAIRS_OF_CLINICIANS,
        ),
    )
    return next((reason for holds, reason in checks if holds), None)


def _colleagues_differ(evidence: CriterionEvidence) -> VerdictReason | None:
    people, whole = evidence.people, evidence.people_whole_scale
    if people.value is not None and people.high is not None:
        differ = people.high < AGREE
    elif (
        people.value is not None
        # too few gave a rarer label to the same unit; of many who gave one at all, that says something by
        # itself
    ):
        differ = (
            evidence.people_carrying > 0
            and at_most(evidence.people_shared, evidence.people_carrying) < NEVER_TOGETHER
        )
    elif whole.value is not None:  # where verdicts never meet, whether the criterion applies is all there is
        differ = whole.high is not None and whole.high < AGREE
    else:
        differ = evidence.people_labels_used > 1
    return VerdictReason.CLINICIANS_DISAGREE if differ else None


def _worse(evidence: CriterionEvidence, margins: Margins) -> VerdictReason | None:
    people, judge = evidence.coefficient.people, evidence.coefficient.judge
    chance = judge.high is not None and judge.high <= 0 and people.low is not None and people.low > 0
    caught = caught_at_most(evidence)
    checks = (
        (evidence.contradicted >= CONTRADICTED, VerdictReason.ONE_LABEL_ONLY),
        (chance, VerdictReason.NO_BETTER_THAN_CHANCE),
        (
            _below(evidence.safety.colleague.difference, 0.0) if evidence.safety else False,
            VerdictReason.CATCHES_LESS_THAN_COLLEAGUE,
        ),
        (caught is not None and _below(caught, margins.catches_at_least), VerdictReason.CATCHES_BELOW_BAR),
        (_below(evidence.coefficient.difference, 0.0), VerdictReason.FURTHER_BY_COEFFICIENT),
        (_below(evidence.same_label.difference, 0.0), VerdictReason.FURTHER_BY_SAME_LABEL),
        (evidence.lost.share > UNLABELLED, VerdictReason.GIVES_NO_LABEL),
    )
    return next((reason for holds, reason in checks if holds), None)


def _open(evidence: CriterionEvidence, margins: Margins, margin: float) -> VerdictReason | None:
    """What is missing for a yes."""
    if evidence.lost.together:
        return VerdictReason.SILENT_ON_FAILURES
    apart, same = evidence.coefficient.difference, evidence.same_label.difference
    if apart.low is None or same.low is None:
        return VerdictReason.RARE_LABEL
    if not _above(apart, -margins.coefficient):
        return VerdictReason.COEFFICIENT_OPEN
    if not _above(same, -margin):
        return VerdictReason.SAME_LABEL_OPEN
    if evidence.safety is not None:
        if not _above(evidence.safety.colleague.difference, -CATCH_MARGIN):
            return VerdictReason.CATCH_BESIDE_COLLEAGUE_OPEN
        caught = caught_at_most(evidence)
        if caught is None or caught.low is None or caught.low < margins.catches_at_least:
            return VerdictReason.CATCH_OPEN
    return None


def caught_at_most(evidence: CriterionEvidence) -> Estimate | None:
    """The share of failures that the judge catches. Where its failures to answer lie on clinicians' failures,
    these count as missed. None where no safety criterion is meant.
    """
    if evidence.safety is None:
        return None
    caught = evidence.safety.caught
    return (
        caught.with_unlabelled_missed if evidence.lost.together and caught.unlabelled else caught.sensitivity
    )


def _leans(evidence: CriterionEvidence) -> bool:
    bias = evidence.bias
    if evidence.level is None or bias.value is None or bias.low is None or bias.high is None:
        return False
    return abs(bias.value) >= LEAN * evidence.level and not bias.low <= 0 <= bias.high


def _below(estimate: Estimate, bar: float) -> bool:
    """The whole interval."""
    return estimate.high is not None and estimate.high < bar


def _above(estimate: Estimate, bar: float) -> bool:
    return estimate.low is not None and estimate.low > bar
