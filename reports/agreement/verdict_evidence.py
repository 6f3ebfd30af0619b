"""A line for each criterion: the verdict, both agreements on one axis, which way the judge leans, how often
it differs, and what to do next.
"""

from __future__ import annotations

from itertools import chain

from reports.agreement.coefficient_words import axis_head, plain_name
from reports.agreement.findings import Findings, JudgedCriterion
from reports.agreement.verdict_words import VerdictWords, word_verdicts
from reports.document import Evidence, EvidenceRow, PageHead
from reports.verdict_table import VERDICTS, wording_of
from reports.wording import levels_away, listed
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from scoring.agreement.verdicts.verdict_rule import TrustVerdict
from words.figures import signed_decimal
from words.plurals import inflect

LEANS = "Leans"
LEANS_FROM_CLINICIANS = PageHead(
    "Differs from clinicians",
    "How far the judge's labels lie above or below the clinicians' on average, in levels of the scale.",
)


def verdict_evidence(findings: Findings) -> Evidence:
    """Return a row per criterion with its verdict.

    First come safety criteria that wait to be settled and criteria on which clinicians differ, because
    there no judge can be validated; then the others in the order of the instrument.
    """
    words, page_words = word_verdicts(findings), word_verdicts(findings, plain_name)
    notes_names = ["Why", "What to do next"]
    if any(w.rests_on for w in words):
        notes_names.append("Verdict depends on")
    if findings.aside:
        notes_names.append("With " + listed([findings.names.get(rater, "?") for rater in findings.aside]))
    leaning = any(judged.evidence.level is not None for judged in findings.verdicts)
    rows = [
        _row(findings, judged, w, w_on_page, judge_agreement, len(notes_names), leaning)
        for judged, w, w_on_page, judge_agreement in zip(
            findings.verdicts, words, page_words, findings.beside, strict=True
        )
    ]
    first = [
        row
        for row, judged in zip(rows, findings.verdicts, strict=True)
        if judged.verdict.verdict is TrustVerdict.COLLEAGUES_DIFFER
        or wording_of(judged.verdict).shape == "alert"
    ]
    estimates = list(chain.from_iterable(row.estimates for row in rows))
    ends = [end for estimate in estimates for end in (estimate.value, estimate.low) if end is not None]
    names = list(dict.fromkeys(judged.evidence.coefficient.name for judged in findings.verdicts))
    axis = f"{' or '.join(names).capitalize()}: 0 is chance, 1 is always the same label"
    return Evidence(
        "trust",
        "Verdict and reason",
        "Criterion",
        "Trust it?",
        ("Clinicians with each other", "The judge with clinicians"),
        axis,
        (*([LEANS] if leaning else []), "Differ", "Next"),
        tuple(notes_names),
        (*first, *(row for row in rows if row not in first)),
        min([0.0, *ends]),
        1.0,
        page_heads={axis: axis_head(names), LEANS: LEANS_FROM_CLINICIANS},
    )


def _row(
    findings: Findings,
    judged: JudgedCriterion,
    words: VerdictWords,
    page_words: VerdictWords,
    judge_agreement: JudgeAgreement,
    notes: int,
    leaning: bool,
) -> EvidenceRow:
    evidence, counted = judged.evidence, judge_agreement.counted
    lean = evidence.bias.value if evidence.level is not None else None
    differ = counted.pairs - counted.same
    rest = [words.next]
    if notes > 1 + len(rest) + bool(findings.aside):
        rest.append(words.rests_on)
    if findings.aside:
        rest.append(VERDICTS[judged.with_aside.verdict].word if judged.with_aside else "")
    cells = (f"{differ:,} of {counted.pairs:,}" if counted.pairs else "", words.step)
    return EvidenceRow(
        judge_agreement.question.id,
        words.criterion,
        wording_of(judged.verdict).shape,
        words.answer,
        (evidence.coefficient.people, evidence.coefficient.judge),
        (*(["" if lean is None else signed_decimal(lean, 2)] if leaning else []), *cells),
        (*([lean] if leaning else []), differ / counted.pairs if counted.pairs else None, None),
        (words.why, *rest),
        page_cells=(
            *(["" if lean is None else levels_away(lean)] if leaning else []),
            cells[0],
            f"{words.step}{_resting(judged)}",
        ),
        page_notes=(page_words.why, *rest),
    )


def _resting(judged: JudgedCriterion) -> str:
    """That the answer would be another one without a rater, where there is an answer."""
    if not judged.influences or wording_of(judged.verdict).shape == "unknown":
        return ""
    return f"; rests on {inflect(len(judged.influences), 'one rater', 'single raters')}"
