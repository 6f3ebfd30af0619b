"""What a server does once: before the first visitor, and while it runs. The server sends a browser the
platform's files while the pages still load in parallel, so this module imports little.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from streamlit import delta_generator
from streamlit.runtime.pages_manager import PagesManager

from runs.web_access import Application, Receive, Scope, Send

pages_loaded = asyncio.Event()


@asynccontextmanager
async def server_lifetime(_app: st.App) -> AsyncIterator[None]:
    """Prepare the app while the server starts, and end the upkeep when it stops."""
    skip_prompt_check()
    upkeep = asyncio.create_task(_load_pages_and_close_tabs())
    try:
        yield
    finally:
        upkeep.cancel()


class VisitsWait:
    """ASGI middleware: a visit (a websocket) starts once the pages are loaded. Files are sent before."""

    def __init__(self, application: Application, loaded: asyncio.Event) -> None:
        self._application, self._loaded = application, loaded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._loaded.wait()
        await self._application(scope, receive, send)


async def _load_pages_and_close_tabs() -> None:
    try:
        await asyncio.to_thread(load_pages)
    except Exception:  # every visitor sees the error too
        logging.getLogger(__name__).exception("the pages could not be loaded")
    pages_loaded.set()
    from pages.widgets.closed_tabs import close_left_tabs

    await close_left_tabs()


def load_pages() -> None:
    """Load the modules of a visit and open the store."""
    gc.disable()  # loading makes no garbage, and a collection would take much of the time
    try:
        from configs.settings import SettingsError
        from data.store.errors import StoreError
        from pages.widgets import visit  # noqa: F401
        from pages.widgets.shared_store import shared_store

        with suppress(StoreError, SettingsError):  # every visitor sees the error until it is fixed
            shared_store()
        # Scanning what was loaded at the start takes longer than scanning what visits leave. Freeze before
        # the first session, because frozen objects are never collected.
        gc.collect()
        gc.freeze()
    finally:
        gc.enable()


def ignore_pages_folder() -> None:
    """Stop Streamlit from treating each file in `pages` as a program. Call this before the first visitor.

    Until st.navigation has run once, it would: an open page would be drawn, removed and drawn again after a
    restart of the server, and lose a key pressed meanwhile.
    """
    PagesManager.uses_pages_directory = False


def skip_prompt_check() -> None:
    """Skip Streamlit's check whether it was typed into Python's prompt. It reads the source of all loaded
    modules, and the first visitor would wait a third of a second.
    """
    delta_generator._use_warning_has_been_displayed = True
