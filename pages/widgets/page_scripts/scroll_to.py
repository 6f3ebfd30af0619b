"""Bringing what somebody came for into view, once (`scroll_to.js`)."""

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
    """`place`: the class of an element on this page; `once`: what for, so that the next run of the page does
    not scroll again.
    """
    _COMPONENT(key=f"scroll-{place}", data={"place": place, "once": once})
