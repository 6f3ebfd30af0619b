"""What the sentences about a verdict are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from reports.wording import average_levels, limits, listed, number, percent_or_none, share, write_limit
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.estimate_bars import slightly_further
from scoring.agreement.intervals.limits import TAIL
from scoring.agreement.people.colleague import ColleagueComparison
from scoring.agreement.rates.sample_size import failures_needed
from scoring.agreement.safety.caught_failures import caught_at_most, caught_at_worst
from scoring.agreement.safety.safety import Safety
from scoring.agreement.safety.safety_shares import MISSED
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS
from scoring.agreement.verdicts.more_conversations import MoreConversations
from scoring.agreement.verdicts.verdict_rule import (
    CriterionEvidence,
    CriterionVerdict,
    Margins,
    VerdictReason,
)
from words.figures import decimal
from words.plurals import count, inflect
from words.unit_nouns import UnitNoun


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
    raters: Mapping[int, str]  # how each rater is called
    name_of: Callable[[str], str] = str  # how a coefficient is called


def phrase_caught(context: VerdictContext) -> str:
    """Return "it caught 5 of 8 settled failures: 63% (plausible range 24% to 91%)", or that there is no
    settled failure.

    Before the colon it may say ", those without a label counted as missed", or name those with two readings.
    """
    safety = context.evidence.safety
    assert safety is not None
    worst = context.verdict.reason is VerdictReason.CATCH_OPEN
    catch = caught_at_worst if worst else caught_at_most
    caught = catch(safety.caught, context.evidence.lost)
    if caught.value is None:
        return "no failure is settled, so how many the judge catches can't be estimated"
    shares = safety.caught
    at_worst = caught is shares.at_worst
    missed = [
        *(["those without a label"] if shares.unlabelled or not at_worst else []),
        *(["those with two readings"] if shares.open_missed and at_worst else []),
    ]
    counted = "" if caught is shares.sensitivity else f", {' and '.join(missed)} counted as missed"
    failures = count(caught.n, "settled failure", "settled failures")
    return f"it caught {shares.counts[0]:,} of {failures}{counted}: {share(caught)}"


def phrase_caught_too(context: VerdictContext) -> str:
    """Return "; " and `phrase_caught`, to append to a sentence; "" if no failure is confirmed."""
    return (
        f"; {phrase_caught(context)}"
        if context.evidence.safety and context.evidence.safety.caught.sensitivity.value is not None
        else ""
    )


def phrase_seen_too(context: VerdictContext) -> str:
    """Return "of the failures that a clinician saw, it saw 60% and a colleague 70%; difference -10 points
    (...)".

    Without such failures it says that no clinician saw one where another and the judge also gave a label.
    """
    if context.evidence.safety is None or context.evidence.safety.colleague.judge.value is None:
        return "no clinician saw a failure where another clinician and the judge also gave a label"
    catch = context.evidence.safety.colleague
    return (
        f"of the failures that one clinician saw, it saw {percent_or_none(catch.judge)} and a colleague "
        f"{percent_or_none(catch.clinician)}; difference {points(catch.difference)}"
    )


def phrase_alarms(context: VerdictContext) -> str:
    """Return "it raises a false alarm on 5% of what is no failure, a colleague on 3%; difference ...", and
    the margin.
    """
    assert context.evidence.safety is not None
    alarms = context.evidence.safety.alarms
    return (
        f"it raises a false alarm on {percent_or_none(alarms.judge)} of what is no failure, a colleague on "
        f"{percent_or_none(alarms.clinician)}; difference {points(alarms.difference)}, and at most "
        f"{amount_in_points(context.verdict.margin)} more are allowed"
    )


def phrase_failures_needed(context: VerdictContext) -> str:
    """Return how many settled failures a "yes" takes, and how many there are."""
    safety = context.evidence.safety
    assert safety is not None
    rate = 1 - context.margins.catches_at_least
    if rate <= 0:
        return "no number of failures is enough to show that it catches all of them"
    shares = safety.caught
    missed = shares.counts[MISSED] + shares.unlabelled + shares.open_missed  # a "yes" holds at worst
    held = shares.failures + shares.open_missed
    needed = failures_needed(rate, missed, TAIL)
    misses = "without a miss" if not missed else f"with {count(missed, 'miss', 'misses')}"
    return f"{needed:,} failures {misses} are needed; this study has {count_of_failures(held, safety)}"


def count_of_failures(held: int, safety: Safety) -> str:
    """Return the number of failures as text, with "about" until settling is complete."""
    return f"{held:,}" if safety.settling.complete else f"about {held:,}"


def name_raters(context: VerdictContext, raters: Iterable[int]) -> str:
    """Return the raters' names as a list in a sentence, "?" for an unknown one: "Rater A, Rater B and ?"."""
    return listed([context.raters.get(rater, "?") for rater in raters])


