"""The overview of a study for its lead: how far to trust its judge, what needs attention, and how far the
work is. A rater sees only their own work here.
"""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

import streamlit as st

from data.labels import disagreements, work_overview
from data.labels.work_overview import RaterRow
from data.record import judge_runs, studies
from data.record.studies import Study
from data.settling import escalations
from data.store import trail
from pages import my_work
from pages.widgets import reader_session, untrusted_text
from pages.widgets.agreement.filters import whole_study_findings
from pages.widgets.agreement.verdict_table import draw_people, draw_verdicts
from pages.widgets.agreement.view import show_answer, show_caution
from pages.widgets.memo import memoize, study_head
from pages.widgets.overview.small_pictures import small_pictures
from pages.widgets.overview.verdict_dots import find_dots
from pages.widgets.page_context import page_context
from pages.widgets.unit_links import coming_from
from reports.agreement.findings import Findings
from reports.agreement.verdict_evidence import verdict_evidence
from reports.drift.anchor_rounds import change_of_judge
from reports.overview.needs import Need, Page, list_needs

ARCHIVED = "This study is archived. A study lead can bring it back under Work and raters, Title and archive."
ADDRESSES: dict[Page, tuple[str, dict[str, str]]] = {
    "settle": ("adjudication", {}),
    "notes": ("adjudication", {"queue": "escalation"}),
    "agreement": ("agreement", {}),
    "drift": ("drift", {"part": "judge"}),
    "work": ("lead", {}),
    "runs": ("runs", {}),
    "import": ("importing", {}),
}


def render() -> None:
    """Draw the Overview page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    if reader.rater is not None:
        my_work.render()
        return
    reader_session.saw_everything(study)
    findings = whole_study_findings(study)
    with st.container(key="answer-page", gap="small"):
        if study.archived:
            untrusted_text.paragraph(ARCHIVED)
        answer, needs_column = st.columns([3, 1], gap="large")
        with answer:  # before reading anything else
            show_answer(findings)
            show_caution(findings)
            if findings.asked.judge is None:
                draw_people(findings)
            else:
                with coming_from("overview"):
                    draw_verdicts(study, findings, verdict_evidence(findings))
                find_dots(study, findings)  # for the list of studies
        needs, raters = _read(study, findings)
        with needs_column:
            if not study.archived:
                _needs(study, needs)
        small_pictures(study, findings, raters)


def _read(study: Study, findings: Findings) -> tuple[list[Need], list[RaterRow]]:
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)

        def count_to_settle() -> int:
            return disagreements.between_people(connection, study, 1).total

        raters = work_overview.by_rater(connection, study)
        needs = list_needs(
            findings,
            studies.unit_count(connection, study.id),
            memoize("labels-to-settle", study.id, head, count_to_settle),
            escalations.open_ones(connection, study.id),
            raters,
            judge_runs.listing(connection, study.id, 1),
            change_of_judge(connection, study, findings.asked.judge) if findings.asked.judge else None,
            trail.now(),
        )
    return needs, raters


def _needs(study: Study, needs: list[Need]) -> None:
    untrusted_text.heading("Next steps", 2)
    if not needs:
        untrusted_text.paragraph("You have nothing to do now.", small=True)
        return
    items = "".join(
        f"<li><strong>{escape(need.title)}</strong>"
        + (f'<span class="sr-small">{escape(need.why)}</span>' if need.why else "")
        + f'<a href="{escape(_address(study, need), quote=True)}" target="_self">{escape(need.step)}</a></li>'
        for need in needs
    )
    st.html(f'<ul class="sr-needs">{items}</ul>')


def _address(study: Study, need: Need) -> str:
    page, choices = ADDRESSES[need.page]
    name = "about" if need.page == "settle" else "criterion"
    criterion = {name: need.criterion} if need.criterion else {}
    reader = {"reader": st.query_params.get("reader", "")}
    return f"{page}?{urlencode({'study': study.key, **reader, **choices, **criterion})}"
