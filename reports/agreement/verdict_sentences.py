"""Why the verdict is what it is, and what to do next: the one table of the words of each reason, for pages
and files. A next step begins with the few words that a line of a table has room for.
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
AGREES_LESS = "it agrees less with these clinicians than they do with each other"
READ_MISSED = "read what it missed; have a person check what it passes"
FAILED_CALLS = "find out why the judge's calls fail"
SETTLE = "settle failures"
Sentences = tuple[str, str]  # why, what next


def _shared(context: VerdictContext) -> str:
    return f"have more {context.noun.plural} rated by two clinicians"


def _with_failures(context: VerdictContext) -> str:
    return f"have more {context.noun.plural} rated that may contain failures"


def _few_pairs(context: VerdictContext) -> Sentences:
    evidence = context.evidence
    lost = (
        f"; the judge gave no label on {context.noun.count(evidence.lost.failed)}"
        if evidence.lost.failed
        else ""
    )
    rate_more = (
        f"rate more: at least {MINIMUM_PAIRS} pairs of labels are needed, from at least "
        f"{MINIMUM_CONVERSATIONS} {context.of}s"
    )
    return (
        f"there {inflect(evidence.pairs, 'is', 'are')} only {count(evidence.pairs, 'pair', 'pairs')} of "
        f"labels, from {count(evidence.conversations, context.of, f'{context.of}s')}{lost}",
        FAILED_CALLS if evidence.lost.failed >= max(1, evidence.lost.labelled) else rate_more,
    )


def _no_label(context: VerdictContext) -> Sentences:
    if context.evidence.lost.failed:
        return (
            f"the judge gave no label on any of {context.noun.count(context.evidence.lost.failed)}",
            FAILED_CALLS,
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
            f"label, two clinicians gave such a label to the same {context.noun.singular} in "
            f"{context.evidence.people_shared:,}"
        )
    return (
        f"clinicians are not shown to agree with each other beyond chance: {sentence}",
        "fix the criterion or calibrate: no judge can be validated against them here",
    )


def _one_label(context: VerdictContext) -> Sentences:
    conversations = count(context.evidence.contradicted, context.of, f"{context.of}s")
    return (
        f"it always gave the same label, and most clinicians gave a different label in {conversations}",
        "do not use it here; change the judge or its prompt",
    )


def _chance(context: VerdictContext) -> Sentences:
    return (
        f"it is no better than guessing: {phrase_beside(context, with_limits=True)}",
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
        f"{AGREES_LESS}: {phrase_with_difference(context)}{phrase_lean(context)}",
        READ_AND_CHANGE,
    )


def _further_same(context: VerdictContext) -> Sentences:
    applies = ", and where only one says that it does not apply" if context.may_not_apply else ""
    return (
        f"{AGREES_LESS}: {phrase_same_label(context.evidence.same_label, context.verdict.margin)}"
        f"{phrase_lean(context)}",
        f"read where they differ{applies}; change the judge or its prompt",
    )


def _no_labels(context: VerdictContext) -> Sentences:
    lost = context.evidence.lost
    return (
        f"it gave no label on {lost.failed:,} of {context.noun.count(lost.labelled + lost.failed)} "
        f"({percent(lost.share)})",
        FAILED_CALLS,
    )


def _yes(context: VerdictContext) -> Sentences:
    if context.evidence.safety is not None:
        return f"{phrase_caught(context)}; {phrase_seen_too(context)}", "keep checking what it passes"
    return (
        f"{phrase_slightly_further(context)}{phrase_beside(context)}",
        "keep rating a random share: clinicians should go on rating some of what the judge rates",
    )


def _leaning(context: VerdictContext) -> Sentences:
    return (
        f"{phrase_beside(context)}{phrase_lean(context)}",
        "read where they differ; the mean of the judge's labels is off by that amount",
    )


def _silent(context: VerdictContext) -> Sentences:
    lost = context.evidence.lost
    if lost.absences.together:
        return (
            f"the judge has no label for {context.noun.count(lost.absent)}, more often where clinicians "
            f"rate badly (p {chance(lost.absences.p or 0.0)})",
            "run the judge where it has no label; or find out where its labels were lost",
        )
    if lost.evasions.together and not lost.failures.together:
        return (
            'it says "does not apply" more often on what clinicians rate badly (p '
            f"{chance(lost.evasions.p or 0.0)})",
            "read the cases where it says so and clinicians do not",
        )
    return (
        f"it gave no label on {context.noun.count(lost.failed)}, more often where clinicians rate badly (p "
        f"{chance(lost.failures.p or 0.0)})",
        "read the cases without a label; find out why the judge's calls fail there",
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
                f"have more {context.noun.plural} rated that may get the rarer label",
            )
    raise AssertionError("neither difference has an interval")


def _open(context: VerdictContext) -> Sentences:
    return (
        f"{phrase_slightly_further(context)}{phrase_with_difference(context)}{phrase_lean(context)}",
        _shared(context),
    )


def _open_same(context: VerdictContext) -> Sentences:
    same_label = phrase_same_label(context.evidence.same_label, context.verdict.margin)
    return (
        f"{phrase_slightly_further(context)}{same_label}; for a match, the whole range has to lie above "
        f"-{amount_in_points(context.verdict.margin)}{phrase_lean(context)}",
        _shared(context),
    )


def _open_colleague(context: VerdictContext) -> Sentences:
    return f"{phrase_seen_too(context)}", _with_failures(context)


def _open_caught(context: VerdictContext) -> Sentences:
    return f"{phrase_caught(context)}; for a match, {phrase_failures_needed(context)}", _with_failures(
        context
    )


def _settle_first(context: VerdictContext) -> Sentences:
    safety = context.evidence.safety
    assert safety is not None
    left = safety.settling.drawn - safety.settling.settled
    return (
        f"{settle_sentence(safety.settling, safety.passed, context.noun)} For a match, "
        f"{phrase_failures_needed(context)}",
        f"{SETTLE}: {left:,} {inflect(left, context.noun.singular, context.noun.plural)} in which a "
        "clinician saw a failure, before anyone relies on this judge"
        if left
        else f"{SETTLE}: a larger share of them (Plan of work)",
    )


def _suspected_copy(context: VerdictContext) -> Sentences:
    raters = name_raters(context, context.evidence.suspected_copies)
    return (
        f"the judge nearly always gives the same label as {raters}, far more often than other clinicians do",
        "find out why their labels are so alike: did one of them see the other's?",
    )


def _uneven(context: VerdictContext) -> Sentences:
    return (
        f"clinicians agree more, or less, on the {context.noun.plural} that more of them labelled, so "
        f"clinicians and the judge are not compared on the same {context.noun.plural}",
        "have equally many clinicians rate each; or set aside the raters who labelled only some",
    )


def _clinicians_open(context: VerdictContext) -> Sentences:
    people = context.evidence.people
    return (
        f"clinicians are not shown to agree well enough with each other: {context.name_of('kappa')} "
        f"{number_with_limits(people)}, where the lower limit has to reach "
        f"{decimal(MIN_AGREEMENT_OF_CLINICIANS, 2)}",
        f"{_shared(context)}; or calibrate",
    )


def _one_rater(context: VerdictContext) -> Sentences:
    raters = name_raters(context, rests_on(context.evidence, context.margins))
    return (
        f"it would match clinicians, but only if the labels of {raters} are counted: "
        f"{phrase_beside(context)}",
        "read where these labels differ from the others'",
    )


def _more_alarms(context: VerdictContext) -> Sentences:
    return phrase_alarms(context), "read its false alarms; change the judge or its prompt"


REASONS: dict[VerdictReason, Callable[[VerdictContext], Sentences]] = {
    VerdictReason.NOT_BLIND: lambda _: (
        "a verdict needs labels known to be blind, and these are not",
        "choose the ratings given blind",
    ),
    VerdictReason.ONE_RATER_CHOSEN: lambda _: (
        "only one rater is chosen, so there is no colleague to compare with",
        "choose everyone",
    ),
    VerdictReason.NO_JUDGE_LABEL: _no_label,
    VerdictReason.NO_PAIRS: lambda context: (
        "nothing was labelled both by the judge and by a clinician rating blind",
        f"rate {context.noun.plural} blind",
    ),
    VerdictReason.ALL_DOES_NOT_APPLY: lambda _: (
        "clinicians always said that it does not apply",
        "nothing to do, unless it applies somewhere",
    ),
    VerdictReason.FEW_PAIRS: _few_pairs,
    VerdictReason.FEW_CONVERSATIONS: _few_pairs,
    VerdictReason.NO_TWO_CLINICIANS: lambda context: (
        f"no {context.noun.singular} was rated by two clinicians, so there is no colleague to compare with",
        f"have {context.noun.plural} rated by two clinicians",
    ),
    VerdictReason.FEW_PAIRS_OF_CLINICIANS: lambda context: (
        "two clinicians' labels can be compared only "
        f"{count(context.evidence.people_pairs, 'time', 'times')}, in "
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
