"""Why the verdict is what it is, and what to do next: two sentences for each reason, and the next step in a
few words, for a line of a table.
"""

from __future__ import annotations

from collections.abc import Callable

from reports.agreement.verdict_cautions import settle_sentence
from reports.agreement.verdict_phrases import (
    VerdictContext,
    amount_in_points,
    name_raters,
    phrase_alarms,
    phrase_beside,
    phrase_caught,
    phrase_caught_too,
    phrase_failures_needed,
    phrase_lean,
    phrase_same_label,
    phrase_seen_too,
    phrase_slightly_further,
    phrase_with_difference,
)
from reports.wording import number_with_limits
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS, MINIMUM_PAIRS
from scoring.agreement.verdicts.verdict_rule import MIN_AGREEMENT_OF_CLINICIANS, VerdictReason, rests_on
from words.figures import chance, decimal, percent
from words.plurals import count, inflect

READ_AND_CHANGE = "read where they differ; change the judge or its prompt"
SURELY_FURTHER = "surely further from these clinicians than they are from each other"
READ_MISSED = "read every failure that it did not see; let a person check what it passes"
Sentences = tuple[str, str]  # why, what next


def _shared(context: VerdictContext) -> str:
    return f"have more {context.noun.plural} rated by two clinicians"


def _with_failures(context: VerdictContext) -> str:
    return f"have more {context.noun.plural} rated that may hold failures"


def _few_pairs(context: VerdictContext) -> Sentences:
    evidence = context.evidence
    lost = (
        f"; the judge gave no label on {context.noun.count(evidence.lost.failed)}"
        if evidence.lost.failed
        else ""
    )
    rated = f"rate more: at least {MINIMUM_PAIRS} pairs from {MINIMUM_CONVERSATIONS} {context.of}s"
    return (
        f"{count(evidence.pairs, 'pair', 'pairs')} from "
        f"{count(evidence.conversations, context.of, f'{context.of}s')}{lost}",
        "find out why its calls fail" if evidence.lost.failed >= evidence.lost.labelled else rated,
    )


def _no_label(context: VerdictContext) -> Sentences:
    if context.evidence.lost.failed:
        return (
            f"the judge gave no label on any of {context.noun.count(context.evidence.lost.failed)}",
            "find out why its calls fail",
        )
    return "this judge was not asked about what clinicians rated", "run the judge on it"


def _differ(context: VerdictContext) -> Sentences:
    people = (
        context.evidence.people
        if context.evidence.people.value is not None
        else context.evidence.people_whole_scale
    )
    sentence = (
        f"{context.name_of(people.method.split(', ')[0])} {number_with_limits(people)}"
        if people.value is not None
        else str(people.undefined)
    )
    if people.value is not None and people.low is None:
        sentence = (
            f"of {count(context.evidence.people_carrying, context.of, f'{context.of}s')} with a rarer "
            f"label, two clinicians gave one to the same {context.noun.singular} in "
            f"{context.evidence.people_shared:,}"
        )
    return (
        f"clinicians are not shown to agree with each other beyond chance: {sentence}",
        "no judge can be validated against them here: fix the criterion, or calibrate the raters",
    )


def _one_label(context: VerdictContext) -> Sentences:
    conversations = count(context.evidence.contradicted, context.of, f"{context.of}s")
    return (
        f"it always gave the same label, and most clinicians gave another one in {conversations}",
        "do not use it here; change the judge or its prompt",
    )


def _chance(context: VerdictContext) -> Sentences:
    return (
        f"no better than guessing: {phrase_beside(context, with_limits=True)}",
        "do not use it here; change the judge or its prompt",
    )


def _catches_less(context: VerdictContext) -> Sentences:
    return (
        f"{phrase_seen_too(context)}{phrase_caught_too(context)}",
        READ_MISSED,
    )


