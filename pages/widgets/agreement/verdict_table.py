"""The verdicts on a judge as an evidence table, for every page that shows them."""

from __future__ import annotations

import streamlit as st

from data.record import units
from data.record.studies import Study
from pages.widgets import reader_session
from pages.widgets.blocks import links_of
from pages.widgets.evidence.component import draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from reports.agreement.criterion_details import criterion_details, furthest_units
from reports.agreement.findings import Findings
from reports.agreement.people_evidence import people_evidence
from reports.document import Evidence

WORDS = 56  # characters of a conversation's beginning


def draw_verdicts(study: Study, findings: Findings, evidence: Evidence) -> None:
    """Show one line per criterion, the largest differences behind it. The address names the open line."""
    furthest = [furthest_units(findings, judge_agreement) for judge_agreement in findings.beside]
    positions = sorted({unit.position for listed in furthest for unit in listed})
    first_words = _first_words(study, positions)
    details = {
        judge_agreement.question.id: criterion_details(judge_agreement, listed, first_words, study.noun)
        for judge_agreement, listed in zip(findings.beside, furthest, strict=True)
    }
    opened = st.query_params.get("row", "")
    links = links_of(study, [block for row in details.values() for block in row.behind])
    draw_evidence(f"evidence-{evidence.key}", evidence_data(evidence, details, links, opened))


def draw_people(findings: Findings) -> None:
    """Show how far clinicians agree with each other, for studies without a judge."""
    evidence = people_evidence(findings)
    draw_evidence(f"evidence-{evidence.key}", evidence_data(evidence, {}, {}, st.query_params.get("row", "")))


def _first_words(study: Study, positions: list[int]) -> dict[int, str]:
    """Return the first words of conversations by position, without erased ones."""
    beginnings = {}
    with reader_session.store().reading() as connection:
        for position in positions:
            unit = units.at_position(connection, study.id, position)
            messages = units.transcript(connection, unit) if unit is not None else None
            if messages:
                text = " ".join(messages[0].text.split())
                beginnings[position] = text if len(text) <= WORDS else f"{text[: WORDS - 1]}\u2026"
    return beginnings
