"""What to do next about a criterion in a few words, for a line of a table."""

from __future__ import annotations

from reports.agreement.verdict_phrases import VerdictContext
from scoring.agreement.verdicts.verdict_rule import VerdictReason

FAILED_CALLS = "find out why its calls fail"
TWO_CLINICIANS = "two clinicians on the same"
READ = "read where they differ"
READ_MISSED = "read what it did not see"
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
    VerdictReason.CATCHES_LESS_THAN_COLLEAGUE: READ_MISSED,
    VerdictReason.CATCHES_BELOW_BAR: READ_MISSED,
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
