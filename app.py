"""Composition root: what the server imports once, and what runs for every visit."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from data.store.parent_process import end_with_starter
from pages.widgets.server_lifetime import VisitsWait, ignore_pages_folder, pages_loaded, server_lifetime
from runs.error_dialogs import NoErrorDialogs
from runs.web_access import OwnPagesOnly

if __name__ == "__main__":  # run for every visit; the server imports this file once, by its name
    # Not above: the server sends a browser its files while it still loads what the pages are made of.
    from pages.widgets.visit import show_visit

    show_visit()
else:
    end_with_starter()
    ignore_pages_folder()
    own_pages_only = Middleware(OwnPagesOnly, page=f"{st.__path__[0]}/static/index.html")
    middleware = [own_pages_only, Middleware(NoErrorDialogs), Middleware(VisitsWait, loaded=pages_loaded)]
    app = st.App(__file__, middleware=middleware, lifespan=server_lifetime)
