"""The store that all tabs share, opened when the server starts or, if that failed, by the next visitor."""

from __future__ import annotations

import streamlit as st

from configs.settings import Settings
from data.store.store import Store
from runs.prepare import ready_store


@st.cache_resource(show_spinner=False)
def shared_store() -> Store:
    """Return the store that all visitors share, with its cache on. Raise StoreError or SettingsError if it
    can't be used.
    """
    store = ready_store(Settings.read())
    store.keep_parts()
    return store
