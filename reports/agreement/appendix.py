"""Every coefficient of the report, in a table."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.document import Paragraph, Section, Table
from reports.wording import limits, number
from scoring.agreement.intervals.estimate import Estimate


def appendix_section(findings: Findings) -> Section:
    """Return the section with every coefficient: method, n, conversations and interval."""
    rows: list[tuple[str, ...]] = []
    for judge_agreement in findings.beside if findings.asked.judge else ():
        for name, estimate in [
            ("percent agreement", judge_agreement.percent),
            *judge_agreement.coefficients.items(),
            ("judge minus clinician, mean", judge_agreement.bias),
            *((f"{name}, whether it applies", e) for name, e in (judge_agreement.applies or {}).items()),
            *((f"{name}, all labels as categories", e) for name, e in judge_agreement.whole_scale.items()),
        ]:
            rows.append(
                _line(judge_agreement.question.criterion.name, "clinicians and judge", name, estimate)
            )
    for question, comparisons in zip(
        (judge_agreement.question.criterion.name for judge_agreement in findings.beside),
        findings.colleague_comparisons,
        strict=True,
    ):
        for comparison in comparisons if findings.asked.judge else ():
            rows += [
                _line(question, f"{who}, shared {findings.asked.study.noun.plural}", comparison.name, e)
                for who, e in (
                    ("clinicians with each other", comparison.people),
                    ("clinicians and judge", comparison.judge),
                    ("judge minus colleague", comparison.difference),
                )
            ]
    for people in findings.people:
        rows += [
            _line(people.question.criterion.name, "clinicians with each other", name, estimate)
            for name, estimate in people.coefficients.items()
        ]
    return Section(
        "appendix",
        "All coefficients",
        (
            Paragraph(
                "Every interval is computed by leaving out one conversation at a time or, if a person has "
                "several conversations, one person at a time (jackknife, t). Formulas and sources: "
                "docs/reference_statistics.md.",
                "small",
            ),
            Table(
                "coefficients",
                "Every coefficient",
                (
                    "Criterion",
                    "Between",
                    "Coefficient",
                    "Value",
                    "95% interval",
                    "n",
                    "Conversations, or persons",
                    "Method",
                ),
                rows,
                (3, 5, 6),
            ),
        ),
    )


def _line(criterion: str, between: str, name: str, estimate: Estimate) -> tuple[str, ...]:
    return (
        criterion,
        between,
        name,
        number(estimate, 3),
        limits(estimate, 3),
        f"{estimate.n:,}",
        "" if estimate.conversations is None else f"{estimate.conversations:,}",
        estimate.method,
    )
