"""Agreement: how far to trust this judge. The answer, its evidence, and the reasons behind it."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from pages.widgets import reader_session
from pages.widgets.agreement.address import Address
from pages.widgets.agreement.filters import filters
from pages.widgets.agreement.own import own_agreement
from pages.widgets.agreement.view import show_answer, show_evidence, show_rest
from pages.widgets.guard import labels_permitted
from pages.widgets.page_context import page_context
from pages.widgets.unit_links import coming_from
from reports.agreement.findings import Findings
from reports.agreement.report import report
from reports.drift.anchor_rounds import caution


def render() -> None:
    """Draw the Agreement page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    title = st.container()
    if labels_permitted(study, reader):
        _whole(study, lead=reader.leads)
    elif reader.rater is not None:
        own_agreement(study, reader.rater, title)


def _whole(study: Study, lead: bool) -> None:
    """`lead`: a study lead may see raters by name; everybody else sees pseudonyms."""
    address = Address(study)
    with st.container(key="answer-page", gap="xsmall"):
        answer, choices = st.columns([3, 2], gap="medium")
        with choices:
            findings = filters(study, lead, address)
        with answer:
            show_answer(findings)
        with coming_from(address.way()):
            document = report(findings)
            show_evidence(study, findings, document, _change_of_judge(study, findings))
            show_rest(study, findings, document, address)
    address.write()


def _change_of_judge(study: Study, findings: Findings) -> str:
    """Say that the judge's labels changed; "" if they didn't."""
    judge = findings.asked.judge
    if judge is None:
        return ""
    with reader_session.store().reading() as connection:
        return caution(connection, study, judge)
