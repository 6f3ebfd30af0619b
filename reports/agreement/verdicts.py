"""The judge criterion by criterion in a word, with the reason and what to do next: what a reader takes away
after two minutes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from reports.agreement.findings import Findings, JudgedCriterion
from reports.agreement.verdict_evidence import verdict_evidence
from reports.agreement.verdict_words import word_verdicts
from reports.document import Paragraph, Section
from reports.verdict_table import (
    FALLS_SHORT,
    MATCHES,
    SETTLE_FIRST,
    VERDICTS,
    VerdictWording,
    wording_of,
)
from reports.wording import listed, plain_words
from scoring.agreement.verdicts.verdict_rule import (
    CATCH_MARGIN,
    REFUSED_BY_CHANCE,
    Margins,
    TrustVerdict,
)
from words.figures import decimal, percent
from words.plurals import count


def verdicts_section(findings: Findings) -> Section:
    """Return the section on which criteria the judge can be trusted."""
    return Section(
        "trust",
        "On which criteria can you trust it?",
        (
            Paragraph(headline(findings), "strong"),
            *([Paragraph(rest)] if (rest := rest_of_headline(findings)) else []),
            verdict_evidence(findings),
            Paragraph(
                "Trust here means that the judge is as close to clinicians as they are to each other, on "
                "what was rated. It says nothing about other conversations, models or rubrics. "
                f"{margins_in_words(findings.margins, bool(findings.gates))}{_changes(findings)}"
                f"{_refused_by_chance(len(findings.verdicts))}",
                "small",
            ),
        ),
    )


def headline(findings: Findings) -> str:
    """Return how the judge does, in one sentence of at most 14 words.

    Such as "The judge matches clinicians on 1 of 6 criteria and falls short on 2."; "There are no
    labels to compare the judge with yet." without criteria.
    """
    counts, criteria = _counts(findings), len(findings.verdicts)
    if not criteria:
        return "There are no labels to compare the judge with yet."
    if len(counts) == 1:
        everywhere = f"all {criteria} criteria" if criteria > 1 else "the one criterion"
        return _sentence([f"{next(iter(counts)).clause} on {everywhere}"])
    first, second = _in_headline(counts)
    if first is None:
        return _sentence([f"the judge is not shown to match clinicians on any of {criteria} criteria"])
    more = f" and {second.word} on {counts[second] or 'none'}" if second else ""
    return _sentence([f"{first.clause} on {counts[first]} of {criteria} criteria{more}"])


def rest_of_headline(findings: Findings) -> str:
    """Return what the headline leaves out, in a second sentence; "" if nothing."""
    counts = _counts(findings)
    if len(counts) < 2:
        return ""
    shown = _in_headline(counts)
    return _sentence(
        [
            f"{wording.clause.replace('the judge', 'it')} on {number}"
            for wording, number in counts.items()
            if wording not in shown
        ]
    )


def _in_headline(
    counts: Counter[VerdictWording],
) -> tuple[VerdictWording | None, VerdictWording | None]:
    """What the headline says first and second, of several verdicts."""
    yes, no, leans = (
        VERDICTS[verdict] for verdict in (TrustVerdict.YES, TrustVerdict.NO, TrustVerdict.LEANS)
    )
    if counts[yes]:
        return yes, no if counts[no] else None
    if counts[no]:
        return no, yes
    return (leans, None) if counts[leans] else (None, None)


def _counts(findings: Findings) -> Counter[VerdictWording]:
    """How many criteria have which, in the order of the table."""
    counts = Counter(wording_of(judged.verdict) for judged in findings.verdicts)
    ordered = (*VERDICTS.values(), SETTLE_FIRST)
    return Counter({wording: counts[wording] for wording in ordered if counts[wording]})


def _sentence(clauses: list[str]) -> str:
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def count_verdicts(findings: Findings) -> str:
    """Return the title of a chart: "Trust it? " and the counts of the headline and its second sentence, each
    verdict's word with its number, "; " between them.
    """
    return "Trust it? " + "; ".join(
        f"{wording.word}: {number}" for wording, number in _counts(findings).items()
    )


def margins_in_words(margins: Margins, gate: bool) -> str:
    """Return what the verdicts go by. `gate`: whether there are safety criteria."""
    bar = (
        " On a safety criterion, the verdict rests on settled labels only. The judge has to catch "
        f"{percent(margins.catches_at_least)} of the settled failures, even at the lower limit of the "
        f"interval. It must not fall {decimal(100 * CATCH_MARGIN, 0)} points behind a colleague in the "
        "failures it sees, nor exceed a colleague's false alarms by more than the margin."
        if gate
        else ""
    )
    return (
        f"\u201c{MATCHES.capitalize()}\u201d means that the judge's agreement with clinicians falls "
        "short of their agreement with each other, if at all, by less than "
        f"{decimal(margins.coefficient, 2)} (kappa) and {decimal(100 * margins.same_label, 0)} points (same "
        "label), even at the far end of the interval and whichever rater is left out. If half the share of "
        f"the rarer label is fewer points, that is the limit instead. \u201c{FALLS_SHORT.capitalize()}\u201d "
        f"means that the whole interval shows a shortfall, estimated at that much or more.{bar}"
    )


def _refused_by_chance(criteria: int) -> str:
    """How often several criteria refuse a good judge somewhere."""
    if criteria < 2:
        return ""
    usual, most = (100 * share for share in REFUSED_BY_CHANCE)
    once, often = (100 * (1 - (1 - share) ** criteria) for share in REFUSED_BY_CHANCE)
    return (
        f" By chance alone, a judge that is as good as a colleague {FALLS_SHORT} on {usual:.0f} to "
        f"{most:.0f} of 100 criteria. With {criteria} criteria, that happens on one or more of them in "
        f"about {once:.0f} to {often:.0f} of 100 studies."
    )


def _changes(findings: Findings) -> str:
    sentences = []
    for change in findings.margin_changes:
        moved = [
            f"{name} from {before} to {after}"
            for name, before, after in (
                (
                    "the margin for kappa",
                    decimal(change.before.coefficient, 2),
                    decimal(change.after.coefficient, 2),
                ),
                (
                    "the margin for the same label",
                    points_of(change.before.same_label),
                    points_of(change.after.same_label),
                ),
                (
                    "the share of failures to catch",
                    percent(change.before.catches_at_least),
                    percent(change.after.catches_at_least),
                ),
                (
                    "the share of failures to settle",
                    percent(change.before.settle_share),
                    percent(change.after.settle_share),
                ),
            )
            if before != after
        ]
        sentences.append(
            f" These limits were changed on {change.at[:10]}, after "
            f"{count(change.ratings, 'blind label', 'blind labels')}: {listed(moved)}."
        )
    return "".join(sentences)


def points_of(share: float) -> str:
    """Return a share in whole percentage points, such as "10 points"."""
    return f"{decimal(100 * share, 0)} points"


def verdict_numbers(findings: Findings) -> dict[str, Any]:
    """Return criterion -> its verdict, reason, next step and numbers, for programs."""
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
            "p": evidence.lost.failures.p,
        },
        "judge_has_label": {
            "units": evidence.lost.labelled,
            "of_rated": evidence.lost.rated,
            "absent": evidence.lost.absent,
            "p_absent": evidence.lost.absences.p,
        },
        "left_out_as_uninformative": [findings.names.get(rater, "?") for rater in evidence.uninformative],
        "with_uninformative": None
        if judged.with_uninformative is None
        else str(judged.with_uninformative.verdict),
        "suspected_copies": [findings.names.get(rater, "?") for rater in evidence.suspected_copies],
        "safety": None
        if safety is None
        else {
            "caught": plain_words(safety.caught.sensitivity),
            "caught_with_no_label_missed": plain_words(safety.caught.with_unlabelled_missed),
            "caught_with_absent_missed": plain_words(safety.caught.with_unasked_missed),
            "seen_with_clinicians": plain_words(safety.colleague.judge),
            "seen_by_colleague": plain_words(safety.colleague.clinician),
            "difference": plain_words(safety.colleague.difference),
            "false_alarms_judge": plain_words(safety.alarms.judge),
            "false_alarms_clinician": plain_words(safety.alarms.clinician),
            "false_alarms_difference": plain_words(safety.alarms.difference),
            "passed_what_most_failed": safety.passed,
            "settling": asdict(safety.settling),
        },
        "more_conversations": None if judged.plan is None else judged.plan.needed,
        "more_conversations_at_most": None if judged.plan is None else judged.plan.most,
        "chance_of_an_answer": None if judged.plan is None else judged.plan.chance,
        "rests_on": {
            findings.names.get(influence.rater, "?"): str(influence.without.verdict)
            for influence in judged.influences
        },
        "with_raters_set_aside": None if judged.with_aside is None else str(judged.with_aside.verdict),
    }
