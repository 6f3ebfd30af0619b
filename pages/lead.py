"""The lead's page: the plan, the draws, the raters, practice, and how the work stands. Nothing of
agreement.
"""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from data.work import plan as plans
from pages.widgets import foreign, place
from pages.widgets.arrival import arrive
from pages.widgets.lead import done, drawing, people, plan_form, practice, set_aside, standing


def render() -> None:
    arrived = arrive(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    foreign.heading(f"Lead: {study.title}", 1)
    done.show()
    if reader.rater is not None:
        st.info(
            "This page is for whoever leads the study: it names who has rated what. Your own list is on My "
            "work."
        )
        st.button("I lead this study", key="lead-leave", on_click=place.forget_reader, args=(study,))
        return
    with place.store().reading() as connection:
        version = plans.version(connection, study.id)
    _sections(study, version)


def _sections(study: Study, version: int) -> None:
    parts = {
        "How it stands": standing.show,
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


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "lead"})
