"""A table that is never longer than the screen: a long one scrolls and can be searched."""

from __future__ import annotations

import streamlit as st

from data.exporters.csv_cells import cell
from data.record.studies import Study
from pages.widgets.blocks import Links, links_of, show_block, shown_cell
from pages.widgets.page_cells import page_cell
from pages.widgets.untrusted_text import Link
from reports.document import Table, UnitLink

ROWS = 12  # rows shown without scrolling
HEIGHT = 330


def show_table(study: Study, table: Table) -> None:
    """Show a table; one with more than ROWS (12) rows scrolls."""
    links = links_of(study, [table])
    if len(table.rows) <= ROWS:
        show_block(table, links)
        return
    st.dataframe(
        {
            name: values
            for column, title in enumerate(table.header)
            for name, values in _columns(table, column, title, links).items()
        },
        height=HEIGHT,
        hide_index=True,
        key=f"rows-{table.key}",
        column_config={"Open": st.column_config.LinkColumn(display_text="Open")},
        alt=table.caption,
    )


def _columns(table: Table, column: int, title: str, links: Links) -> dict[str, list[str | float | None]]:
    """Return the columns; a column of units becomes two, its name and its link."""
    cells = [row[column] for row in table.rows]
    if any(isinstance(value, UnitLink) for value in cells):
        shown = [shown_cell(value, links) for value in cells]
        return {
            title: [cell(value.text if isinstance(value, Link) else value) for value in shown],
            "Open": [value.target if isinstance(value, Link) else None for value in shown],
        }
    texts = [str(value) for value in cells]
    numbers = [_number(text) for text in texts] if column in table.numeric else []
    if numbers and None not in numbers:
        return {title: list(numbers)}
    return {title: [page_cell(text) for text in texts]}


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None
