"""The pages of the top bar, in their order."""

from __future__ import annotations

import streamlit as st

from pages import (
    adjudication,
    agreement,
    calibration,
    calls,
    drift,
    importing,
    judges,
    lead,
    metrics,
    my_work,
    overview,
    plans,
    review,
    runs,
    study_list,
)

PAGES = {
    "studies": (study_list, "Studies"),
    "overview": (overview, "Overview"),
    "my_work": (my_work, "My work"),
    "review": (review, "Review"),
    "lead": (lead, "Lead"),
    "agreement": (agreement, "Agreement"),
    "adjudication": (adjudication, "Disagreements"),
    "metrics": (metrics, "Metrics"),
    "plans": (plans, "Target plans"),
    "drift": (drift, "Drift"),
    "runs": (runs, "Runs"),
    "judges": (judges, "Judges"),
    "calls": (calls, "Calls"),
    "calibration": (calibration, "Calibration"),
    "importing": (importing, "Import"),
}
HIDDEN = ("calls", "calibration")


def build_pages() -> dict[str, st.Page]:
    """All pages by the name under which the others link to them, such as page_review."""
    return {
        f"page_{name}": st.Page(
            page.render,
            title=title,
            url_path=name.replace("_", "-"),
            default=name == "studies",
            visibility="hidden" if name in HIDDEN else "visible",
        )
        for name, (page, title) in PAGES.items()
    }
