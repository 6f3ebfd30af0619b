"""The server's memory of one window of the rating page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from services.rating_events import Receipt


@dataclass
class RatingWindow:
    """The state of one window.

    `receipts`: the results of events, by id. `sent_units`: units whose transcript the browser has. `run`: the
    id of the last full run of the page, which tells the browser of a new one, such as after a restart.
    `position`: the unit shown, None before one is chosen. `address`: the unit that the browser's address
    named last. `last_view`: the last data, without the transcript, and `last_view_run` its run; None before
    any.
    """

    receipts: dict[str, Receipt] = field(default_factory=dict)
    sent_units: set[int] = field(default_factory=set)
    run: str = ""
    position: int | None = None
    address: str | None = None
    last_view: dict[str, Any] | None = None
    last_view_run: str = ""


def rating_window(study_id: int, rater_id: int) -> RatingWindow:
    """Return the state of the tab's rating window for this study and rater, created if needed."""
    window: RatingWindow = st.session_state.setdefault(f"rating-window-{study_id}-{rater_id}", RatingWindow())
    return window
