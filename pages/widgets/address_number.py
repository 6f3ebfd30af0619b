"""Whole numbers in addresses, which anybody may write: too long ones and other digits are none."""

from __future__ import annotations

import streamlit as st

LONGEST = 9  # digits


def read_number(text: str) -> int | None:
    """A whole number from 0, such as "12"; None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST else None


def number_in_address(name: str) -> int | None:
    """The number that the address gives under this name, or None."""
    return read_number(st.query_params.get(name, ""))
