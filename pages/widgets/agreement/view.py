"""The Agreement page: the answer and its evidence on the first screen, the rest behind lines that open."""

from __future__ import annotations

from html import escape

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text
from pages.widgets.agreement.address import Address
from pages.widgets.agreement.differences import differences
from pages.widgets.agreement.verdict_table import draw_people, draw_verdicts
from pages.widgets.blocks import show_blocks
from pages.widgets.opening_line import ALL_DETAILS, opening_line
from pages.widgets.unit_links import unit_links
from pages.widgets.untrusted_text import Link
from reports.agreement.findings import Findings
from reports.agreement.front import GUESSING, brief, narrowing
from reports.agreement.people_evidence import headline_of_people
from reports.agreement.safety_words import caught_in_words
from reports.agreement.verdict_cautions import leading_caution
from reports.agreement.verdicts import headline, rest_of_headline
from reports.document import Block, Evidence, Paragraph, Report, Section
from scoring.agreement.safety.safety import Safety
from scoring.agreement.verdicts.verdict_rule import VerdictReason

TITLES = {"trust": "What trust means here", "answer": "How often the same label", "safety": "Safety"}
BEFORE = "<strong>Before you rely on this:</strong> "
DOTS = 40  # failures up to which each has its own dot


def show_answer(findings: Findings) -> None:
    """Show the headline and what it covers."""
    has_judge = findings.asked.judge is not None
    untrusted_text.heading(headline(findings) if has_judge else headline_of_people(findings), 1)
    with st.container(gap=None):
        if has_judge and (rest := rest_of_headline(findings)):
            untrusted_text.paragraph(rest)
        untrusted_text.paragraph(
            " ".join([brief(findings), *narrowing(findings)]),
            small=True,
            term=GUESSING if has_judge else "",
        )


def show_caution(findings: Findings) -> None:
    """Show the first caution, if there is one."""
    caution = leading_caution(findings)
    if caution:
        st.html(f'<div class="sr-cautions"><p>{BEFORE}{escape(caution)}</p></div>')


def show_evidence(study: Study, findings: Findings, report: Report, change: str) -> None:
    """Show warnings and safety, then one line per criterion. `change` says that the judge's labels changed,
    or "".
    """
    _cautions(study, findings, report, change)
    if findings.safety is not None:
        _safety(study, findings, findings.safety)
    if findings.asked.judge is None:
        draw_people(findings)
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Evidence):
                draw_verdicts(study, findings, block)


def show_rest(study: Study, findings: Findings, report: Report, address: Address) -> None:
    """Show all sections behind one line, each behind its own; closed ones are not drawn."""
    everything = opening_line(ALL_DETAILS, "everything", at_once="criterion" in st.query_params)
    if not everything.open:
        return
    with everything:
        for section in report.sections:
            _section(study, section)
        if findings.asked.judge is not None:
            line = opening_line(
                f"Every {study.noun.singular} on which they differ",
                "differences",
                "criterion" in st.query_params,
            )
            if line.open:
                with line:
                    differences(study, findings, address)


def _section(study: Study, section: Section) -> None:
    line = opening_line(untrusted_text.plain(TITLES.get(section.key, section.title)), section.key)
    if line.open:
        with line:
            show_blocks(study, [block for block in section.blocks if not _is_above(section, block)])


def _is_above(section: Section, block: Block) -> bool:
    """Tell whether the first screen shows this block already."""
    headline_of_page = section.key == "trust" and isinstance(block, Paragraph) and block.tone == "strong"
    return headline_of_page or isinstance(block, Evidence)


def _cautions(study: Study, findings: Findings, report: Report, change: str) -> None:
    """Show the first caution, and behind it the others and what the numbers cover."""
    cautions, ways = [escape(caution) for caution in report.cautions], []
    above = narrowing(findings)
    address = f"study={study.key}&reader={st.query_params.get('reader', '')}"
    if any(judged.verdict.reason is VerdictReason.SETTLE_FIRST for judged in findings.verdicts):
        ways.append(Link("Settle failures", f"adjudication?{address}"))
    if change:
        cautions.insert(1 if leading_caution(findings) else 0, escape(change))
        ways.append(Link("Drift of the judge", f"drift?{address}&part=judge"))
    if cautions:
        more = f" <u>{len(cautions) - 1} more</u>" if len(cautions) > 1 else ""
        look, summary = "", f"{BEFORE}{cautions[0]}{more}"
    else:
        look, summary = " sr-quiet", "What these numbers cover"
    st.html(
        f'<div class="sr-cautions{look}"><details><summary>{summary}</summary><ul>'
        + "".join(f"<li>{caution}</li>" for caution in cautions[1:])
        + "".join(f"<li>{escape(sentence)}</li>" for sentence in report.header if sentence not in above)
        + "</ul></details>"
        + "".join(f'<p class="sr-way">{link.__html__()}</p>' for link in ways)
        + "</div>"
    )


def _safety(study: Study, findings: Findings, safety: Safety) -> None:
    """Show each confirmed failure as a dot; a missed one links to its unit."""
    caught = safety.caught
    missed = [unit for unit in safety.to_read if unit.confirmed]
    dots = ""
    if caught.counts[0] + len(missed) <= DOTS:
        links = unit_links(study, [unit.position for unit in missed])
        dots = '<span class="sr-dot sr-caught" aria-hidden="true">\u2713</span>' * caught.counts[0]
        for unit in missed:
            link, sign = links[unit.position], "?" if unit.label is None else "\u2715"
            look = "sr-dot sr-unlabelled" if unit.label is None else "sr-dot sr-missed"
            state = "no label" if unit.label is None else "not caught"
            dots += (
                f'<a class="{look}" href="{escape(link.target, quote=True)}" target="_self" '
                f'title="{escape(f"{link.text}: {state}", quote=True)}">{sign}</a>'
                if isinstance(link, Link)
                else f'<span class="{look}" title="{state}">{sign}</span>'
            )
    st.html(
        f'<p class="sr-safety"><strong>Safety.</strong> {escape(caught_in_words(safety, findings))} '
        f'<span class="sr-dots">{dots}</span></p>'
    )
