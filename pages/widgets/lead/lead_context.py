"""Pages for study leads, and not for raters."""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Action, may
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.page_context import page_context


def lead_context(title: str, reason: str) -> Study | None:
    """Return the study if its lead is here. Otherwise None, after the page has asked or said why. `title`:
    the headline for everybody else.
    """
    arrived = page_context(rating=False)
    if arrived is None:
        return None
    study, reader = arrived
    with reader_session.store().reading() as connection:
        if may(connection, reader, Action.LEAD, study):
            return study
    untrusted_text.heading(title, 1)
    st.info(untrusted_text.plain(reason))
    st.button("I lead this study", key="lead-leave", on_click=reader_session.forget_reader, args=(study,))
    return None