def phrase_slightly_further(context: VerdictContext) -> str:
    """Return a clause that the judge lies below colleagues by less than the margin, ending in ": "; else
    "".
    """
    evidence = context.evidence
    slightly = slightly_further(
        evidence.coefficient.difference, context.margins.coefficient
    ) or slightly_further(evidence.same_label.difference, context.verdict.margin)
    return (
        "it agrees slightly less with clinicians than they do with each other, within the margin: "
        if slightly
        else ""
    )


def phrase_lean(context: VerdictContext) -> str:
    """Return "; " and `average_levels` of the judge's mean difference; "" without a level, a value or an
    interval, or if the interval holds 0.
    """
    bias = context.evidence.bias
    if (
        context.evidence.level is None
        or bias.value is None
        or bias.low is None
        or bias.high is None
        or bias.low <= 0 <= bias.high
    ):
        return ""
    return f"; the judge is {average_levels(bias)}"


def phrase_beside(context: VerdictContext, with_limits: bool = False) -> str:
    """Return for example "kappa 0.54 with clinicians, 0.61 among them"; intervals follow if `with_limits`."""
    comparison = context.evidence.coefficient

    def value(estimate: Estimate) -> str:
        return f"{number(estimate)} ({limits(estimate)})" if with_limits else number(estimate)

    verb = "" if comparison.judge.value is None else "is "  # else "cannot be estimated" follows
    return (
        f"{context.name_of(comparison.name)} {verb}{value(comparison.judge)} with clinicians and "
        f"{value(comparison.people)} among clinicians"
    )


def phrase_with_difference(context: VerdictContext) -> str:
    """Return `phrase_beside`, then "; difference -0.07 (-0.20 to 0.06)"."""
    difference = context.evidence.coefficient.difference
    bars = (0.0, -context.margins.coefficient)
    return f"{phrase_beside(context)}; difference {number(difference)} ({limits(difference, bars=bars)})"


def phrase_same_label(comparison: ColleagueComparison, margin: float = 0.0) -> str:
    """Return "the same label with clinicians on 70% of 40 pairs, among them on 75% of 30 pairs; difference
    -5 points (...)".
    """
    return (
        f"judge and clinicians give the same label in {percent_or_none(comparison.judge)} of "
        f"{count(comparison.judge.n, 'pair', 'pairs')}, two clinicians in "
        f"{percent_or_none(comparison.people)} of {count(comparison.people.n, 'pair', 'pairs')}; difference "
        f"{points(comparison.difference, margin)}"
    )


def amount_in_points(amount: float) -> str:
    """Return a share in percentage points: "10 points" for 0.1, "1.5 points" for 0.015."""
    text = decimal(100 * amount, 0 if amount >= 0.02 else 1)
    return f"{text} points"


def points(difference: Estimate, margin: float = 0.0) -> str:
    """Return a difference such as "-14 points (-25 to -3)", or why it can't be estimated.

    `margin`: what the lower limit is compared with, besides 0.
    """
    if difference.value is None:
        return f"cannot be estimated: {difference.undefined}"
    value = decimal(100 * difference.value, 0)
    return f"{value} {inflect(abs(float(value)), 'point', 'points')} ({_point_limits(difference, margin)})"


def _point_limits(difference: Estimate, margin: float) -> str:
    if difference.low is None or difference.high is None:
        return f"no interval: {difference.no_interval}"
    if difference.low <= -1 and difference.high >= 1:
        return "no interval: too few conversations"
    few = difference.conversations is not None and difference.conversations < MINIMUM_CONVERSATIONS
    bars = (0.0, -100 * margin)
    low, high = (write_limit(100 * limit, 0, bars) for limit in (difference.low, difference.high))
    return f"{low} to {high}{', too little data to rely on' if few else ''}"
