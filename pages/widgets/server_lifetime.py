"""What happens once a server: before the first visitor comes, and as long as it runs."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from streamlit import delta_generator

from configs.settings import SettingsError
from data.errors import StoreError
from pages.widgets import closed_tabs
from pages.widgets.shared_store import shared_store


@asynccontextmanager
async def server_lifetime(_app: st.App) -> AsyncIterator[None]:
    """The lifespan of the app."""
    skip_prompt_check()
    with suppress(StoreError, SettingsError):  # every visitor is told, until it is mended
        shared_store()
    # Streamlit collects all garbage after every run: to go through what was loaded at the start costs more
    # than our own work. Done before there is a session, because nothing that is there now is ever collected.
    gc.collect()
    gc.freeze()
    closing = asyncio.create_task(closed_tabs.close_left_tabs())
    try:
        yield
    finally:
        closing.cancel()


def skip_prompt_check() -> None:
    """Before it draws its first element, Streamlit looks through the sources of all loaded modules, to warn
    whoever typed it into Python's prompt. The first visitor would wait a third of a second for it.
    """
    delta_generator._use_warning_has_been_displayed = True
