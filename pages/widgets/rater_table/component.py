"""The table of raters as a component of the page, without a build step."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.widgets.rater_table.contract import RaterTableData
from pages.widgets.scripts.modules import assemble

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
_COMPONENT = st.components.v2.component(
    "second_reader_raters",
    html='<div class="raters"></div>',
    css=(FOLDER / "style.css").read_text(encoding="utf-8"),
    js=SCRIPT,
)


def draw_raters(data: RaterTableData) -> str | None:
    """Show the table. Return the key of the rater pressed since, or None."""
    sent = _COMPONENT(key="rater-table", data=data.model_dump(mode="json"), on_open_change=_nothing)
    return sent.open if isinstance(sent.open, str) and sent.open else None


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
