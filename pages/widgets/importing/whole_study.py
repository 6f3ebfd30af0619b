"""A whole study that another store exported: imported as it is, on one press."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from data.importers.report import ImportReport
from data.importers.study_bundle import import_bundle
from data.store import actors
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing.check import show_lines
from pages.widgets.importing.import_form import ImportForm
from pages.widgets.importing.next_steps import import_file, was_stopped
from pages.widgets.importing.upload import Upload, describe_size
from pages.widgets.importing.work import Progress

TITLE = "A whole study, if Export wrote this file."


def offer_whole_study(upload: Upload) -> None:
    """Show what the file is, and the button that imports it."""
    untrusted_text.heading(TITLE, 1)
    untrusted_text.paragraph(
        f"{upload.name} · {describe_size(upload.size)} · nothing is imported yet", small=True
    )
    untrusted_text.paragraph(
        "It becomes a study of its own, with its labels, their times and its trail. If the trail doesn't "
        "verify, labels that it calls blind are imported as unknown, and locked sets and an expert's labels "
        "are left out."
    )
    if not st.button("Import", type="primary", key="import-go"):
        if was_stopped():
            st.info("The import was stopped. Nothing was imported.")
        return

    def work(path: Path, _: bool, progress: Progress) -> ImportReport:
        return import_bundle(reader_session.store(), path, actors.LEAD, {}, progress)

    result = import_file(upload, ImportForm("", {}, work), is_new=True)
    if result.is_good:
        st.rerun()
    st.error(untrusted_text.plain(result.problem or "Nothing was imported: see below."))
    if result.report is not None:
        show_lines(result.report)
