"""Whether a criterion applies, apart from the verdict."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.document import Paragraph, Section, Table
from reports.wording import number_with_limits


def not_applicable_section(findings: Findings) -> Section | None:
    """Return the section on whether clinicians and judge agree that a criterion applies.

    None without a judge, or if no criterion can be "does not apply".
    """
    agreements = [
        judge_agreement for judge_agreement in findings.beside if judge_agreement.separated is not None
    ]
    if not agreements or findings.asked.judge is None:
        return None
    rows = []
    for judge_agreement in agreements:
        apart, applies = judge_agreement.separated, judge_agreement.applies or {}
        invalid = (
            int(judge_agreement.counted.table[-1].sum()),
            int(judge_agreement.counted.table[:, -1].sum()),
        )
        assert apart is not None
        pairs = apart.applies
        rows.append(
            (
                judge_agreement.question.criterion.name,
                f"{len(pairs):,}",
                f"{int(pairs.table().trace()):,}",
                number_with_limits(applies["kappa"]),
                number_with_limits(applies["AC1"]),
                f"{judge_agreement.verdicts.pairs:,}",
                number_with_limits(judge_agreement.coefficients["kappa"]),
                f"{apart.forced:,}",
                f"{apart.first_against}, {apart.second_against}",
                f"{invalid[0]}, {invalid[1]}" if judge_agreement.question.invalid else "is allowed",
            )
        )
    columns = (
        "Criterion",
        "Pairs",
        "Same on whether it applies",
        "Kappa of that",
        "AC1 of that",
        "Both say it applies",
        "Kappa where it applies",
        "Filled in by rule, left out",
        "Given another label there: clinicians, judge",
        "Given where not allowed: clinicians, judge",
    )
    return Section(
        "not_applicable",
        f"\u201c{findings.asked.study.instrument.not_applicable_name}\u201d",
        (
            Paragraph(
                "This table first compares whether a criterion applies, then the labels where clinician and "
                "judge both say that it does. One number over all labels would mix the two."
            ),
            Table("not_applicable", "Whether it applies, then the labels", columns, rows, (1, 2, 5, 7)),
        ),
    )
