"""The agreement report, in the order in which a clinician needs it: warnings, the verdicts, safety, then
why.
"""

from __future__ import annotations

from collections.abc import Callable

from reports.agreement.alt_test_section import stand_in_section
from reports.agreement.appendix import appendix_section
from reports.agreement.clinicians_by_judge_label import when_judge_says_section
from reports.agreement.colleague import colleague_section
from reports.agreement.criteria import criteria_section
from reports.agreement.decisions_and_reasons import decisions_section, reasons_section
from reports.agreement.findings import Findings
from reports.agreement.front import answer_section, brief, header, warnings
from reports.agreement.matrices import matrices_section
from reports.agreement.not_applicable import not_applicable_section
from reports.agreement.nuances import nuances_section
from reports.agreement.paths import paths_section
from reports.agreement.people import raters_section, settled_section, shown_section
from reports.agreement.people_evidence import headline_of_people
from reports.agreement.safety_words import safety_section
from reports.agreement.verdicts import headline, rest_of_headline, verdicts_section
from reports.document import Report, Section

SECTIONS: tuple[Callable[[Findings], Section | None], ...] = (
    verdicts_section,
    safety_section,
    answer_section,
    colleague_section,
    criteria_section,
    matrices_section,
    paths_section,
    not_applicable_section,
    raters_section,
    when_judge_says_section,
    nuances_section,
    shown_section,
    settled_section,
    decisions_section,
    reasons_section,
    stand_in_section,
    appendix_section,
)
OF_JUDGES = {answer_section, verdicts_section, criteria_section, matrices_section}


def report(findings: Findings, progress: Callable[[float, float], None] | None = None) -> Report:
    """Return the report of findings; without a judge, without the sections on judges.

    `progress`, if given, is called with (sections done, all).
    """
    asked, sections = findings.asked, []
    chosen = [section for section in SECTIONS if asked.judge or section not in OF_JUDGES]
    for number, section in enumerate(chosen, start=1):
        sections.append(section(findings))
        if progress is not None:
            progress(number, len(chosen))
    title = f"Agreement: {asked.study.title}"
    return Report(
        title,
        header(findings),
        warnings(findings),
        tuple(filter(None, sections)),
        noun=asked.study.noun,
        answer=_answer(findings),
    )


def _answer(findings: Findings) -> tuple[str, ...]:
    """Return what the page says first: the headline, and what it leaves out and covers."""
    if findings.asked.judge is None:
        return headline_of_people(findings), brief(findings)
    return tuple(filter(None, (headline(findings), rest_of_headline(findings), brief(findings))))
