"""What to know before a verdict is believed: said in the same words in the first line of Overview, Studies,
Agreement and the report.
"""

from __future__ import annotations

from collections.abc import Mapping

from reports.agreement.findings import Findings
from reports.wording import listed
from scoring.agreement.safety.safety_units import Settling
from scoring.agreement.verdicts.verdict_rule import VerdictReason
from words.plurals import count
from words.unit_nouns import UnitNoun

LABELS = UnitNoun("label", "labels")  # of several safety criteria


def leading_caution(findings: Findings) -> str:
    """Return the most urgent of `verdict_cautions`, or "" if there is none."""
    return next(iter(verdict_cautions(findings)), "")


def verdict_cautions(findings: Findings) -> list[str]:
    """Return the warnings on the verdicts, most urgent first; [] without a judge.

    They are on unsettled failures, a judge that is silent where clinicians see failures, raters who look
    like its copy, and raters whose labels say nothing.
    """
    if not findings.asked.judge:
        return []
    return [*_unsettled(findings), *_silent(findings), *_copies(findings), *_uninformative(findings)]


def _unsettled(findings: Findings) -> list[str]:
    waiting = [
        judged.number for judged in findings.verdicts if judged.verdict.reason is VerdictReason.SETTLE_FIRST
    ]
    if not waiting:
        return []
    passed = sum(findings.gates[number].passed for number in waiting)
    settlings = [findings.gates[number].settling for number in waiting]
    whole = Settling(
        sum(settling.listed for settling in settlings),
        sum(settling.drawn for settling in settlings),
        sum(settling.settled for settling in settlings),
    )
    noun = findings.asked.study.noun if len(waiting) == 1 else LABELS
    return [settle_sentence(whole, passed, noun)]


def settle_sentence(settling: Settling, passed: int, noun: UnitNoun) -> str:
    """Return "Clinicians saw a failure in 8 conversations. 3 of 8 are settled. Settle 5 before anyone
    relies on this judge."

    With `passed`, the number on which most clinicians saw a failure and the judge did not, it begins "The
    judge passed 2 conversations in which most clinicians saw a failure." If only some were drawn, it says
    so.
    """
    left = settling.drawn - settling.settled
    seen = (
        f"The judge passed {noun.count(passed)} {'on' if noun is LABELS else 'in'} which most clinicians saw "
        "a failure."
        if passed
        else f"Clinicians saw a failure in {noun.count(settling.listed)}."
    )
    so_far = f" {settling.settled:,} of {settling.drawn:,} are settled." if settling.settled else ""
    if settling.listed and not settling.drawn:
        return f"{seen} None of these was chosen for settling: settle a larger share (Plan of work)."
    drawn = f", chosen at random from {settling.listed:,}," if settling.drawn < settling.listed else ""
    return f"{seen}{so_far} Settle {left:,}{drawn} before anyone relies on this judge."


def _silent(findings: Findings) -> list[str]:
    sentences = []
    for kind, verb in (
        ("failures", "fails to give a label"),
        ("absences", "has no label"),
        ("evasions", "says that it does not apply"),
    ):
        names = [
            findings.material.questions[judged.number].criterion.name
            for judged in findings.verdicts
            if getattr(judged.evidence.lost, kind).together
        ]
        if names:
            sentences.append(
                f"The judge {verb} more often where clinicians rate the "
                f"{findings.asked.study.noun.singular} badly: {listed(names, 4)}. A person should read them."
            )
    return sentences


def _copies(findings: Findings) -> list[str]:
    return [
        f"The judge gave the same label as {findings.names.get(copy.rater, '?')} on {copy.same:,} of "
        f"{copy.labels:,} labels; that rater agrees with the others on {copy.others_same:,} of "
        f"{copy.others:,}. One may have copied or seen the other's labels, or both may be right. Find out "
        "before you trust the numbers."
        for copy in findings.copies
    ]


def _uninformative(findings: Findings) -> list[str]:
    criteria = list_uninformative(findings)
    return [
        f"{findings.names.get(rater, '?')} is not shown to agree with the others beyond chance on "
        f"{listed(names, 4)}, so this rater is left out there."
        for rater, names in criteria.items()
    ]


def list_uninformative(findings: Findings) -> Mapping[int, list[str]]:
    """Return rater -> names of the criteria on which their labels say nothing; other raters are absent."""
    criteria: dict[int, list[str]] = {}
    for judged in findings.verdicts:
        for rater in judged.evidence.uninformative:
            criteria.setdefault(rater, []).append(findings.material.questions[judged.number].criterion.name)
    return criteria


def name_left_out(findings: Findings) -> list[str]:
    """Return sentences on raters set aside, on raters with too few units, and on labels that are not blind
    after all.

    Such as "Rater A was set aside (REASON): their labels are in no headline. The answers with them are
    shown as well."
    """
    noun = findings.asked.study.noun
    sentences = [
        f"{findings.names.get(rater, '?')} was set aside ({why}), so no headline includes this rater's "
        "labels. The answers with these labels are shown as well."
        for rater, why in findings.aside.items()
    ]
    if findings.thin:
        named = listed(
            [
                f"{findings.names.get(rater, '?')} ({noun.count(units)})"
                for rater, units in findings.thin.items()
            ],
            4,
        )
        sentences.append(f"These raters rated too few {noun.plural} to be in a headline: {named}.")
    if findings.seen_elsewhere:
        labels = count(findings.seen_elsewhere, "label is", "labels are")
        sentences.append(
            f"{labels} left out, because the rater had seen a judge's labels for the same conversation in "
            "another study."
        )
    return sentences


def phrase_coverage(labelled: int, rated: int, noun: UnitNoun) -> str:
    """Return "the judge has labelled 8 of 10 rated conversations", "all 10", "none of the 10", "the one"; ""
    if nothing is rated.
    """
    if rated == 1:
        return f"the judge has {'' if labelled else 'not '}labelled the one rated {noun.singular}"
    if labelled == rated:
        return f"the judge has labelled all {rated:,} rated {noun.plural}" if rated else ""
    part = f"{labelled:,} of" if labelled else "none of the"
    return f"the judge has labelled {part} {rated:,} rated {noun.plural}"
