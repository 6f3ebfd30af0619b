"""A table of the page as a CSV file."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from data.record.studies import Study
from reports.document import Table
from reports.render.files import table_csv


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
