"""What was chosen on a page, in its address: so that a reload, Back and a link bring it again."""

from __future__ import annotations

import streamlit as st


def write_address(**values: str) -> None:
    """Give the address these values, and take out those that are empty: one message, and so one entry in the
    browser's history.
    """
    kept = {name: value for name, value in st.query_params.to_dict().items() if name not in values}
    st.query_params.from_dict({**kept, **{name: value for name, value in values.items() if value}})
