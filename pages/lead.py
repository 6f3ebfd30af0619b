"""The lead's page: the plan, the draws, the raters, practice, and how the work stands. Nothing of
agreement.
"""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from data.work import plan as plans
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead import drawing, flash_message, people, plan_form, practice, set_aside, study_status
from pages.widgets.page_context import page_context


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading("Work and raters", 1)
    flash_message.show()
    if reader.rater is not None:
        st.info(
            "This page is for whoever leads the study: it names who has rated what. Your own list is on My "
            "work."
        )
        st.button("I lead this study", key="lead-leave", on_click=reader_session.forget_reader, args=(study,))
        return
    with reader_session.store().reading() as connection:
        version = plans.version(connection, study.id)
    _sections(study, version)


def _sections(study: Study, version: int) -> None:
    parts = {
        "How it stands": study_status.show,
        "Plan": plan_form.show,
        "What is rated": drawing.show,
        "Raters": people.show,
        "Practice": practice.show,
        "Whose labels count": set_aside.show,
    }
    names = list(parts)
    wanted = st.query_params.get("part", "")
    chosen = st.segmented_control(
        "Part",
        names,
        default=wanted if wanted in names else names[0 if version else 1],
        key="lead-part",
        required=True,
        label_visibility="collapsed",
    )
    parts[str(chosen)](study)
