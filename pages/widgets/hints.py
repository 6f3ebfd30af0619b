"""Hints for newcomers: one line about something new, until the person has done it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text

RATE = "To rate, press the key shown on a label."
RATE_BLIND = f"{RATE} You don't see the judge's labels before you commit."
OVERRIDE = (
    "You see the judge's labels now. To change your label, press G and give a reason. Your first "
    "label is kept too."
)
SETTLE = "The Agreement page lists what you settle."


def choose_rating_hint(study: Study, shown: Mapping[str, Any]) -> str:
    """Return the hint above the rating pad; "" for none.

    Until the first commit it says how to rate, until the first answer to a judge how to change a label.
    """
    if not shown["progress"]["committed"]:
        return RATE if study.review == "open" else RATE_BLIND
    compared_before = any(
        state == "compared" and place != shown["unit"]["position"] for place, state in shown["rail"]
    )
    is_revealed = shown["committed_at"] is not None and shown["reveal"] is not None
    return OVERRIDE if is_revealed and not shown["responses"] and not compared_before else ""


def show_hint(hint: str) -> None:
    """Show the hint. On a phone, which has no keys and no room, it is hidden (theme.py)."""
    with st.container(key="hint"):
        untrusted_text.paragraph(hint, small=True)
