"""The blocks of a report on a page: sentences, tables, charts, and links to units."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from data.record.studies import Study
from pages.widgets.picture.component import draw_picture
from pages.widgets.unit_links import unit_links
from pages.widgets.untrusted_text import Link
from reports.document import Block, Cell, Evidence, Forest, Panels, Scatter, Table, UnitLink
from reports.render.block_html import block_html

Links = dict[int, str | Link]


def show_blocks(study: Study, blocks: Iterable[Block]) -> None:
    """Show the blocks one below the other, with links to units."""
    shown = list(blocks)
    links = links_of(study, shown)
    for block in shown:
        show_block(block, links)


def links_of(study: Study, blocks: Iterable[Block]) -> Links:
    """Return the link to every unit that a table names."""
    positions = positions_of(blocks)
    return unit_links(study, sorted(positions)) if positions else {}


def positions_of(blocks: Iterable[Block]) -> set[int]:
    """Return the positions of all units that the blocks name."""
    return {
        cell.position
        for block in blocks
        if isinstance(block, Table)
        for row in block.rows
        for cell in row
        if isinstance(cell, UnitLink)
    }


def show_block(block: Block, links: Links) -> None:
    """Show the block as in a file, with links to units."""
    if isinstance(block, Evidence):  # nothing opens here, so show all of it
        for part in block.as_blocks():
            show_block(part, links)
        return
    html = block_html(block, lambda cell: shown_cell(cell, links))
    if isinstance(block, Forest | Panels | Scatter):
        draw_picture(f"picture-{block.key}", html)
    else:
        st.html(html)


def shown_cell(value: Cell, links: Links) -> str | Link:
    """Return a cell: a unit as a link if there is one, everything else as text."""
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
