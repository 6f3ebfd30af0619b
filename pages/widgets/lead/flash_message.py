"""The message on what was just done on the lead's page, at its top. The form that did it is emptied."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from pages.widgets import untrusted_text

SAID = "lead-said"


def show() -> None:
    """Show the message. It stays in view, because the pressed button may be far down the page."""
    message = st.session_state.pop(SAID, None)
    if message is None:
        return
    st.html(
        "<style>div:has(> .st-key-lead-said) { position: sticky; top: 3.75rem; z-index: 50; "
        "background: light-dark(#ffffff, #14181d); }</style>"
    )
    with st.container(key="lead-said"):
        st.success(untrusted_text.plain(message))


def field_key(form: str, name: str) -> str:
    """Return the key of a field: a new one after each success, which empties it. A refusal keeps it."""
    times = st.session_state.get(_times(form), 0)
    return f"{name}-{times}" if times else name


def finish(said: str, form: str = "") -> NoReturn:
    """Redraw the page with the message at its top and the form empty."""
    if form:
        st.session_state[_times(form)] = st.session_state.get(_times(form), 0) + 1
    st.session_state[SAID] = said
    st.rerun()


def _times(form: str) -> str:
    return f"times {form} was sent"
