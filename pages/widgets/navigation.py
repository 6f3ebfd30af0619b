"""The pages, by their names in addresses."""

from __future__ import annotations

import streamlit as st

from pages import (
    adjudication,
    agreement,
    calibration,
    calls,
    drift,
    gold,
    help,
    importing,
    instrument,
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
    "gold": (gold, "The expert's labels"),
    "instrument": (instrument, "Instrument"),
    "importing": (importing, "Import"),
    "help": (help, "Help"),
}


FIRST = "studies"  # opens at the server's root address


def build_pages() -> dict[str, st.Page]:
    """Return all pages by the names that others link to, such as page_review."""
    pages = {
        f"page_{name}": st.Page(
            page.render, title=title, url_path=None if name == FIRST else name, default=name == FIRST
        )
        for name, (page, title) in PAGES.items()
    }
    page, title = PAGES[FIRST]
    # The default page has no address of its own, but its typed name opens it too.
    pages[f"address_{FIRST}"] = st.Page(page.render, title=title, url_path=FIRST)
    return pages


def name_of(page: st.Page) -> str:
    """Return the name of a page; that of the first page if unknown."""
    return page.url_path if page.url_path in PAGES else FIRST
