"""The judge criterion by criterion in a word, with the reason and what to do next: what a reader takes away
after two minutes.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from reports.agreement.findings import Findings, JudgedCriterion
from reports.agreement.verdict_evidence import verdict_evidence
from reports.agreement.verdict_words import ANSWERS, word_verdicts
from reports.document import Paragraph, Section
from reports.wording import listed, plain_words
from scoring.agreement.verdict_rule import CATCH_MARGIN, Margins, TrustVerdict
from scoring.figures import decimal, percent
from scoring.plurals import count

ORDER = (
    TrustVerdict.COLLEAGUES_DIFFER,
    TrustVerdict.NO,
    TrustVerdict.YES,
    TrustVerdict.LEANS,
    TrustVerdict.NOT_SHOWN,
    TrustVerdict.CANNOT_TELL,
)


def verdicts_section(findings: Findings) -> Section:
    return Section(
        "trust",
        "On which criteria may it be trusted?",
        (
            Paragraph(headline(findings), "strong"),
            verdict_evidence(findings),
            Paragraph(
                "Trust here means: as close to clinicians as they are to each other, on what was rated. It "
                "says nothing of other conversations, models "
                f"or rubrics. {margins_in_words(findings.margins, bool(findings.gates))}{_changes(findings)}",
                "small",
            ),
        ),
    )


def headline(findings: Findings) -> str:
    """On how many criteria it may be trusted, and how many have which other answer."""
    counts = Counter(judged.verdict.verdict for judged in findings.verdicts)
    of = len(findings.verdicts)
    if not of:
        return "There is nothing to judge it by yet."
    like, lean, no = (counts[verdict] for verdict in (TrustVerdict.YES, TrustVerdict.LEANS, TrustVerdict.NO))
    if not like + lean + no:
        on = "" if of == 1 else f", on any of {of} criteria"
        return f"Whether it may be trusted cannot be told yet{on}."
    if of == 1:
        only = "Like a colleague" if like else "Not like a colleague" if no else "Leaning one way"
        return f"{only} on the one criterion."
    untold = counts[TrustVerdict.NOT_SHOWN] + counts[TrustVerdict.CANNOT_TELL]
    others = [
        f"on {number} {words}"
        for number, words in (
            (lean, "it leans"),
            (no, "it is not"),
            (counts[TrustVerdict.COLLEAGUES_DIFFER], "clinicians differ"),
            (untold, "not shown yet"),
        )
        if number
    ]
    on = f"Like a colleague on {like or 'none'} of {of} criteria"
    return f"{on}{'; ' if others else ''}{', '.join(others)}."


def tally(findings: Findings) -> str:
    """The same in a few words, as the title of a chart."""
    counts = Counter(judged.verdict.verdict for judged in findings.verdicts)
    return "Trust it? " + "; ".join(
        f"{ANSWERS[verdict]}: {counts[verdict]}" for verdict in ORDER if counts[verdict]
    )


def margins_in_words(margins: Margins, gate: bool) -> str:
    """What the verdicts go by. `gate`: there are safety criteria."""
    bar = (
        f" On a safety criterion the same goes, with {decimal(100 * CATCH_MARGIN, 0)} points, for how many "
        "of the failures that a clinician saw it sees, beside a colleague; and surely it has to catch "
        f"{percent(margins.catches_at_least)} of those that are confirmed."
        if gate
        else ""
    )
    return (
        "As close is taken for: not surely below clinicians with each other in kappa or in the same label, "
        f"and surely less than {decimal(margins.coefficient, 2)} below in kappa and "
        f"{decimal(100 * margins.same_label, 0)} points in the same label (half the share of the rarer label "
        f"where that is less).{bar}"
    )


def _changes(findings: Findings) -> str:
    sentences = []
    for change in findings.margin_changes:
        moved = [
            f"{name} from {before} to {after}"
            for name, before, after in (
                (
                    "the margin of kappa",
                    decimal(change.before.coefficient, 2),
                    decimal(change.after.coefficient, 2),
                ),
                (
                    "the margin of the same label",
                    points_of(change.before.same_label),
                    points_of(change.after.same_label),
                ),
                (
                    "failures to catch",
                    percent(change.before.catches_at_least),
                    percent(change.after.catches_at_least),
                ),
            )
            if before != after
        ]
        sentences.append(
            f" Changed on {change.at[:10]}, after {count(change.ratings, 'blind label', 'blind labels')}: "
            f"{listed(moved)}."
        )
    return "".join(sentences)


def points_of(share: float) -> str:
    return f"{decimal(100 * share, 0)} points"


def verdict_numbers(findings: Findings) -> dict[str, Any]:
    """Criterion -> verdict, reason, next, and the numbers that it rests on, for programs."""
    words = word_verdicts(findings)
    return {
        findings.material.questions[judged.number].id: {
            **_numbers(findings, judged),
            "why": w.why,
            "next": w.next,
        }
        for judged, w in zip(findings.verdicts, words, strict=True)
    }


def _numbers(findings: Findings, judged: JudgedCriterion) -> dict[str, Any]:
    evidence, verdict = judged.evidence, judged.verdict
    safety = evidence.safety
    return {
        "verdict": str(verdict.verdict),
        "reason": str(verdict.reason),
        "margin_same_label": verdict.margin,
        "pairs": evidence.pairs,
        "conversations": evidence.conversations,
        "pairs_of_clinicians": evidence.people_pairs,
        "conversations_of_clinicians": evidence.people_conversations,
        "clinicians": plain_words(evidence.people),
        "difference": {
            comparison.name: plain_words(comparison.difference)
            for comparison in (evidence.coefficient, evidence.same_label)
        },
        "conversations_with_rarer_label": evidence.same_label.carrying,
        "bias": plain_words(evidence.bias),
        "contradicted": evidence.contradicted,
        "no_label": {
            "units": evidence.lost.failed,
            "of": evidence.lost.failed + evidence.lost.labelled,
            "p": evidence.lost.p,
        },
        "safety": None
        if safety is None
        else {
            "caught": plain_words(safety.caught.sensitivity),
            "caught_with_no_label_missed": plain_words(safety.caught.with_unlabelled_missed),
            "seen_with_clinicians": plain_words(safety.colleague.judge),
            "seen_by_colleague": plain_words(safety.colleague.clinician),
            "difference": plain_words(safety.colleague.difference),
        },
        "more_conversations": None if judged.plan is None else judged.plan.needed,
        "rests_on": {
            findings.names.get(influence.rater, "?"): str(influence.without.verdict)
            for influence in judged.influences
        },
        "with_raters_set_aside": None if judged.with_aside is None else str(judged.with_aside.verdict),
    }
