"""A line of a page that opens. A closed line doesn't draw its contents."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

ALL_DETAILS = "All details"


def opening_line(title: str, key: str, at_once: bool = False) -> ExpanderContainer:
    """Return the place that opens on a click. `at_once`: it starts open."""
    return st.expander(title, at_once, key=f"section-{key}", on_change="rerun", type="compact")


def open_line(title: str, key: str, draw: Callable[[], None], at_once: bool = False) -> None:
    """Show a line; once it is open, `draw` fills it."""
    line = opening_line(title, key, at_once)
    if line.open:
        with line:
            draw()
