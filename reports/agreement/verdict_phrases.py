"""What the sentences about a verdict are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reports.wording import average_levels, limits, number, percent_or_none, share
from scoring.agreement.colleague import ColleagueComparison
from scoring.agreement.estimate import Estimate
from scoring.agreement.minimum_data import MINIMUM_CONVERSATIONS
from scoring.agreement.more_conversations import MoreConversations
from scoring.agreement.verdict_rule import (
    CriterionEvidence,
    CriterionVerdict,
    Margins,
    caught_at_most,
)
from scoring.figures import decimal
from scoring.plurals import count, inflect
from scoring.unit_nouns import UnitNoun


@dataclass(frozen=True)
class VerdictContext:
    """What the sentences about one criterion may need."""

    evidence: CriterionEvidence
    margins: Margins
    verdict: CriterionVerdict
    plan: MoreConversations | None
    names: tuple[str, ...]
    may_not_apply: bool
    of: str  # what was drawn: conversations, or persons who have several
    noun: UnitNoun
    name_of: Callable[[str], str] = str  # how a coefficient is called


def phrase_caught(context: VerdictContext) -> str:
    """How many confirmed failures it caught, or that none is confirmed."""
    caught = caught_at_most(context.evidence)
    if caught is None or caught.value is None or context.evidence.safety is None:
        return "what it catches of failures cannot be told: none is confirmed"
    shares = context.evidence.safety.caught
    counted = ", those without a label counted as missed" if caught is shares.with_unlabelled_missed else ""
    return (
        f"it caught {shares.counts[0]:,} of "
        f"{count(caught.n, 'confirmed failure', 'confirmed failures')}{counted}: {share(caught)}"
    )


def phrase_caught_too(context: VerdictContext) -> str:
    """The same to be added to a sentence; nothing where none is confirmed."""
    return (
        f"; {phrase_caught(context)}"
        if context.evidence.safety and context.evidence.safety.caught.sensitivity.value is not None
        else ""
    )


def phrase_seen_too(context: VerdictContext) -> str:
    """What it and a colleague saw of the failures that a clinician saw."""
    if context.evidence.safety is None or context.evidence.safety.colleague.judge.value is None:
        return "no clinician saw a failure that another one and the judge labelled too"
    catch = context.evidence.safety.colleague
    return (
        f"of failures that a clinician saw, it saw {percent_or_none(catch.judge)}, a colleague "
        f"{percent_or_none(catch.clinician)}; difference "
        f"{points(catch.difference)}"
    )


def phrase_lean(context: VerdictContext) -> str:
    """Nothing where a mean of its labels is not off for certain."""
    bias = context.evidence.bias
    if (
        context.evidence.level is None
        or bias.value is None
        or bias.low is None
        or bias.high is None
        or bias.low <= 0 <= bias.high
    ):
        return ""
    return f"; {average_levels(bias)}"


def phrase_beside(context: VerdictContext, with_limits: bool = False) -> str:
    """kappa 0.54 with clinicians, 0.61 among them."""
    comparison = context.evidence.coefficient

    def value(estimate: Estimate) -> str:
        return f"{number(estimate)} ({limits(estimate)})" if with_limits else number(estimate)

    return (
        f"{context.name_of(comparison.name)} {value(comparison.judge)} with clinicians, "
        f"{value(comparison.people)} among them"
    )


def phrase_with_difference(context: VerdictContext) -> str:
    """The same and the difference with its interval."""
    difference = context.evidence.coefficient.difference
    return f"{phrase_beside(context)}; difference {number(difference)} ({limits(difference)})"


def phrase_same_label(comparison: ColleagueComparison) -> str:
    """How often two give the same label: with clinicians, among them, and the difference."""
    return (
        f"the same label with clinicians on {percent_or_none(comparison.judge)} of "
        f"{count(comparison.judge.n, 'pair', 'pairs')}, among them on "
        f"{percent_or_none(comparison.people)} of {count(comparison.people.n, 'pair', 'pairs')}; difference "
        f"{points(comparison.difference)}"
    )


def amount_in_points(amount: float) -> str:
    """10 points, of 0.1."""
    text = decimal(100 * amount, 0 if amount >= 0.02 else 1)
    return f"{text} points"


def points(difference: Estimate) -> str:
    """-14 points (-25 to -3), or why not."""
    if difference.value is None:
        return f"cannot be estimated: {difference.undefined}"
    value = decimal(100 * difference.value, 0)
    low, high = (
        None if amount is None else decimal(100 * amount, 0) for amount in (difference.low, difference.high)
    )
    few = (
        ", too few to rely on"
        if difference.conversations is not None and difference.conversations < MINIMUM_CONVERSATIONS
        else ""
    )
    limited = f"{low} to {high}{few}" if low is not None else f"no interval: {difference.no_interval}"
    return f"{value} {inflect(abs(float(value)), 'point', 'points')} ({limited})"
