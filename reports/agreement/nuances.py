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
        f"On {same:,} of {count(pairs, 'pair', 'pairs')} the judge gave the clinician's label, on "
        f"{defended:,} that or one that the clinician would "
        f"defend too."
    )
    if sure:
        text += (
            f" Of {count(sure, 'label', 'labels')} that clinicians were sure of, it gave on {missed:,} "
            "one that they would not defend."
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
        "Clinician sure",
        "of them missed",
        "Percent missed",
    )
    return Section(
        "defensible",
        "Labels that would be defended too, and how sure",
        (
            Paragraph(text, "strong"),
            Table(
                "defensible",
                "Only criteria with such an answer of a clinician",
                columns,
                table,
                (1, 2, 3, 5, 6),
            ),
            Paragraph(
                "Verdicts rest on the strict comparison: a judge that always gives a second choice would "
                "look good against the whole set.",
                "small",
            ),
        ),
    )
