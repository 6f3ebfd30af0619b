"""The workbench: list, transcript and rating pad in one component, without a build step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

from pages.widgets.scripts.modules import assemble
from services.rating_contract import BrowserState, PageData

NAME = "second_reader_workbench"
FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
_COMPONENT = st.components.v2.component(
    NAME,
    html=(FOLDER / "workbench.html").read_text(encoding="utf-8"),
    css=(FOLDER / "style.css").read_text(encoding="utf-8"),
    js=SCRIPT,
)


def workbench(key: str, data: dict[str, Any]) -> None:
    """Mount the workbench; its state is a `BrowserState`. Raises pydantic's ValidationError, without the
    data, if they aren't a valid `PageData`.
    """
    PageData.model_validate_json(json.dumps(data))  # as it is sent: a tuple becomes a list
    _COMPONENT(key=key, data=data, on_events_change=_nothing, on_want_change=_nothing)


def state(key: str) -> BrowserState:
    """Return what the browser sent; events are not checked yet."""
    return BrowserState.model_validate(dict(st.session_state.get(key) or {}))


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
