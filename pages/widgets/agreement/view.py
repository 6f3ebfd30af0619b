"""A report on the page: the same sentences, tables and charts as in the file."""

from __future__ import annotations

from html import escape

import streamlit as st

from data.studies import Study
from pages.widgets import foreign
from pages.widgets.foreign import Link
from pages.widgets.unit_links import unit_links
from runs.agreement.charts import forest
from runs.agreement.document import Block, Cell, Forest, Report, Section, Table, Unit, Words

OPEN = {"safety", "answer", "trust", "colleague", "criteria", "decisions"}  # the rest is one click away, so that the page stays calm


def show(study: Study, report: Report) -> None:
    foreign.paragraph(" ".join(report.header), small=True)
    if report.cautions:
        with st.container(border=True):
            foreign.heading("Before you believe these numbers", 3)
            st.html("<ul class=\"sr-text\">" + "".join(f"<li>{escape(one)}</li>" for one in report.cautions) + "</ul>")
    positions = {cell.position for table in report.tables() for row in table.rows for cell in row if isinstance(cell, Unit)}
    links = unit_links(study, positions)
    for section in report.sections:
        _section(section, links)


def _section(section: Section, links: dict[int, str | Link]) -> None:
    if section.key in OPEN:
        foreign.heading(section.title, 2)
        for block in section.blocks:
            _block(block, links)
    else:
        with st.expander(foreign.plain(section.title)):
            for block in section.blocks:
                _block(block, links)


def _block(block: Block, links: dict[int, str | Link]) -> None:
    if isinstance(block, Words):
        if block.tone == "strong":
            st.html(f'<p class="sr-text sr-strong" dir="auto">{escape(block.text)}</p>')
        else:
            foreign.paragraph(block.text, small=block.tone == "small")
    elif isinstance(block, Table):
        foreign.table(block.caption, block.header, [[_cell(value, links) for value in row] for row in block.rows], numeric=block.numeric)
    elif isinstance(block, Forest):
        st.plotly_chart(forest(block), key=f"chart-{block.key}", config={"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d"]})
    else:
        foreign.square(block.title, block.corner, block.down, block.across, block.texts, block.shades)


def _cell(value: Cell, links: dict[int, str | Link]) -> str | Link:
    if not isinstance(value, Unit):
        return str(value)
    way = links[value.position]
    return Link(way.text, f"{way.target}&criterion={value.criterion}") if isinstance(way, Link) and value.criterion else way
