"""The pages, by the names that they have in addresses."""

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
    plans,
    review,
    runs,
    study_list,
)

PAGES = {
    "studies": (study_list, "Studies"),
    "my_work": (my_work, "My work"),
    "review": (review, "Rate"),
    "lead": (lead, "Work and raters"),
    "agreement": (agreement, "Agreement"),
    "adjudication": (adjudication, "Settle"),
    "metrics": (metrics, "Metrics"),
    "plans": (plans, "Plans of care"),
    "drift": (drift, "Drift"),
    "runs": (runs, "Runs"),
    "judges": (judges, "Judges"),
    "calls": (calls, "Calls"),
    "calibration": (calibration, "Calibration"),
    "importing": (importing, "Bring in"),
}


def build_pages() -> dict[str, st.Page]:
    """All pages by the name under which the others link to them, such as page_review."""
    return {
        f"page_{name}": st.Page(
            page.render, title=title, url_path=name.replace("_", "-"), default=name == "studies"
        )
        for name, (page, title) in PAGES.items()
    }


def name_of(page: st.Page) -> str:
    return next((name for name in PAGES if name.replace("_", "-") == page.url_path), "studies")
