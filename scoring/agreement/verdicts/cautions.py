"""What a reader must be warned of before they believe a number: a fixed list, each with its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.labels.labels import every_number
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS, MINIMUM_PAIRS

ONE_LABEL, FAILURES, VERDICTS, INFLUENCE, ERRORS = 0.9, 10, 20, 0.5, 0.05
APART = 0.2  # between kappa and AC1
COMMON = 0.75


@dataclass(frozen=True)
class Caution:
    """`kind`: one of the names below; `criteria`: ids it is about."""

    kind: str
    criteria: tuple[str, ...]


def cautions_of_criteria(judge_agreements: Sequence[JudgeAgreement]) -> list[Caution]:
    """Return the cautions that single criteria give rise to, each with the ids of its criteria, in a fixed
    order.

    A caution without criteria is left out. Criteria without pairs get none of those about pairs.
    """
    with_pairs = [judge_agreement for judge_agreement in judge_agreements if judge_agreement.counted.pairs]
    cautions = [
        Caution(
            "few_pairs",
            tuple(
                judge_agreement.question.id
                for judge_agreement in with_pairs
                if judge_agreement.counted.pairs < MINIMUM_PAIRS
            ),
        ),
        Caution(
            "few_conversations",
            tuple(
                judge_agreement.question.id
                for judge_agreement in with_pairs
                if judge_agreement.counted.conversations < MINIMUM_CONVERSATIONS
            ),
        ),
        Caution(
            "one_label",
            tuple(
                judge_agreement.question.id
                for judge_agreement in with_pairs
                if commonest(judge_agreement) > ONE_LABEL
            ),
        ),
        Caution(
            "few_verdicts",
            tuple(
                judge_agreement.question.id
                for judge_agreement in with_pairs
                if judge_agreement.separated is not None and judge_agreement.verdicts.pairs < VERDICTS
            ),
        ),
        Caution(
            "one_conversation",
            tuple(
                judge_agreement.question.id
                for judge_agreement in with_pairs
                if rests_on_one_conversation(judge_agreement.percent)
            ),
        ),
    ]
    return [caution for caution in cautions if caution.criteria]


def commonest(judge_agreement: JudgeAgreement) -> float:
    """Return the share of clinicians' labels that the commonest label makes up, 0 to 1; 0 without labels."""
    rows = judge_agreement.counted.table.sum(axis=1)
    return float(rows.max() / rows.sum()) if rows.sum() else 0.0


def rests_on_one_conversation(estimate: Estimate) -> bool:
    """Tell whether one conversation makes up more than half of the interval's variance; False without an
    interval.
    """
    return estimate.influence is not None and estimate.influence > INFLUENCE


def kappa_unreliable(judge_agreement: JudgeAgreement) -> bool:
    """Tell whether one label is so common that kappa collapses although both sides agree.

    That is where kappa lies more than 0.2 below AC1 (or AC2) and one label makes up more than 0.75.
    """
    kappa, other = judge_agreement.headline.value, judge_agreement.beside_headline.value
    return (
        kappa is not None
        and other is not None
        and other - kappa > APART
        and commonest(judge_agreement) > COMMON
    )


def single_rater(judge_agreements: Sequence[JudgeAgreement]) -> bool:
    """Tell whether all pairs of all criteria are of one and the same rater; False without criteria."""
    return (
        bool(judge_agreements)
        and len(every_number([judge_agreement.pairs.side for judge_agreement in judge_agreements])) == 1
    )


def too_many_errors(failed: int, labelled: int) -> bool:
    """Tell whether more than 5% of all answers (`failed` plus `labelled`) failed."""
    return failed > ERRORS * (failed + labelled)
