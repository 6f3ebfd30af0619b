"""What opens on a part of the Drift page: sentences and tables, and a table as a CSV file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from data.record.studies import Study
from pages.widgets.blocks import show_blocks
from pages.widgets.long_table import show_table
from reports.document import Block, Table
from reports.render.files import table_csv


def show_with_tables(study: Study, blocks: Iterable[Block]) -> None:
    """Sentences as they are, tables no longer than the screen."""
    for block in blocks:
        if isinstance(block, Table):
            show_table(study, block)
        else:
            show_blocks(study, [block])


def table_with_file(study: Study, table: Table) -> None:
    show_table(study, table)
    file_of_table(study, table)


def file_of_table(study: Study, table: Table) -> None:
    csv_button(table.key, study, lambda: table)


def csv_button(
    name: str, study: Study, make_table: Callable[[], Table], label: str = "This table as CSV"
) -> None:
    """The file is made when the button is pressed."""
    st.download_button(
        label,
        lambda: table_csv(make_table(), study.noun),
        f"{study.key}-{name}.csv",
        "text/csv",
        key=f"drift-csv-{name}",
        on_click="ignore",
    )
