"""A line of a page that opens: what is closed is not drawn."""

from __future__ import annotations

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer


def opening_line(title: str, key: str, at_once: bool = False) -> ExpanderContainer:
    """What opens when it is pressed. `at_once`: it is open at first."""
    return st.expander(title, at_once, key=f"section-{key}", on_change="rerun", type="compact")
