"""Composition root: settings, store, navigation. What runs and in which order is decided here and nowhere
else.
"""

from __future__ import annotations

import gc

import streamlit as st
from starlette.middleware import Middleware

from configs.settings import Settings, SettingsError
from data.errors import StoreError
from data.store import Store
from pages.widgets import untrusted_text
from pages.widgets.navigation import build_pages
from pages.widgets.theme import apply_look
from runs.prepare import ready_store
from runs.web_access import OwnPagesOnly


@st.cache_resource(show_spinner=False)
def _store() -> Store:
    store = ready_store(Settings.read())
    # Streamlit collects all garbage after every run: to go through what was loaded at the start costs more
    # than our own work.
    gc.collect()
    gc.freeze()
    return store


def main() -> None:
    st.set_page_config(page_title="Second Reader", layout="wide", initial_sidebar_state="collapsed")
    apply_look()
    pages = build_pages()
    chosen = st.navigation(list(pages.values()), position="top")
    try:
        st.session_state["store"] = _store()
    except (StoreError, SettingsError) as error:
        st.error(untrusted_text.plain(str(error)))
        return
    st.session_state.update(pages)
    # A deep link to a fresh process comes in through the page's own file, which names itself and lands here.
    if wanted := pages.get(f"page_{st.query_params.get('page', '')}"):
        st.switch_page(
            wanted, query_params={k: v for k, v in st.query_params.to_dict().items() if k != "page"}
        )
    try:
        chosen.run()
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))


if __name__ == "__main__":  # run for every visit; the server imports this file once, by its name
    main()
else:
    app = st.App(__file__, middleware=[Middleware(OwnPagesOnly, page=f"{st.__path__[0]}/static/index.html")])
