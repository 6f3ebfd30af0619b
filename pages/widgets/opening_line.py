"""A line of a page that opens: what is closed is not drawn."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer


def opening_line(title: str, key: str, at_once: bool = False) -> ExpanderContainer:
    """What opens when it is pressed. `at_once`: it is open at first."""
    return st.expander(title, at_once, key=f"section-{key}", on_change="rerun", type="compact")


def open_line(title: str, key: str, draw: Callable[[], None], at_once: bool = False) -> None:
    """A line, behind which `draw` draws once it is open."""
    line = opening_line(title, key, at_once)
    if line.open:
        with line:
            draw()
