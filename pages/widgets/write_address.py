"""Writes a page's choices to its address, so that a reload, Back and a link restore them."""

from __future__ import annotations

import streamlit as st


def write_address(**values: str) -> None:
    """Set these values in the address and remove empty ones. One message makes one entry in the browser's
    history.
    """
    kept = {name: value for name, value in st.query_params.to_dict().items() if name not in values}
    st.query_params.from_dict({**kept, **{name: value for name, value in values.items() if value}})
