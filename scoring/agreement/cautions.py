"""What a reader must be warned of before they believe a number: a fixed list, each with its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.agreement.estimate import Estimate
from scoring.agreement.labels import every_number
from scoring.agreement.one_criterion import JudgeBeside

PAIRS, CONVERSATIONS, ONE_LABEL, FAILURES, VERDICTS, HINGE, ERRORS = 30, 10, 0.9, 10, 20, 0.5, 0.05
APART = 0.2  # between kappa and AC1
COMMON = 0.75


@dataclass(frozen=True)
class Caution:
    """`kind`: one of the names below; `criteria`: ids it is about."""

    kind: str
    criteria: tuple[str, ...]


def of_criteria(found: Sequence[JudgeBeside]) -> list[Caution]:
    """Warnings that single criteria give rise to."""
    with_pairs = [one for one in found if one.counted.pairs]
    made = [
        Caution("few_pairs", tuple(one.question.id for one in with_pairs if one.counted.pairs < PAIRS)),
        Caution(
            "few_conversations",
            tuple(one.question.id for one in with_pairs if one.counted.conversations < CONVERSATIONS),
        ),
        Caution("one_label", tuple(one.question.id for one in with_pairs if commonest(one) > ONE_LABEL)),
        Caution(
            "few_verdicts",
            tuple(
                one.question.id
                for one in with_pairs
                if one.separated is not None and one.verdicts.pairs < VERDICTS
            ),
        ),
        Caution("one_conversation", tuple(one.question.id for one in with_pairs if hinges(one.percent))),
    ]
    return [one for one in made if one.criteria]


def commonest(found: JudgeBeside) -> float:
    """The share of clinicians' labels that the commonest one makes up, 0 to 1; 0 without labels."""
    rows = found.counted.table.sum(axis=1)
    return float(rows.max() / rows.sum()) if rows.sum() else 0.0


def hinges(estimate: Estimate) -> bool:
    """Whether one conversation makes up more than half of an interval's variance, or all of it."""
    return estimate.hinge_share is not None and estimate.hinge_share > HINGE


def kappa_unreliable(found: JudgeBeside) -> bool:
    """Kappa lies more than 0.2 below AC1 (or AC2) and one label makes up more than three quarters: so common
    that kappa collapses though both sides agree.
    """
    kappa, other = found.headline.value, found.beside_headline.value
    return kappa is not None and other is not None and other - kappa > APART and commonest(found) > COMMON


def single_rater(found: Sequence[JudgeBeside]) -> bool:
    return bool(found) and len(every_number([one.pairs.side for one in found])) == 1


def too_many_errors(failed: int, labelled: int) -> bool:
    return failed > ERRORS * (failed + labelled)
