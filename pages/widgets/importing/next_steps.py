"""What was imported, and what to do next."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from data.importers.report import ImportReport, counted
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing import check
from pages.widgets.importing.check import CheckOutcome
from pages.widgets.importing.import_form import ImportForm
from pages.widgets.importing.target_study import propose_study
from pages.widgets.importing.upload import UPLOAD, Upload
from pages.widgets.importing.work import Progress
from words.plurals import join_words

DONE = "brought-in"  # the key in the session and in the address
FRESH, UNDER_WAY = "import-fresh", "import-under-way"


def import_file(upload: Upload, form: ImportForm, is_new: bool) -> CheckOutcome:
    """Import the file and return the outcome.

    A press meanwhile ends this run of the page, and the import with it unless it is committed. So what was
    imported is noted before the page does anything else.
    """
    st.session_state[UNDER_WAY] = True

    def work(path: Path, dry_run: bool, progress: Progress) -> ImportReport:
        report = form.work(path, dry_run, progress)
        key = form.key or str(report.detail.get("key", ""))
        st.session_state[FRESH] = st.session_state[DONE] = (key, report, is_new)
        for name in (UPLOAD, UNDER_WAY, check.CHECK, check.STOPPED):
            st.session_state.pop(name, None)
        return report

    outcome = check.run(upload, work, dry_run=False)
    st.session_state.pop(UNDER_WAY, None)
    return outcome


def was_stopped() -> bool:
    """Tell whether an import started and did not finish; only the first call after it does."""
    return bool(st.session_state.pop(UNDER_WAY, False))


def came_in() -> tuple[str, ImportReport, bool] | None:
    """Return what was imported, shown in place of the form until the person leaves; None before."""
    if st.session_state.pop(FRESH, None) is not None:
        st.query_params[DONE] = "yes"
    elif DONE not in st.query_params:
        st.session_state.pop(DONE, None)
    arrival: tuple[str, ImportReport, bool] | None = st.session_state.get(DONE)
    return arrival


def show_way_on(key: str, report: ImportReport, is_new: bool) -> None:
    """Show what was imported, and links to what comes next."""
    added = join_words([counted(number, what) for what, number in report.added.items() if number])
    untrusted_text.heading(
        f"Imported: {added}." if added else "Everything in this file was in the store already.", 1
    )
    already = join_words([counted(number, what) for what, number in report.already.items() if number])
    if already and added:
        untrusted_text.paragraph(f"Already in the store: {already}.", small=True)
    reader = reader_session.LEAD if is_new else st.query_params.get("reader", "")
    if report.added["conversations"]:
        untrusted_text.link("Set up who rates", f"lead?study={key}&reader={reader}")
    untrusted_text.link("Open the study", f"overview?study={key}&reader={reader}")
    labels = not report.added["ratings"] and not report.added["judgements"]
    st.button(
        "Import labels" if labels else "Import another file",
        key="import-more",
        on_click=_begin_anew,
        args=(key, reader),
    )
    check.show_lines(report)


def _begin_anew(key: str, reader: str) -> None:
    """Ask for the next file, of the same study."""
    st.query_params.pop(DONE, None)
    st.query_params["study"] = key
    if reader:
        st.query_params["reader"] = reader
    propose_study(key)
