"""A table of the page as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import streamlit as st

from data.exporters.csv_cells import cell
from data.studies import Study
from runs.agreement.document import Table
from runs.agreement.page_file import text


def csv_button(name: str, study: Study, made: Callable[[], Table], label: str = "This table as CSV") -> None:
    """The file is made when the button is pressed."""

    def file() -> bytes:
        table, out = made(), io.StringIO(newline="")
        csv.writer(out, lineterminator="\r\n").writerows(
            [cell(text(one)) for one in row] for row in [table.header, *table.rows]
        )
        return out.getvalue().encode()

    st.download_button(
        label, file, f"{study.key}-{name}.csv", "text/csv", key=f"drift-csv-{name}", on_click="ignore"
    )
