"""Scrolling once to the element that a link asks for (`scroll_to.js`)."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.widgets.scripts.modules import assemble

_COMPONENT = st.components.v2.component(
    "second_reader_scroll_to",
    html="<span></span>",
    js=assemble(Path(__file__).with_suffix(".js")),
)


def scroll_to(place: str, once: str) -> None:
    """Scroll to the element with the class `place`. The same `once` never scrolls twice."""
    _COMPONENT(key=f"scroll-{place}", data={"place": place, "once": once})
