"""A verdict in a clinician's words: the answer, why, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runs.agreement.findings import Findings, JudgedCriterion
from runs.agreement.words import count, limits, number, share
from scoring.agreement.colleague import Ceiling
from scoring.agreement.estimate import Estimate
from scoring.agreement.planning import CHANCE, MoreConversations
from scoring.agreement.verdict_rule import (
    CONVERSATIONS,
    PAIRS,
    CriterionEvidence,
    CriterionVerdict,
    Margins,
    TrustVerdict,
    VerdictReason,
    caught_at_most,
)
from scoring.figures import chance, decimal, percent

ANSWERS = {
    TrustVerdict.YES: "yes, like a colleague",
    TrustVerdict.LEANS: "like a colleague, but it leans one way",
    TrustVerdict.NO: "no",
    TrustVerdict.NOT_SHOWN: "not shown yet",
    TrustVerdict.COLLEAGUES_DIFFER: "clinicians differ among themselves",
    TrustVerdict.CANNOT_TELL: "cannot tell yet",
}
READ_AND_CHANGE = "read where they differ; change the judge or its prompt"
SHARED = "have more units rated by two clinicians"


@dataclass(frozen=True)
class VerdictWords:
    """`rests_on`: raters without whom the answer would be another one, or ""."""

    criterion: str
    answer: str
    why: str
    next: str
    rests_on: str


def word_verdicts(findings: Findings) -> tuple[VerdictWords, ...]:
    return tuple(_words(findings, judged) for judged in findings.verdicts)


def _words(findings: Findings, judged: JudgedCriterion) -> VerdictWords:
    question, evidence, verdict = findings.material.questions[judged.number], judged.evidence, judged.verdict
    context = _Context(
        evidence,
        findings.margins,
        verdict,
        judged.plan,
        question.names,
        question.not_applicable is not None,
        "person" if findings.material.units.persons else "conversation",
    )
    why, what_next = _SENTENCES[verdict.reason](context)
    if findings.gates.get(judged.number) is not None and verdict.verdict in (
        TrustVerdict.YES,
        TrustVerdict.LEANS,
    ):
        what_next = "keep checking what it passes"
    if judged.plan is not None:
        what_next = plan_in_words(judged.plan, context.of)
    rests_on = "; ".join(
        f"rests on {findings.names.get(influence.rater, '?')}; without them: "
        f"{ANSWERS[influence.without.verdict]}"
        for influence in judged.influences
    )
    return VerdictWords(question.criterion.name, ANSWERS[verdict.verdict], why, what_next, rests_on)


def plan_in_words(plan: MoreConversations, of: str = "conversation") -> str:
    """How many more conversations, or that no number that anybody would rate tells. `of`: "person" where a
    person has several conversations.
    """
    if plan.needed is None:
        return (
            f"more ratings would hardly tell: not even {count(plan.most, f'more {of}', f'more {of}s')} "
            "would with a chance of "
            f"{percent(CHANCE)}. Read where they differ"
            if plan.most
            else "have units rated by two clinicians"
        )
    return (
        f"about {count(plan.needed, f'more {of}', f'more {of}s')} like these, rated as these were, would "
        "tell with a chance of "
        f"{percent(CHANCE)}"
    )


@dataclass(frozen=True)
class _Context:
    evidence: CriterionEvidence
    margins: Margins
    verdict: CriterionVerdict
    plan: MoreConversations | None
    names: tuple[str, ...]
    may_not_apply: bool
    of: str  # what was drawn: conversations, or persons who have several


Sentences = tuple[str, str]  # why, what next


def _few_pairs(context: _Context) -> Sentences:
    evidence = context.evidence
    lost = (
        f"; the judge gave no label on {count(evidence.lost.failed, 'unit', 'units')}"
        if evidence.lost.failed
        else ""
    )
    rated = f"rate more: at least {PAIRS} pairs from {CONVERSATIONS} {context.of}s"
    return (
        f"{count(evidence.pairs, 'pair', 'pairs')} from "
        f"{count(evidence.conversations, context.of, f'{context.of}s')}{lost}",
        "find out why its calls fail" if evidence.lost.failed >= evidence.lost.labelled else rated,
    )


def _no_label(context: _Context) -> Sentences:
    if context.evidence.lost.failed:
        return (
            f"the judge gave no label on any of {count(context.evidence.lost.failed, 'unit', 'units')}",
            "find out why its calls fail",
        )
    return "this judge was not asked about what clinicians rated", "run the judge on it"


def _differ(context: _Context) -> Sentences:
    people = (
        context.evidence.people
        if context.evidence.people.value is not None
        else context.evidence.people_whole_scale
    )
    said = (
        f"{people.method.split(', ')[0]} {number(people)} ({limits(people)})"
        if people.value is not None
        else str(people.undefined)
    )
    if people.value is not None and people.low is None:
        said = (
            f"of {count(context.evidence.people_carrying, context.of, f'{context.of}s')} with a rarer "
            "label, two clinicians gave one to the same unit in "
            f"{context.evidence.people_shared:,}"
        )
    return (
        f"clinicians are not shown to agree with each other beyond chance: {said}",
        "no judge can be validated against them here: mend the criterion or calibrate",
    )


def _one_label(context: _Context) -> Sentences:
    conversations = count(context.evidence.contradicted, context.of, f"{context.of}s")
    return (
        f"it always gave the same label, and most clinicians gave another one in {conversations}",
        "do not use it here; change the judge or its prompt",
    )


def _chance(context: _Context) -> Sentences:
    return (
        f"no better than guessing: {_beside(context.evidence.coefficient, with_limits=True)}",
        "do not use it here; change the judge or its prompt",
    )


def _catches_less(context: _Context) -> Sentences:
    return (
        f"{_seen_too(context)}{_caught_too(context)}",
        "read every failure that it did not see; let a person check what it passes",
    )


def _below_bar(context: _Context) -> Sentences:
    return f"{_caught(context)}; the study asks for {percent(context.margins.catches_at_least)}", (
        "read every failure that it did not see; let a person check what it passes"
    )


def _further(context: _Context) -> Sentences:
    return (
        "further from clinicians than they are from each other: "
        f"{_with_difference(context.evidence.coefficient)}{_lean(context)}",
        READ_AND_CHANGE,
    )


def _further_same(context: _Context) -> Sentences:
    applies = ", and where only one says that it does not apply" if context.may_not_apply else ""
    return (
        f"{_same(context.evidence.same_label)}{_lean(context)}",
        f"read where they differ{applies}; change the judge or its prompt",
    )


def _no_labels(context: _Context) -> Sentences:
    lost = context.evidence.lost
    return (
        f"it gave no label on {lost.failed:,} of {lost.labelled + lost.failed:,} units "
        f"({percent(lost.share)})",
        "find out why its calls fail",
    )


def _yes(context: _Context) -> Sentences:
    return _beside(context.evidence.coefficient), "keep a random share rated by people"


def _leaning(context: _Context) -> Sentences:
    return (
        f"{_beside(context.evidence.coefficient)}{_lean(context)}",
        "read where they differ; a mean of its labels is off by as much",
    )


def _silent(context: _Context) -> Sentences:
    lost = context.evidence.lost
    return (
        f"it gave no label on {count(lost.failed, 'unit', 'units')}, and these go with what clinicians "
        f"think badly of (p {chance(lost.p or 0.0)})",
        "let a person look at what it gives no label; find out why its calls fail there",
    )


def _rare(context: _Context) -> Sentences:
    evidence = context.evidence
    for ceiling in (evidence.coefficient, evidence.same_label):
        if ceiling.difference.value is None:
            return f"{ceiling.name} cannot be estimated: {ceiling.difference.undefined}", SHARED
        if ceiling.difference.low is None:
            return f"{ceiling.difference.no_interval}", "have more units rated that may hold the rarer label"
    raise AssertionError("neither difference is without an interval")


def _open(context: _Context) -> Sentences:
    return f"{_with_difference(context.evidence.coefficient)}{_lean(context)}", SHARED


def _open_same(context: _Context) -> Sentences:
    return (
        f"{_same(context.evidence.same_label)}; the whole range would have to lie above "
        f"\u2212{_points(context.verdict.margin)}{_lean(context)}",
        SHARED,
    )


def _open_colleague(context: _Context) -> Sentences:
    return f"{_seen_too(context)}", "have more units rated that may hold failures"


def _open_caught(context: _Context) -> Sentences:
    return (
        f"{_caught(context)}; for a yes the whole range would have to lie at "
        f"{percent(context.margins.catches_at_least)} or above",
        "have more units rated that may hold failures",
    )


def _caught(context: _Context) -> str:
    caught = caught_at_most(context.evidence)
    if caught is None or caught.value is None or context.evidence.safety is None:
        return "what it catches of failures cannot be told: none is confirmed"
    shares = context.evidence.safety.caught
    counted = ", those without a label counted as missed" if caught is shares.with_unlabelled_missed else ""
    return (
        f"it caught {shares.counts[0]:,} of "
        f"{count(caught.n, 'confirmed failure', 'confirmed failures')}{counted}: {share(caught)}"
    )


def _caught_too(context: _Context) -> str:
    return (
        f"; {_caught(context)}"
        if context.evidence.safety and context.evidence.safety.caught.sensitivity.value is not None
        else ""
    )


def _seen_too(context: _Context) -> str:
    if context.evidence.safety is None or context.evidence.safety.colleague.judge.value is None:
        return "no clinician saw a failure that another one and the judge labelled too"
    catch = context.evidence.safety.colleague
    return (
        f"of failures that a clinician saw, it saw {_percent(catch.judge)}, a colleague "
        f"{_percent(catch.clinician)}; difference "
        f"{points(catch.difference)}"
    )


def _lean(context: _Context) -> str:
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
    return (
        f"; it lies {decimal(abs(bias.value), 2)} levels {'above' if bias.value > 0 else 'below'} them "
        f"on average ({limits(bias)})"
    )


def _beside(ceiling: Ceiling, with_limits: bool = False) -> str:
    def value(estimate: Estimate) -> str:
        return f"{number(estimate)} ({limits(estimate)})" if with_limits else number(estimate)

    return f"{ceiling.name} {value(ceiling.judge)} with clinicians, {value(ceiling.people)} among them"


def _with_difference(ceiling: Ceiling) -> str:
    return f"{_beside(ceiling)}; difference {number(ceiling.difference)} ({limits(ceiling.difference)})"


def _same(ceiling: Ceiling) -> str:
    return (
        f"the same label with clinicians on {_percent(ceiling.judge)} of "
        f"{count(ceiling.judge.n, 'pair', 'pairs')}, among them on "
        f"{_percent(ceiling.people)} of {count(ceiling.people.n, 'pair', 'pairs')}; difference "
        f"{points(ceiling.difference)}"
    )


def _percent(estimate: Estimate) -> str:
    return "none" if estimate.value is None else percent(estimate.value)


def _points(amount: float) -> str:
    text = decimal(100 * amount, 0 if amount >= 0.02 else 1)
    return f"{text} {'point' if text == '1' else 'points'}"


def points(difference: Estimate) -> str:
    """-14 points (-25 to -3), or why not."""
    if difference.value is None:
        return f"cannot be estimated: {difference.undefined}"
    value, low, high = (
        None if amount is None else decimal(100 * amount, 0)
        for amount in (difference.value, difference.low, difference.high)
    )
    few = (
        ", too few to rely on"
        if difference.conversations is not None and difference.conversations < CONVERSATIONS
        else ""
    )
    limited = f"{low} to {high}{few}" if low is not None else f"no interval: {difference.no_interval}"
    return f"{value} {'point' if value in ('1', '-1') else 'points'} ({limited})"


_SENTENCES: dict[VerdictReason, Callable[[_Context], Sentences]] = {
    VerdictReason.NOT_BLIND: lambda _: (
        "trust rests on labels given blind, and these are others",
        "choose the ratings given blind",
    ),
    VerdictReason.ONE_RATER_CHOSEN: lambda _: (
        "only one rater is chosen, so there is no colleague to compare with",
        "choose everyone",
    ),
    VerdictReason.NO_JUDGE_LABEL: _no_label,
    VerdictReason.NO_PAIRS: lambda _: (
        "nothing was labelled blind by a clinician and by the judge",
        "rate units blind",
    ),
    VerdictReason.ALL_DOES_NOT_APPLY: lambda _: (
        "clinicians said everywhere that it does not apply",
        "nothing, unless it does apply somewhere",
    ),
    VerdictReason.FEW_PAIRS: _few_pairs,
    VerdictReason.FEW_CONVERSATIONS: _few_pairs,
    VerdictReason.NO_TWO_CLINICIANS: lambda _: (
        "no unit was rated by two clinicians, so there is no colleague to compare with",
        "have units rated by two clinicians",
    ),
    VerdictReason.FEW_PAIRS_OF_CLINICIANS: lambda context: (
        f"only {count(context.evidence.people_pairs, 'pair', 'pairs')} of two clinicians, from "
        f"{count(context.evidence.people_conversations, context.of, f'{context.of}s')}",
        SHARED,
    ),
    VerdictReason.CLINICIANS_DISAGREE: _differ,
    VerdictReason.ONE_LABEL_ONLY: _one_label,
    VerdictReason.NO_BETTER_THAN_CHANCE: _chance,
    VerdictReason.CATCHES_LESS_THAN_COLLEAGUE: _catches_less,
    VerdictReason.CATCHES_BELOW_BAR: _below_bar,
    VerdictReason.FURTHER_BY_COEFFICIENT: _further,
    VerdictReason.FURTHER_BY_SAME_LABEL: _further_same,
    VerdictReason.GIVES_NO_LABEL: _no_labels,
    VerdictReason.LIKE_A_COLLEAGUE: _yes,
    VerdictReason.LEANS_ONE_WAY: _leaning,
    VerdictReason.SILENT_ON_FAILURES: _silent,
    VerdictReason.RARE_LABEL: _rare,
    VerdictReason.COEFFICIENT_OPEN: _open,
    VerdictReason.SAME_LABEL_OPEN: _open_same,
    VerdictReason.CATCH_BESIDE_COLLEAGUE_OPEN: _open_colleague,
    VerdictReason.CATCH_OPEN: _open_caught,
}
