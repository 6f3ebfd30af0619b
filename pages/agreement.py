"""Agreement: how far may this judge be trusted? Warnings and safety first, then the answer, then why."""

from __future__ import annotations

import streamlit as st

from data.judgements import Judge
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.agreement.address import Address
from pages.widgets.agreement.differences import differences
from pages.widgets.agreement.exports import show_exports
from pages.widgets.agreement.filters import filters
from pages.widgets.agreement.own import own_agreement
from pages.widgets.agreement.view import show
from pages.widgets.guard import whole_study_permitted
from pages.widgets.page_context import page_context
from pages.widgets.unit_links import coming_from
from reports.agreement.report import report
from reports.drift.anchor_rounds import caution


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading(f"Agreement: {study.title}", 1)
    if reader.rater is not None and not whole_study_permitted(study, reader.rater):
        untrusted_text.paragraph(
            f"{study.instrument.title}, version {study.instrument.version}. {study.provenance}", small=True
        )
        own_agreement(study, reader.rater)
        return
    if reader.rater is None:
        reader_session.saw_everything(study)
    _whole(study, lead=reader.rater is None)


def _whole(study: Study, lead: bool) -> None:
    """`lead`: may see raters by name; everybody else sees pseudonyms."""
    address = Address(study)
    findings = filters(study, lead, address)
    if findings.asked.judge is not None:
        _changed(study, findings.asked.judge)
    with coming_from(address.way()):
        show(study, report(findings))
        if findings.asked.judge is not None:
            differences(study, findings, address)
    show_exports(study, findings)
    address.write()


def _changed(study: Study, judge: Judge) -> None:
    with reader_session.store().reading() as connection:
        said = caution(connection, study, judge)
    if said:
        st.warning(untrusted_text.plain(said))
        untrusted_text.link(
            "Drift of the judge",
            f"drift?study={study.key}&reader={st.query_params.get('reader', '')}&part=judge",
        )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "agreement"})
