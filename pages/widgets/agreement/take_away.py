"""The report as files, made when they are asked for."""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from pages.widgets import foreign, place
from runs.agreement.files import files, zipped
from runs.agreement.findings import Findings
from runs.agreement.page_file import page
from runs.agreement.taken_away import written


def take_away(study: Study, found: Findings) -> None:
    foreign.heading("Take it away", 2)
    foreign.paragraph(
        "The page holds no rater's name unless you switched names on. The ZIP file has every table as CSV, "
        "all numbers as JSON, and the labels "
        "as R (irr, irrCAC) and the alt-test read them. The same data give the same files.",
        small=True,
    )

    store = place.store()  # the files are made when a button is pressed, outside of this run of the page

    def html() -> bytes:
        with store.reading() as connection:
            return page(written(connection, found))

    def everything() -> bytes:
        with store.reading() as connection:
            return zipped(files(found, written(connection, found)))

    left, right, _ = st.columns([1, 1, 3])
    left.download_button(
        "One page (HTML)",
        html,
        f"{study.key}-agreement.html",
        "text/html",
        key="agreement-html",
        on_click="ignore",
    )
    right.download_button(
        "Everything (ZIP)",
        everything,
        f"{study.key}-agreement.zip",
        "application/zip",
        key="agreement-zip",
        on_click="ignore",
    )
