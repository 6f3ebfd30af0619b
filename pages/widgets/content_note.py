"""The content note of a study, shown before its conversations."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text


def content_note_seen(study: Study) -> bool:
    """Tell whether the person has read the note. If not, show it and ask."""
    # Also in the address, so that a reload or a restart of the server doesn't hold back unsaved work.
    seen = reader_session.note_key(study)
    if not study.content_note or st.session_state.get(seen) or st.query_params.get("note") == "seen":
        st.session_state[seen] = True
        if study.content_note:
            st.query_params["note"] = "seen"
        return True
    untrusted_text.heading(study.title)
    untrusted_text.paragraph(study.content_note)
    with st.container(horizontal=True):
        st.button(
            "Open the conversations",
            type="primary",
            key="content-note-open",
            on_click=st.session_state.update,
            args=({seen: True},),
        )
        if st.button("Back to the studies", key="content-note-back"):
            st.switch_page(st.session_state["page_studies"])
    return False
