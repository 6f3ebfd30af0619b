"""What may have moved, a line each: a shape, and what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from reports.drift.what_moved import MovedRow

SIGNS = {"no": "\u2715", "leans": "\u2248", "yes": "\u2013", "alert": "!", "unknown": "?"}


def moved_rows(rows: Sequence[MovedRow]) -> None:
    """Show one line per thing that may have moved, with a sign."""
    st.html(
        '<ul class="sr-moved">'
        + "".join(
            f'<li class="sr-{row.shape}"><span class="sr-sign" aria-hidden="true">{SIGNS[row.shape]}</span>'
            f"<span>{escape(row.words)}</span></li>"
            for row in rows
        )
        + "</ul>"
    )