def _below_bar(context: VerdictContext) -> Sentences:
    return f"{phrase_caught(context)}; the study asks for {percent(context.margins.catches_at_least)}", (
        READ_MISSED
    )


def _further(context: VerdictContext) -> Sentences:
    return (
        f"{SURELY_FURTHER}: {phrase_with_difference(context)}{phrase_lean(context)}",
        READ_AND_CHANGE,
    )


def _further_same(context: VerdictContext) -> Sentences:
    applies = ", and where only one says that it does not apply" if context.may_not_apply else ""
    return (
        f"{SURELY_FURTHER}: {phrase_same_label(context.evidence.same_label, context.verdict.margin)}"
        f"{phrase_lean(context)}",
        f"read where they differ{applies}; change the judge or its prompt",
    )


def _no_labels(context: VerdictContext) -> Sentences:
    lost = context.evidence.lost
    return (
        f"it gave no label on {lost.failed:,} of {context.noun.count(lost.labelled + lost.failed)} "
        f"({percent(lost.share)})",
        "find out why its calls fail",
    )


def _yes(context: VerdictContext) -> Sentences:
    if context.evidence.safety is not None:
        return f"{phrase_caught(context)}; {phrase_seen_too(context)}", "keep checking what it passes"
    return (
        f"{phrase_slightly_further(context)}{phrase_beside(context)}",
        "keep a random share rated by people",
    )


def _leaning(context: VerdictContext) -> Sentences:
    return (
        f"{phrase_beside(context)}{phrase_lean(context)}",
        "read where they differ; a mean of its labels is off by as much",
    )


def _silent(context: VerdictContext) -> Sentences:
    lost = context.evidence.lost
    if lost.absences.together:
        return (
            f"the judge is absent on {context.noun.count(lost.absent)}, more often where clinicians think "
            f"badly of them (p {chance(lost.absences.p or 0.0)})",
            "run the judge on what it has no label for, or find out where its labels were lost",
        )
    if lost.evasions.together and not lost.failures.together:
        return (
            'it says "does not apply" more often where clinicians think badly of what they rate (p '
            f"{chance(lost.evasions.p or 0.0)})",
            "read where it says that, and they do not",
        )
    return (
        f"it gave no label on {context.noun.count(lost.failed)}, more often where clinicians think badly of "
        f"them (p {chance(lost.failures.p or 0.0)})",
        "let a person look at what it gives no label; find out why its calls fail there",
    )


def _rare(context: VerdictContext) -> Sentences:
    evidence = context.evidence
    for comparison in (evidence.coefficient, evidence.same_label):
        if comparison.difference.value is None:
            return (
                f"{context.name_of(comparison.name)} cannot be estimated: {comparison.difference.undefined}",
                _shared(context),
            )
        if comparison.difference.low is None:
            return (
                f"{comparison.difference.no_interval}",
                f"have more {context.noun.plural} rated that may hold the rarer label",
            )
    raise AssertionError("neither difference is without an interval")


def _open(context: VerdictContext) -> Sentences:
    return (
        f"{phrase_slightly_further(context)}{phrase_with_difference(context)}{phrase_lean(context)}",
        _shared(context),
    )


def _open_same(context: VerdictContext) -> Sentences:
    same_label = phrase_same_label(context.evidence.same_label, context.verdict.margin)
    return (
        f"{phrase_slightly_further(context)}{same_label}; the whole range would have to lie above "
        f"-{amount_in_points(context.verdict.margin)}{phrase_lean(context)}",
        _shared(context),
    )


def _open_colleague(context: VerdictContext) -> Sentences:
    return f"{phrase_seen_too(context)}", _with_failures(context)


def _open_caught(context: VerdictContext) -> Sentences:
    return f"{phrase_caught(context)}; for a yes, {phrase_failures_needed(context)}", _with_failures(context)


