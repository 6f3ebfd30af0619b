"""What came in, and what to do next."""

from __future__ import annotations

import streamlit as st

from data.importers.report import ImportReport, counted
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing import check
from pages.widgets.importing.upload import UPLOAD
from scoring.plurals import join_words

DONE = "brought-in"  # in the session and in the address


def store_outcome(key: str, report: ImportReport, is_new: bool) -> None:
    """Show what came in, from the next run of the page on, in the place of the form."""
    st.session_state[DONE], st.query_params[DONE] = (key, report, is_new), "yes"
    for name in (UPLOAD, check.CHECK, check.STOPPED):
        st.session_state.pop(name, None)


def came_in() -> tuple[str, ImportReport, bool] | None:
    """Nothing once somebody has left the page: then the address does not say so any more."""
    if DONE not in st.query_params:
        st.session_state.pop(DONE, None)
    arrival: tuple[str, ImportReport, bool] | None = st.session_state.get(DONE)
    return arrival


def show_way_on(key: str, report: ImportReport, is_new: bool) -> None:
    added = join_words([counted(number, what) for what, number in report.added.items() if number])
    untrusted_text.heading(
        f"Brought in: {added}." if added else "Everything of this file was there already.", 1
    )
    already = join_words([counted(number, what) for what, number in report.already.items() if number])
    if already and added:
        untrusted_text.paragraph(f"In the store before: {already}.", small=True)
    reader = reader_session.LEAD if is_new else st.query_params.get("reader", "")
    if report.added["conversations"]:
        untrusted_text.link("Set up who rates", f"lead?study={key}&reader={reader}")
    untrusted_text.link("Open the study", f"overview?study={key}&reader={reader}")
    labels = not report.added["ratings"] and not report.added["judgements"]
    st.button(
        "Bring in labels" if labels else "Bring in another file", key="import-more", on_click=_begin_anew
    )
    check.show_lines(report)


def _begin_anew() -> None:
    st.query_params.pop(DONE, None)
