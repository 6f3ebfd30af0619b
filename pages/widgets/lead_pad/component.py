"""The pad as a component of the page, without a build step. Checks what it sends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.widgets.lead_pad.contract import GoldSent, LeadPadData
from pages.widgets.scripts.modules import assemble
from pages.widgets.workbench import component

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
_COMPONENT = st.components.v2.component(
    "second_reader_lead_pad",
    html=(FOLDER / "lead_pad.html").read_text(encoding="utf-8"),
    css="\n".join(
        (folder / "style.css").read_text(encoding="utf-8") for folder in (component.FOLDER, FOLDER)
    ),
    js=SCRIPT,
)


def mount_pad(data: LeadPadData) -> GoldSent | None:
    """Show a conversation next to its criteria. Return the labels that were sent since, or None."""
    sent = _COMPONENT(key="lead-pad", data=data.model_dump(mode="json"), on_save_change=_nothing)
    return read_labels(sent.save)


def read_labels(sent: Any) -> GoldSent | None:
    """Return what the browser sent as a set of labels; None if it isn't one."""
    try:
        return GoldSent.model_validate(sent)
    except ValidationError:
        return None


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
