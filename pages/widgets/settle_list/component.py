"""The list as a component of the page, without a build step. Checks what it sends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.widgets.scripts.modules import assemble
from pages.widgets.settle_list.contract import LabelList

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
_COMPONENT = st.components.v2.component(
    "second_reader_settle_list",
    html='<div class="settle-list"></div>',
    css=(FOLDER / "style.css").read_text(encoding="utf-8"),
    js=SCRIPT,
)


@dataclass(frozen=True)
class ListPress:
    """A press in the list: a row by its key, or the page after the first `after` rows."""

    key: str = ""
    after: int | None = None


def mount(data: LabelList) -> ListPress | None:
    """Show the list. Return what was pressed since, or None."""
    sent = _COMPONENT(
        key="settle-list",
        data=data.model_dump(mode="json"),
        on_open_change=_nothing,
        on_page_change=_nothing,
    )
    return read_press(sent.open, sent.page)


def read_press(key: Any, after: Any) -> ListPress | None:
    """Return what the browser sent as a press of the list; None if it isn't one."""
    if isinstance(key, str) and key:
        return ListPress(key)
    if isinstance(after, int) and not isinstance(after, bool) and after >= 0:
        return ListPress(after=after)
    return None


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
