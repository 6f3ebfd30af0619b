"""What the server remembers of one window of the rating page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from services.rating_events import Receipt


@dataclass
class RatingWindow:
    """`receipts`: what became of the events that came, by their ids. `sent_units`: those whose transcript the
    browser has. `run`: names the last run of the whole page, and with it tells the browser that one happened,
    as after a restart of the server. `position`: of the unit that is shown, None before one is chosen;
    `address`: of the unit that the browser's address named last. `last_view`: what was shown last, without
    the transcript, and `last_view_run` in which run; None before anything was.
    """

    receipts: dict[str, Receipt] = field(default_factory=dict)
    sent_units: set[int] = field(default_factory=set)
    run: str = ""
    position: int | None = None
    address: str | None = None
    last_view: dict[str, Any] | None = None
    last_view_run: str = ""


def rating_window(study_id: int, rater_id: int) -> RatingWindow:
    window: RatingWindow = st.session_state.setdefault(f"rating-window-{study_id}-{rater_id}", RatingWindow())
    return window
