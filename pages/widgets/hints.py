"""Hints for newcomers: one line where something is new, gone once the person has done it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text

RATE = "Press the key shown on a label to rate."
RATE_BLIND = f"{RATE} Nothing of the judge is shown before you commit."
OVERRIDE = (
    "The judge's labels are shown now. To change a label of yours, press G and give a reason: your first "
    "label is kept too."
)
SETTLE = "What you settle is listed on Agreement, where the answer is."


def choose_rating_hint(study: Study, shown: Mapping[str, Any]) -> str:
    """The hint above what the workbench shows (workbench/view.py): how to rate until the first commit, how to
    override until the rater has answered a judge. "" for none.
    """
    if not shown["progress"]["committed"]:
        return RATE if study.review == "open" else RATE_BLIND
    compared_before = any(
        state == "compared" and place != shown["unit"]["position"] for place, state in shown["rail"]
    )
    is_revealed = shown["committed_at"] is not None and shown["reveal"] is not None
    return OVERRIDE if is_revealed and not shown["responses"] and not compared_before else ""


def show_hint(hint: str) -> None:
    """The element has a place of its own also without a hint, so that what follows is never drawn anew. On a
    phone, which has no keys and no room, none is shown (theme.py).
    """
    with st.container(key="hint"):
        if hint:
            untrusted_text.paragraph(hint, small=True)
        else:
            st.empty()
