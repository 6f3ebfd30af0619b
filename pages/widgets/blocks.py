"""The blocks of a report on a page: sentences, tables, charts, and ways to units."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text
from pages.widgets.chart import draw_chart
from pages.widgets.unit_links import unit_links
from pages.widgets.untrusted_text import Link
from reports.document import Block, Cell, Forest, Heat, Panels, Paragraph, Scatter, Table, UnitLink
from reports.figures.forest import forest
from reports.figures.panels import panels
from reports.figures.turn_curves import CONFIG, scatter

Links = dict[int, str | Link]
MOST_PANELS = 24  # in one chart; tables have everybody


def show_blocks(study: Study, blocks: Iterable[Block]) -> None:
    shown = list(blocks)
    links = links_of(study, shown)
    for block in shown:
        show_block(block, links)


def links_of(study: Study, blocks: Iterable[Block]) -> Links:
    """The way to every unit that a table names."""
    positions = positions_of(blocks)
    return unit_links(study, sorted(positions)) if positions else {}


def positions_of(blocks: Iterable[Block]) -> set[int]:
    """Of every unit that a table names."""
    return {
        cell.position
        for block in blocks
        if isinstance(block, Table)
        for row in block.rows
        for cell in row
        if isinstance(cell, UnitLink)
    }


def show_block(block: Block, links: Links) -> None:
    if isinstance(block, Paragraph):
        if block.tone == "strong":
            st.html(f'<p class="sr-text sr-strong" dir="auto">{escape(block.text)}</p>')
        else:
            untrusted_text.paragraph(block.text, small=block.tone == "small")
    elif isinstance(block, Table):
        untrusted_text.table(
            block.caption,
            block.header,
            [[shown_cell(value, links) for value in row] for row in block.rows],
            numeric=block.numeric,
        )
    elif isinstance(block, Forest):
        draw_chart(
            forest(block),
            key=f"chart-{block.key}",
            config={"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d"]},
        )
    elif isinstance(block, Panels):
        draw_chart(panels(block, MOST_PANELS), key=f"chart-{block.key}", config=CONFIG)
    elif isinstance(block, Scatter):
        draw_chart(scatter(block), key=f"chart-{block.key}", config=CONFIG)
    elif isinstance(block, Heat):
        untrusted_text.square(block.title, block.corner, block.down, block.across, block.texts, block.shades)
    else:  # nothing opens here, so that all of it is said
        for part in block.as_blocks():
            show_block(part, links)


def shown_cell(value: Cell, links: Links) -> str | Link:
    """A way to a unit as a link, where there is one; everything else as text."""
    if not isinstance(value, UnitLink):
        return str(value)
    target = links[value.position]
    if not isinstance(target, Link):
        return target
    criterion = f"&criterion={value.criterion}" if value.criterion else ""
    return Link(
        f"{target.text}, turn {value.turn}" if value.turn else target.text,
        f"{target.target}{criterion}{f'&turn={value.turn}' if value.turn else ''}",
    )