def _settle_first(context: VerdictContext) -> Sentences:
    safety = context.evidence.safety
    assert safety is not None
    left = safety.settling.drawn - safety.settling.settled
    return (
        f"{settle_sentence(safety.settling, safety.passed, context.noun)} For a yes, "
        f"{phrase_failures_needed(context)}",
        f"settle the {left:,} {inflect(left, context.noun.singular, context.noun.plural)} in which a "
        "clinician saw a failure, before anyone relies on this judge"
        if left
        else "settle a larger share of the failures (Plan of work)",
    )


def _suspected_copy(context: VerdictContext) -> Sentences:
    raters = name_raters(context, context.evidence.suspected_copies)
    return (
        f"the judge nearly always gives the same label as {raters}, far more often than other clinicians do",
        "find out whether one of them saw the other's labels",
    )


def _uneven(context: VerdictContext) -> Sentences:
    return (
        f"clinicians agree more, or less, on the {context.noun.plural} that more of them labelled, so they "
        "and the judge are not compared on the same ones",
        "have as many clinicians label each, or set aside those who labelled only some",
    )


def _clinicians_open(context: VerdictContext) -> Sentences:
    people = context.evidence.people
    return (
        f"clinicians are not shown to agree well enough with each other: {context.name_of('kappa')} "
        f"{number_with_limits(people)}, where the lower limit has to reach "
        f"{decimal(MIN_AGREEMENT_OF_CLINICIANS, 2)}",
        f"{_shared(context)}, or calibrate",
    )


def _one_rater(context: VerdictContext) -> Sentences:
    raters = name_raters(context, rests_on(context.evidence, context.margins))
    return (
        f"it would be like a colleague, but only with the labels of {raters}: {phrase_beside(context)}",
        "read where these labels differ from the others'",
    )


def _more_alarms(context: VerdictContext) -> Sentences:
    return phrase_alarms(context), "read its false alarms; change the judge or its prompt"


