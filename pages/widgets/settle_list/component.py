"""The list as a component of the page, without a build step. What it sends is checked here."""

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
    """What was pressed: a row by its key, or the page behind the first `after`."""

    key: str = ""
    after: int | None = None


def mount(data: LabelList) -> ListPress | None:
    """Show the list; what was pressed in it since, or None."""
    sent = _COMPONENT(
        key="settle-list",
        data=data.model_dump(mode="json"),
        on_open_change=_nothing,
        on_page_change=_nothing,
    )
    return read_press(sent.open, sent.page)


def read_press(key: Any, after: Any) -> ListPress | None:
    """None for what the list does not send."""
    if isinstance(key, str) and key:
        return ListPress(key)
    if isinstance(after, int) and not isinstance(after, bool) and after >= 0:
        return ListPress(after=after)
    return None


def _nothing() -> None:
    """A callback must be named for what is sent to be there."""
