"""The keys of a page with one text field and one button that decides (`decision_keys.js`)."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.widgets.scripts.modules import assemble

_COMPONENT = st.components.v2.component(
    "second_reader_decision_keys",
    html="<span></span>",
    js=assemble(Path(__file__).with_suffix(".js")),
)


def listen_for_decision_keys() -> None:
    """Let keys press the buttons of a decision."""
    _COMPONENT(key="decision-keys")
