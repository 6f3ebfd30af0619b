"""The pages, by the names that they have in addresses."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

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
    "gold": (gold, "Gold"),
    "instrument": (instrument, "Instrument"),
    "importing": (importing, "Bring in"),
    "help": (help, "Help"),
}


# In links that were handed out before.
EARLIER_ADDRESSES = {"my-work": "my_work"}


def build_pages() -> dict[str, st.Page]:
    """All pages by the name under which the others link to them, such as page_review."""
    pages = {
        f"page_{name}": st.Page(page.render, title=title, url_path=name, default=name == "studies")
        for name, (page, title) in PAGES.items()
    }
    for address, name in EARLIER_ADDRESSES.items():
        page, title = PAGES[name]
        pages[f"page_{address}"] = st.Page(page.render, title=title, url_path=address)
    return pages


def name_of(page: st.Page) -> str:
    name = EARLIER_ADDRESSES.get(page.url_path, page.url_path)
    return name if name in PAGES else "studies"


def ignore_pages_folder() -> None:
    """Until st.navigation has run once in a process, Streamlit takes each file of the folder `pages` for a
    program of its own. Whoever sat on a page while the server restarted saw it drawn, removed and drawn
    again, and a key that was pressed in between was lost. Called before the first visitor comes.
    """
    PagesManager.uses_pages_directory = False
