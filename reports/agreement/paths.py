"""Forms in which questions depend on answers: what judge and clinicians were asked, before what they said."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.document import Paragraph, Section, Table
from scoring.agreement.labels.asked_paths import compare_paths
from words.plurals import count

TITLE = "Which questions were asked"


def paths_section(findings: Findings) -> Section | None:
    """Return the section on which questions clinicians and judge were asked.

    None without a judge or pairs, or if every question is always asked.
    """
    if not findings.asked.study.instrument.conditional or findings.asked.judge is None:
        return None
    paths = compare_paths(findings.material)
    if not paths.pairs:
        return None
    rows = [
        (
            findings.material.questions[counts.question].criterion.name,
            f"{counts.both:,}",
            f"{counts.clinician:,}",
            f"{counts.judge:,}",
            f"{counts.neither:,}",
        )
        for counts in paths.questions
    ]
    return Section(
        "paths",
        TITLE,
        (
            Paragraph(
                "In this form, each answer decides which question comes next. Judge and clinician were "
                f"asked the same questions in {paths.same:,} of {count(paths.pairs, 'rating', 'ratings')} "
                "(one clinician's blind rating of one conversation that the judge rated too). Labels are "
                "compared only where both were asked. A question that was not asked is left out everywhere."
            ),
            Table(
                "paths",
                "Asked of",
                ("Question", "Both", "Clinician only", "Judge only", "Neither"),
                rows,
                (1, 2, 3, 4),
            ),
        ),
    )
