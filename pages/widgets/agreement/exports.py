"""The report as files, made on request."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from weakref import ref

import streamlit as st

from data.exporters.study_bundle import export_study
from data.record.studies import Study
from data.store.store import Connection
from pages.widgets import reader_session, untrusted_text
from pages.widgets.work_progress import WorkProgress
from reports.agreement.disagreement_file import write_disagreements
from reports.agreement.export_files import write_report
from reports.agreement.files import files
from reports.agreement.findings import Findings
from reports.agreement.rating_table import explain_columns, write_rating_table
from reports.render.files import zipped
from reports.render.page_file import page

MAX_UNITS_MADE_ON_PRESS = 2_000  # units up to which the button makes the files itself
PREPARED = "agreement-prepared"
STUDY_FILES = {  # name -> ending and kind
    "Table (CSV)": (".csv", "text/csv"),
    "Table (Excel)": (".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "Table (Parquet)": (".parquet", "application/vnd.apache.parquet"),
    "Disagreements (Markdown)": (".md", "text/markdown"),
    "Whole study (SQLite)": (".sqlite", "application/vnd.sqlite3"),
}


def _prepare(findings: Findings, ids: bool) -> bytes:
    """Make the ZIP in this run of the page, with progress and a Stop button."""
    progress = WorkProgress("agreement-prepare", lambda: None)
    with reader_session.store().reading() as connection:
        contents = write_report(connection, findings, partial(progress, "computed"), ids=ids)
        progress.end()
        return zipped(files(findings, contents))


def _show_study_files(study: Study) -> None:
    """Show a button for each file that holds everything of the study, made on a press."""
    store, actor = reader_session.store(), reader_session.actor(study)

    def make(ending: str) -> bytes:
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"{study.key}{ending}"
            if ending == ".sqlite":
                export_study(store, study, path, actor)
            else:
                with store.reading() as connection:
                    if ending == ".md":
                        write_disagreements(connection, study, path, words=False)
                    else:
                        write_rating_table(connection, study, path)
            return path.read_bytes()

    untrusted_text.paragraph(
        "Every label of the study: one row per answer, with ids, raters' codes, dates and notes. The whole "
        "study with its words and its trail can be imported into another store, on its Import page. "
        'In CSV, NA is a label: pandas needs keep_default_na=False, R na.strings = "".',
        small=True,
    )
    with st.container(horizontal=True):
        for name, (ending, kind) in STUDY_FILES.items():
            st.download_button(
                name,
                partial(make, ending),
                f"{study.key}{ending}",
                kind,
                key=f"agreement-file{ending}",
                on_click="ignore",
            )
        st.download_button(
            "What the columns mean",
            explain_columns,
            f"{study.key}.columns.csv",
            "text/csv",
            key="agreement-file-columns",
            on_click="ignore",
        )


def show_exports(study: Study, findings: Findings, gather: Callable[[Connection], Findings]) -> None:
    """Show the export buttons. `gather` computes the findings of the page anew from the store.

    A closed tab keeps its buttons for minutes, so they hold no findings: they gather them if nothing else
    holds them, such as after a change of the study.
    """
    reader = reader_session.reader(study)
    leads = reader is not None and reader.rater is None
    if leads and findings.labelled:
        _show_study_files(study)
    untrusted_text.paragraph("The report of this page", small=True)
    untrusted_text.paragraph(
        "The page does not name raters unless you have switched names on. The ZIP file has every table as "
        "CSV, all numbers as JSON, and the labels in formats for R (irr, irrCAC) and for the alt-test. The "
        "same data always give the same files.",
        small=True,
    )

    store = reader_session.store()  # a button makes the files outside this run of the page

    findings_ref = ref(findings)

    def html() -> bytes:
        with store.reading() as connection:
            return page(write_report(connection, findings_ref() or gather(connection), ids=leads))

    def everything() -> bytes:
        with store.reading() as connection:
            current = findings_ref() or gather(connection)
            return zipped(files(current, write_report(connection, current, ids=leads)))

    st.download_button(
        "One page (HTML)",
        html,
        f"{study.key}-agreement.html",
        "text/html",
        key="agreement-html",
        on_click="ignore",
    )
    few = len(findings.material.units.conversation) <= MAX_UNITS_MADE_ON_PRESS
    prepared: tuple[ref[Findings], bytes] | None = st.session_state.get(PREPARED)
    if not few and (prepared is None or prepared[0]() is not findings):
        if st.button("Prepare everything (ZIP)", key="agreement-prepare"):
            st.session_state[PREPARED] = (findings_ref, _prepare(findings, leads))
            st.rerun()
        return
    st.download_button(
        "Everything (ZIP)",
        everything if few or prepared is None else prepared[1],
        f"{study.key}-agreement.zip",
        "application/zip",
        key="agreement-zip",
        on_click="ignore",
    )
