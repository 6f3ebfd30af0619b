"""How the work stands: totals, by rater, by criterion, what ran out, and what nobody took."""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from data.work.overview import StudyProgress
from pages.widgets import reader_session
from pages.widgets.blocks import show_blocks
from reports.progress.findings import gather_progress
from reports.progress.tables import (
    NO_PLAN,
    NOTHING_DRAWN,
    criteria_table,
    open_tables,
    raters_table,
    share_given,
    totals_words,
)

LISTED = 50  # the report as files has all


def show(study: Study) -> None:
    with reader_session.store().reading() as connection:
        findings = gather_progress(connection, study, most=LISTED)
    if findings.totals is None:
        st.info(NO_PLAN)
    else:
        _totals(study, findings.totals)
    named = st.toggle(
        "Show names",
        key="lead-names",
        help="Otherwise raters stand under codes that tell nothing of who they are.",
    )
    show_blocks(study, raters_table(findings, named))
    show_blocks(study, criteria_table(study, findings.criteria))
    show_blocks(study, open_tables(findings, named))


def _totals(study: Study, totals: StudyProgress) -> None:
    if not totals.drawn:
        st.info(NOTHING_DRAWN)
        return
    show_blocks(study, [totals_words(totals)])
    st.progress(share_given(totals))
