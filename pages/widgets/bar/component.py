"""The bar as one component, without a build step. Checks what it sends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.widgets.bar.contents import BarContents
from pages.widgets.scripts.modules import assemble

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
_COMPONENT = st.components.v2.component(
    "second_reader_bar",
    html=(FOLDER / "bar.html").read_text(encoding="utf-8"),
    css=(FOLDER / "style.css").read_text(encoding="utf-8"),
    js=SCRIPT,
)


@dataclass(frozen=True)
class Press:
    """A press in the bar: a page by name and a study by key ("" for none), or "Switch person"."""

    page: str = ""
    study: str = ""
    forgets: bool = False


def mount(contents: BarContents) -> Press | None:
    """Show the bar. Return what was pressed since, or None."""
    sent = _COMPONENT(key="bar", data=contents.data(), on_go_change=_nothing, on_forget_change=_nothing)
    return read_press(sent.go, sent.forget)


def read_press(go: Any, forget: Any) -> Press | None:
    """Return what the browser sent as a press of the bar; None if it isn't one."""
    if forget:
        return Press(forgets=True)
    if not isinstance(go, dict):
        return None
    page, study = go.get("page"), go.get("study")
    if not isinstance(page, str) or not isinstance(study, str) or not page:
        return None
    return Press(page, study)


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
