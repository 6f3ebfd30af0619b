"""The evidence table as a component of the page, without a build step."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.widgets.evidence.contract import EvidenceData
from pages.widgets.scripts.modules import assemble
from reports.render.html_templates import read_style

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
_COMPONENT = st.components.v2.component(
    "second_reader_evidence",
    html='<div class="evidence"></div>',
    css=read_style("picture.css") + (FOLDER / "style.css").read_text(encoding="utf-8"),
    js=SCRIPT,
)


def draw_evidence(key: str, data: EvidenceData) -> None:
    """Show the table of evidence."""
    _COMPONENT(key=key, data=data.model_dump(mode="json"), on_chosen_change=_nothing)


def chosen_row(key: str) -> str | None:
    """Return the open row of a table whose rows open below it. "" for none, None before the first press."""
    chosen = dict(st.session_state.get(key) or {}).get("chosen")
    return chosen if isinstance(chosen, str) else None


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
