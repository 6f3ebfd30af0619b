"""Whole numbers in addresses. Anybody may write an address, so long numbers and non-ASCII digits are
rejected.
"""

from __future__ import annotations

import streamlit as st

LONGEST = 9  # digits


def read_number(text: str) -> int | None:
    """Read a whole number from 0, such as "12". None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST else None


def number_in_address(name: str) -> int | None:
    """Return the number under this name in the address, or None."""
    return read_number(st.query_params.get(name, ""))