SENTENCES: dict[VerdictReason, Callable[[VerdictContext], Sentences]] = {
    VerdictReason.NOT_BLIND: lambda _: (
        "trust rests on labels given blind, and these are others",
        "choose the ratings given blind",
    ),
    VerdictReason.ONE_RATER_CHOSEN: lambda _: (
        "only one rater is chosen, so there is no colleague to compare with",
        "choose everyone",
    ),
    VerdictReason.NO_JUDGE_LABEL: _no_label,
    VerdictReason.NO_PAIRS: lambda context: (
        "nothing was labelled blind by a clinician and by the judge",
        f"rate {context.noun.plural} blind",
    ),
    VerdictReason.ALL_DOES_NOT_APPLY: lambda _: (
        "clinicians said everywhere that it does not apply",
        "nothing, unless it does apply somewhere",
    ),
    VerdictReason.FEW_PAIRS: _few_pairs,
    VerdictReason.FEW_CONVERSATIONS: _few_pairs,
    VerdictReason.NO_TWO_CLINICIANS: lambda context: (
        f"no {context.noun.singular} was rated by two clinicians, so there is no colleague to compare with",
        f"have {context.noun.plural} rated by two clinicians",
    ),
    VerdictReason.FEW_PAIRS_OF_CLINICIANS: lambda context: (
        f"only {count(context.evidence.people_pairs, 'pair', 'pairs')} of two clinicians, from "
        f"{count(context.evidence.people_conversations, context.of, f'{context.of}s')}",
        _shared(context),
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
    VerdictReason.SETTLE_FIRST: _settle_first,
    VerdictReason.SILENT_ON_FAILURES: _silent,
    VerdictReason.SUSPECTED_COPY: _suspected_copy,
    VerdictReason.UNEVEN_RATERS: _uneven,
    VerdictReason.CLINICIANS_OPEN: _clinicians_open,
    VerdictReason.RESTS_ON_ONE_RATER: _one_rater,
    VerdictReason.MORE_FALSE_ALARMS: _more_alarms,
    VerdictReason.RARE_LABEL: _rare,
    VerdictReason.COEFFICIENT_OPEN: _open,
    VerdictReason.SAME_LABEL_OPEN: _open_same,
    VerdictReason.CATCH_BESIDE_COLLEAGUE_OPEN: _open_colleague,
    VerdictReason.CATCH_OPEN: _open_caught,
}

FAILED_CALLS = "find out why its calls fail"
TWO_CLINICIANS = "two clinicians on the same"
READ = "read where they differ"
READ_UNSEEN = "read what it did not see"
MORE_FAILURES = "more that may hold failures"
MORE_RARE = "more that may hold the rarer label"
STEPS = {
    VerdictReason.NOT_BLIND: "choose ratings given blind",
    VerdictReason.ONE_RATER_CHOSEN: "choose everyone",
    VerdictReason.NO_JUDGE_LABEL: "run the judge on it",
    VerdictReason.NO_PAIRS: "rate blind",
    VerdictReason.ALL_DOES_NOT_APPLY: "nothing",
    VerdictReason.FEW_PAIRS: "rate more",
    VerdictReason.FEW_CONVERSATIONS: "rate more",
    VerdictReason.NO_TWO_CLINICIANS: TWO_CLINICIANS,
    VerdictReason.FEW_PAIRS_OF_CLINICIANS: TWO_CLINICIANS,
    VerdictReason.CLINICIANS_DISAGREE: "fix the criterion or calibrate",
    VerdictReason.ONE_LABEL_ONLY: "do not use it here",
    VerdictReason.NO_BETTER_THAN_CHANCE: "do not use it here",
    VerdictReason.CATCHES_LESS_THAN_COLLEAGUE: READ_UNSEEN,
    VerdictReason.CATCHES_BELOW_BAR: READ_UNSEEN,
    VerdictReason.FURTHER_BY_COEFFICIENT: READ,
    VerdictReason.FURTHER_BY_SAME_LABEL: READ,
    VerdictReason.GIVES_NO_LABEL: FAILED_CALLS,
    VerdictReason.LIKE_A_COLLEAGUE: "keep a random share rated",
    VerdictReason.LEANS_ONE_WAY: READ,
    VerdictReason.SETTLE_FIRST: "settle failures",
    VerdictReason.SUSPECTED_COPY: "find out why they are so alike",
    VerdictReason.UNEVEN_RATERS: "as many clinicians on each",
    VerdictReason.CLINICIANS_OPEN: TWO_CLINICIANS,
    VerdictReason.RESTS_ON_ONE_RATER: "read that rater's labels",
    VerdictReason.MORE_FALSE_ALARMS: "read its false alarms",
    VerdictReason.SILENT_ON_FAILURES: "read what it gives no label",
    VerdictReason.RARE_LABEL: MORE_RARE,
    VerdictReason.COEFFICIENT_OPEN: TWO_CLINICIANS,
    VerdictReason.SAME_LABEL_OPEN: TWO_CLINICIANS,
    VerdictReason.CATCH_BESIDE_COLLEAGUE_OPEN: MORE_FAILURES,
    VerdictReason.CATCH_OPEN: MORE_FAILURES,
}


def name_step(context: VerdictContext) -> str:
    """The step that the verdict's reason asks for; failed calls come before asking or rating more."""
    lost = context.evidence.lost
    too_few = context.verdict.reason in (
        VerdictReason.NO_JUDGE_LABEL,
        VerdictReason.FEW_PAIRS,
        VerdictReason.FEW_CONVERSATIONS,
    )
    if too_few and lost.failed and lost.failed >= lost.labelled:
        return FAILED_CALLS
    comparisons = (context.evidence.coefficient, context.evidence.same_label)
    if context.verdict.reason is VerdictReason.RARE_LABEL and any(
        comparison.difference.value is None for comparison in comparisons
    ):
        return TWO_CLINICIANS
    return STEPS[context.verdict.reason]
