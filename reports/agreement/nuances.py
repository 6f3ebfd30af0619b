"""What clinicians said beside their labels: which others they would defend too, and how sure they were."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.document import Paragraph, Section, Table
from reports.wording import share
from words.plurals import count


def nuances_section(findings: Findings) -> Section | None:
    """Return the section on labels that clinicians would also defend or were sure of; None without any, or
    a judge.
    """
    rows = findings.defensible
    if not rows or findings.asked.judge is None:
        return None
    pairs, same, defended = (
        sum(amounts) for amounts in zip(*((row.pairs, row.same, row.defended) for row in rows), strict=True)
    )
    sure, missed = sum(row.sure for row in rows), sum(row.missed for row in rows)
    text = (
        f"On {same:,} of {count(pairs, 'pair', 'pairs')} the judge gave the clinician's label; on "
        f"{defended:,}, it gave that label or another one that the clinician would also defend."
    )
    if sure:
        text += (
            f" Clinicians were sure of {count(sure, 'label', 'labels')}; on {missed:,} of these, the judge "
            "gave a label that they would not defend."
        )
    table = [
        (
            findings.material.questions[row.question].criterion.name,
            f"{row.pairs:,}",
            f"{row.same:,}",
            f"{row.defended:,}",
            share(row.share),
            f"{row.sure:,}",
            f"{row.missed:,}",
            share(row.missed_share) if row.sure else "",
        )
        for row in rows
    ]
    columns = (
        "Criterion",
        "Pairs",
        "Same label",
        "Same, or also defensible",
        "Percent",
        "Clinician was sure",
        "Of these, missed",
        "Percent missed",
    )
    return Section(
        "defensible",
        "Other labels that clinicians would also defend, and how sure they were",
        (
            Paragraph(text, "strong"),
            Table(
                "defensible",
                "Only criteria on which a clinician named another label or said how sure they were",
                columns,
                table,
                (1, 2, 3, 5, 6),
            ),
            Paragraph(
                "Verdicts rest on the strict comparison: otherwise a judge that always gives the second "
                "choice would look good.",
                "small",
            ),
        ),
    )
