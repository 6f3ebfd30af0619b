"""A chart of turns: a click opens the conversation at that turn."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from data.record.studies import Study
from pages.widgets.chart import draw_chart
from pages.widgets.unit_links import unit_links
from pages.widgets.untrusted_text import Link
from reports.drift.conversation_curves import ConversationDrift
from reports.figures import turn_curves

CLICKS = "drift-opened"


def draw_turns(study: Study, shown: ConversationDrift, figure: Any, key: str, row: int | None = None) -> None:
    """Draw `figure` and open the conversation at the turn that is clicked.

    Args:
        row: The conversation that the figure shows; None if it shows all of them.
    """
    chosen = draw_chart(
        figure,
        # A new key after each click, so that coming back does not click it again.
        key=f"{key}-{st.session_state.get(CLICKS, 0)}",
        config=turn_curves.CONFIG,
        on_select="rerun",
        selection_mode="points",
    )
    points = chosen["selection"]["points"] if chosen else []
    data = next(
        (point_data["customdata"] for point_data in points if point_data.get("customdata") is not None), None
    )
    if data is None:
        return
    at, turn = turn_curves.point(int(data)) if row is None else (row, int(data))
    position = int(shown.table.position[at])
    target = unit_links(study, [position])[position]
    if position and isinstance(target, Link):
        st.session_state[CLICKS] = st.session_state.get(CLICKS, 0) + 1
        st.switch_page(
            st.session_state["page_review"],
            query_params={**dict(parse_qsl(target.target.partition("?")[2])), "turn": str(turn)},
        )
