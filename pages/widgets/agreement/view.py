"""A report on the page: the same sentences, tables and charts as in the file."""

from __future__ import annotations

from html import escape

import streamlit as st

from data.studies import Study
from pages.widgets import untrusted_text
from pages.widgets.blocks import Links, links_of, show_block
from reports.document import Report, Section

OPEN = {
    "safety",
    "answer",
    "trust",
    "colleague",
    "criteria",
    "decisions",
}  # the rest is one click away, so that the page stays calm


def show(study: Study, report: Report) -> None:
    untrusted_text.paragraph(" ".join(report.header), small=True)
    if report.cautions:
        with st.container(border=True):
            untrusted_text.heading("Before you believe these numbers", 3)
            st.html(
                '<ul class="sr-text">'
                + "".join(f"<li>{escape(caution)}</li>" for caution in report.cautions)
                + "</ul>"
            )
    links = links_of(study, [block for section in report.sections for block in section.blocks])
    for section in report.sections:
        _section(section, links)


def _section(section: Section, links: Links) -> None:
    if section.key in OPEN:
        untrusted_text.heading(section.title, 2)
        for block in section.blocks:
            show_block(block, links)
    else:
        with st.expander(untrusted_text.plain(section.title)):
            for block in section.blocks:
                show_block(block, links)
