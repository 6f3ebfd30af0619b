"""One visit of a browser: settings, store, navigation. Only this module decides what runs, and in which
order.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

import streamlit as st

from configs.settings import SettingsError
from data.store.errors import StoreError
from pages.widgets import memo, untrusted_text
from pages.widgets.bar.bar import bar
from pages.widgets.closed_tabs import note_tab
from pages.widgets.navigation import build_pages, name_of
from pages.widgets.shared_store import shared_store
from pages.widgets.theme import apply_look, page_frame
from runs.memory import free_memory


def show_visit() -> None:
    """Draw the page of the address in the frame of all pages."""
    st.set_page_config(page_title="Second Reader", layout="wide", initial_sidebar_state="collapsed")
    note_tab()
    apply_look()
    pages = build_pages()
    chosen = st.navigation(list(pages.values()), position="hidden")
    try:
        st.session_state["store"] = shared_store()
    except (StoreError, SettingsError) as error:
        untrusted_text.show_error(error)
        return
    st.session_state.update(pages)
    # /?page=agreement&study=...: for callers that can only pass parameters.
    address = st.query_params.get("page", "")
    if wanted := pages.get(f"page_{address}"):
        st.switch_page(
            wanted, query_params={k: v for k, v in st.query_params.to_dict().items() if k != "page"}
        )
    try:
        with bar(name_of(chosen)), page_frame(name_of(chosen)):
            _say_unknown_address(pages.values())
            chosen.run()
        memo.forget_steps()
        free_memory.give_back()
    except StoreError as error:
        untrusted_text.show_error(error)


def _say_unknown_address(pages: Iterable[st.Page]) -> None:
    """Say that there is no such page. The platform opens the first page; runs/error_dialogs.py removes its
    dialog.
    """
    name = unquote(urlsplit(st.context.url or "").path).rpartition("/")[2]
    if name and name not in {page.url_path for page in pages}:
        untrusted_text.paragraph(f"There is no page “{name[:80]}”. These are the studies.")
