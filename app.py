"""Composition root: settings, store, navigation. What runs and in which order is decided here and nowhere
else.
"""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from configs.settings import SettingsError
from data.errors import StoreError
from pages.widgets import untrusted_text
from pages.widgets.bar.bar import bar
from pages.widgets.closed_tabs import note_tab
from pages.widgets.navigation import OTHER_ADDRESSES, build_pages, ignore_pages_folder, name_of
from pages.widgets.server_lifetime import server_lifetime
from pages.widgets.shared_store import shared_store
from pages.widgets.theme import apply_look, page_frame
from runs.memory import free_memory
from runs.web_access import OwnPagesOnly


def main() -> None:
    st.set_page_config(page_title="Second Reader", layout="wide", initial_sidebar_state="collapsed")
    note_tab()
    apply_look()
    pages = build_pages()
    chosen = st.navigation(list(pages.values()), position="hidden")
    try:
        st.session_state["store"] = shared_store()
    except (StoreError, SettingsError) as error:
        st.error(untrusted_text.plain(str(error)))
        return
    st.session_state.update(pages)
    # /?page=agreement&study=...: for whatever can hand over an address only with its parameters.
    address = st.query_params.get("page", "")
    if wanted := pages.get(f"page_{OTHER_ADDRESSES.get(address, address)}"):
        st.switch_page(
            wanted, query_params={k: v for k, v in st.query_params.to_dict().items() if k != "page"}
        )
    try:
        with bar(name_of(chosen)), page_frame(name_of(chosen)):
            chosen.run()
        free_memory.give_back()
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))


if __name__ == "__main__":  # run for every visit; the server imports this file once, by its name
    main()
else:
    ignore_pages_folder()
    own_pages_only = Middleware(OwnPagesOnly, page=f"{st.__path__[0]}/static/index.html")
    app = st.App(__file__, middleware=[own_pages_only], lifespan=server_lifetime)
