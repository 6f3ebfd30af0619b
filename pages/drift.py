"""Drift: how metrics change over the turns of conversations, by condition, and where care leaves its plan."""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Person
from data.labels import event_dates
from data.record import curves, judgements
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.drift.conversation_curves import conversations
from pages.widgets.drift.judge_drift import judge
from pages.widgets.drift.period_agreement import over_time
from pages.widgets.drift.rater_drift import raters
from pages.widgets.drift.runs import runs
from pages.widgets.guard import labels_permitted
from pages.widgets.page_context import page_context

PARTS = {
    "conversations": "Over the turns",
    "time": "Over time",
    "judge": "The judge",
    "raters": "The raters",
    "runs": "Over runs",
}


def render() -> None:
    """Draw the Drift page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    # Models and conditions would reveal to a blind rater what they must not know.
    if labels_permitted(study, reader, "Drift is shown once you have rated everything."):
        _parts(study, reader)
    else:
        untrusted_text.heading("Drift", 1)


def _parts(study: Study, reader: Person) -> None:
    asked = st.query_params.get("part", "")
    part = st.segmented_control(
        "What may change",
        list(PARTS),
        format_func=PARTS.__getitem__,
        required=True,
        key="drift-part",
        default=asked if asked in PARTS else _first_part(study),
        label_visibility="collapsed",
    )
    draw_part = {"time": over_time, "judge": judge, "raters": raters}.get(part)
    if draw_part is not None:
        draw_part(study, reader)
    else:
        (runs if part == "runs" else conversations)(study)


def _first_part(study: Study) -> str:
    """Return the first part with something to show: over time if there are no curves but a judge and dated
    labels.
    """
    with reader_session.store().reading() as connection:
        dated = (
            not curves.kinds(connection, study.id)
            and judgements.judges(connection, study.id)
            and event_dates.has_rated_days(connection, study.id)
        )
    return "time" if dated else "conversations"
