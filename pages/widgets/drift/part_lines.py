"""What opens on a part of the Drift page: sentences and tables, and a table as a CSV file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from data.record.studies import Study
from data.record.unit_names import read_unit_names
from pages.widgets import reader_session
from pages.widgets.blocks import positions_of, show_blocks
from pages.widgets.long_table import show_table
from reports.document import Block, Table
from reports.render.files import table_csv


def show_with_tables(study: Study, blocks: Iterable[Block]) -> None:
    """Show the blocks; long tables scroll."""
    for block in blocks:
        if isinstance(block, Table):
            show_table(study, block)
        else:
            show_blocks(study, [block])


def table_with_file(study: Study, table: Table) -> None:
    """Show a table with a button for its CSV file."""
    show_table(study, table)
    file_of_table(study, table)


def file_of_table(study: Study, table: Table) -> None:
    """Show a button for the table's CSV file."""
    csv_button(table.key, study, lambda: table)


def csv_button(
    name: str, study: Study, make_table: Callable[[], Table], label: str = "This table as CSV"
) -> None:
    """Show a button for a CSV file, which is made when it is pressed."""
    reader, store = reader_session.reader(study), reader_session.store()
    leads = reader is not None and reader.rater is None

    def make() -> bytes:  # outside a run of the page
        table, names = make_table(), None
        if leads:
            with store.reading() as connection:
                names = read_unit_names(connection, study, positions_of([table]))
        return table_csv(table, study.noun, names)

    st.download_button(
        label,
        make,
        f"{study.key}-{name}.csv",
        "text/csv",
        key=f"drift-csv-{name}",
        on_click="ignore",
    )
