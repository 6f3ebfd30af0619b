"""The workbench: list, transcript and rating pad in one component, without a build step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

FOLDER = Path(__file__).parent
SCRIPTS = (
    "dom",
    "draw",
    "tabs",
    "outbox",
    "rail",
    "transcript",
    "pad",
    "compare",
    "curve",
    "metrics",
    "keys",
    "app",
    "actions",
    "notes",
    "tell",
    "main",
)


def script() -> str:
    return "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)


_COMPONENT = st.components.v2.component(
    "second_reader_workbench",
    html=(FOLDER / "workbench.html").read_text(encoding="utf-8"),
    css=(FOLDER / "style.css").read_text(encoding="utf-8"),
    js=script(),
)


def workbench(key: str, data: dict[str, Any]) -> None:
    """Mount the workbench. Its state has `events`, what the person did, and `want`, a transcript it lacks."""
    _COMPONENT(key=key, data=data, on_events_change=_nothing, on_want_change=_nothing)


def state(key: str) -> tuple[list[Any], Any]:
    """The events that wait for an answer, and the unit whose transcript the browser lacks: as sent, and not
    yet checked.
    """
    found = st.session_state.get(key) or {}
    events = found.get("events") or []
    return (list(events) if isinstance(events, list) else []), found.get("want")


def _nothing() -> None:
    """Reading the state in the script suffices; a callback must be named for the keys to exist."""
