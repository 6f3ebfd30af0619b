"""What happens once a server: before the first visitor comes, and as long as it runs. The server sends a
browser the platform's own files while the pages are still loaded beside it, so this imports little.
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
    """The lifespan of the app."""
    skip_prompt_check()
    upkeep = asyncio.create_task(_load_pages_and_close_tabs())
    try:
        yield
    finally:
        upkeep.cancel()


class VisitsWait:
    """ASGI middleware. A visit, which is a websocket, begins when the pages are loaded; files are sent
    before.
    """

    def __init__(self, application: Application, loaded: asyncio.Event) -> None:
        self._application, self._loaded = application, loaded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._loaded.wait()
        await self._application(scope, receive, send)


async def _load_pages_and_close_tabs() -> None:
    try:
        await asyncio.to_thread(load_pages)
    except Exception:  # every visitor meets it, too
        logging.getLogger(__name__).exception("the pages could not be loaded")
    pages_loaded.set()
    from pages.widgets.closed_tabs import close_left_tabs

    await close_left_tabs()


def load_pages() -> None:
    """Load what a visit needs and open the store."""
    gc.disable()  # nothing of what is loaded is garbage, and looking through it takes a good part of the time
    try:
        from configs.settings import SettingsError
        from data.store.errors import StoreError
        from pages.widgets import visit  # noqa: F401
        from pages.widgets.shared_store import shared_store

        with suppress(StoreError, SettingsError):  # every visitor is told, until it is mended
            shared_store()
        # To look through what was loaded at the start takes longer than through what visits leave. Done
        # before there is a session, because nothing that is there now is ever collected.
        gc.collect()
        gc.freeze()
    finally:
        gc.enable()


def ignore_pages_folder() -> None:
    """Until st.navigation has run once in a process, Streamlit takes each file of the folder `pages` for a
    program of its own. Whoever sat on a page while the server restarted saw it drawn, removed and drawn
    again, and a key that was pressed in between was lost. Called before the first visitor comes.
    """
    PagesManager.uses_pages_directory = False


def skip_prompt_check() -> None:
    """Before it draws its first element, Streamlit looks through the sources of all loaded modules, to warn
    whoever typed it into Python's prompt. The first visitor would wait a third of a second for it.
    """
    delta_generator._use_warning_has_been_displayed = True
