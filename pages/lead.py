"""The lead's page: progress, plan, what is rated, practice, whose labels count, the study's title and the
archive. Shows no agreement.
"""

from __future__ import annotations

import streamlit as st

from data.work import plan as plans
from pages.widgets import reader_session
from pages.widgets.lead import (
    drawing,
    flash_message,
    plan_form,
    practice,
    set_aside,
    study_itself,
    study_status,
)
from pages.widgets.lead.lead_context import lead_context
from pages.widgets.write_address import write_address

NOT_FOR_RATERS = "This page is for study leads: it shows who has rated what. Your own list is on My work."
PARTS = {
    "How it stands": study_status.show,
    "Plan": plan_form.show,
    "What is rated": drawing.show,
    "Practice": practice.show,
    "Whose labels count": set_aside.show,
    "Title and archive": study_itself.show,
}
EARLIER_PARTS = {"Raters": "How it stands"}  # in links from earlier versions
PART = "lead-part"


def render() -> None:
    """Draw the Work and raters page."""
    study = lead_context("Work and raters", NOT_FOR_RATERS)
    if study is None:
        return
    with reader_session.store().reading() as connection:
        version = plans.version(connection, study.id)
    asked = st.query_params.get("part", "")
    part = EARLIER_PARTS.get(asked, asked)
    shown = part if part in PARTS else list(PARTS)[0 if version else 1]
    st.session_state[PART] = shown
    with st.container(key="answer-page", gap="small"):
        st.segmented_control(
            "Part",
            list(PARTS),
            key=PART,
            label_visibility="collapsed",
            on_change=_turn_to_part,
            args=(shown,),
        )
        flash_message.show()
        PARTS[shown](study)


def _turn_to_part(shown: str) -> None:
    part = st.session_state[PART]
    if part is not None and part != shown:
        write_address(part=part)
