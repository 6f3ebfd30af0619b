"""Composition root: settings, store, navigation. What runs and in which order is decided here and nowhere else."""

from __future__ import annotations

import gc

import streamlit as st

from configs.settings import Settings, SettingsError
from data.errors import StoreError
from data.store import Store
from pages import adjudication, agreement, calls, importing, judges, metrics, review, runs, study_list
from pages.widgets import foreign
from pages.widgets.look import apply_look
from runs.prepare import ready_store


@st.cache_resource(show_spinner=False)
def _store() -> Store:
    store = ready_store(Settings.read())
    # Streamlit collects garbage in full after every run. What was loaded at the start stays for good, and going
    # through it each time costs more than all of our own work (make bench: commit).
    gc.collect()
    gc.freeze()
    return store


def main() -> None:
    st.set_page_config(page_title="Second Reader", layout="wide", initial_sidebar_state="collapsed")
    apply_look()
    pages = {
        "page_studies": st.Page(study_list.render, title="Studies", url_path="studies", default=True),
        "page_review": st.Page(review.render, title="Review", url_path="review"),
        "page_agreement": st.Page(agreement.render, title="Agreement", url_path="agreement"),
        "page_adjudication": st.Page(adjudication.render, title="Disagreements", url_path="adjudication"),
        "page_metrics": st.Page(metrics.render, title="Metrics", url_path="metrics"),
        "page_runs": st.Page(runs.render, title="Runs", url_path="runs"),
        "page_judges": st.Page(judges.render, title="Judges", url_path="judges"),
        "page_calls": st.Page(calls.render, title="Calls", url_path="calls", visibility="hidden"),
        "page_importing": st.Page(importing.render, title="Import", url_path="importing"),
    }
    chosen = st.navigation(list(pages.values()), position="top")
    try:
        st.session_state["store"] = _store()
    except (StoreError, SettingsError) as error:
        st.error(foreign.plain(str(error)))
        return
    st.session_state.update(pages)
    # A deep link to a fresh process comes in through the page's own file, which names itself and lands here.
    wanted = pages.get(f"page_{st.query_params.get('page', '')}")
    if wanted is not None:
        st.switch_page(wanted, query_params={k: v for k, v in st.query_params.to_dict().items() if k != "page"})
    try:
        chosen.run()
    except StoreError as error:
        st.error(foreign.plain(str(error)))


main()
