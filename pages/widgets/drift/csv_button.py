"""A table of the page as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import streamlit as st

from data.exporters.csv_cells import cell
from data.studies import Study
from reports.document import Table
from reports.render.page_file import text


def csv_button(
    name: str, study: Study, make_table: Callable[[], Table], label: str = "This table as CSV"
) -> None:
    """The file is made when the button is pressed."""

    def file() -> bytes:
        table, out = make_table(), io.StringIO(newline="")
        csv.writer(out, lineterminator="\r\n").writerows(
            [cell(text(table_cell)) for table_cell in row] for row in [table.header, *table.rows]
        )
        return out.getvalue().encode()

    st.download_button(
        label, file, f"{study.key}-{name}.csv", "text/csv", key=f"drift-csv-{name}", on_click="ignore"
    )
