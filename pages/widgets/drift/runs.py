"""Runs of an experiment: alignment, likeness of plans and responses against temperature and depth."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_block
from pages.widgets.drift.part_lines import file_of_table, show_with_tables
from pages.widgets.opening_line import open_line
from reports.document import Block, Scatter, Section, Table
from reports.drift.run_tables import runs_headline, section
from reports.drift.summaries import of_study


def runs(study: Study) -> None:
    """Show what rises or falls over imported runs."""
    with reader_session.store().reading() as connection:
        summaries = of_study(connection, study)
    runs_section = section(summaries)
    with st.container(key="answer-page", gap="small"):
        untrusted_text.heading(runs_headline(summaries), 1)
        if runs_section is None:
            untrusted_text.paragraph(
                "Import tables of runs and curves on the page \u201cImport\u201d, as \u201cRuns in "
                "numbers\u201d."
            )
            return
        # One picture, or where there is none the first table that has numbers.
        pictures = [block for block in runs_section.blocks if isinstance(block, Scatter)]
        tables = [block for block in runs_section.blocks if isinstance(block, Table)]
        first = pictures[0] if pictures else tables[0] if tables else None
        if first is not None:
            show_block(first, {})
        open_line("Everything behind it", "everything", lambda: _everything(study, runs_section, first))


def _everything(study: Study, runs_section: Section, first: Block | None) -> None:
    for block in runs_section.blocks:
        if block is not first:
            show_with_tables(study, [block])
        if isinstance(block, Table):
            file_of_table(study, block)
