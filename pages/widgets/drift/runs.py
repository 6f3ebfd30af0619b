"""Runs of an experiment: alignment, likeness of plans and responses against temperature and depth."""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from reports.drift.run_tables import section
from reports.drift.summaries import of_study


def runs(study: Study) -> None:
    with reader_session.store().reading() as connection:
        runs_section = section(of_study(connection, study))
    if runs_section is None:
        st.info(
            "This study has no runs of an experiment. The seed's tables and curves come in on the Import "
            "page, as \u201cRuns in numbers\u201d."
        )
        return
    untrusted_text.heading(runs_section.title, 2)
    show_blocks(study, runs_section.blocks)
