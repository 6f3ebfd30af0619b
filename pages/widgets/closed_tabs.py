"""Tabs that were closed: what they hold is let go after a while in which the browser may come back, such as
after a broken line or a laptop that slept. The server by itself keeps the sessions of the last 128 of them.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.widgets import memo
from runs.memory import free_memory

GRACE = 120.0  # seconds; server.disconnectedSessionTTL of .streamlit/config.toml is longer
LOOK_EVERY = 10.0  # seconds


class TabRegister:
    """The sessions that ran a page, and since when each of them is without a browser."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left_since: dict[str, float | None] = {}

    def note(self, session_id: str) -> None:
        with self._lock:
            self._left_since.setdefault(session_id, None)

    def take_left(self, is_active: Callable[[str], bool], grace: float) -> list[str]:
        """The sessions that have had no browser for `grace` seconds; they are forgotten here."""
        now = self._clock()
        with self._lock:
            for session_id, since in self._left_since.items():
                if is_active(session_id):
                    self._left_since[session_id] = None
                elif since is None:
                    self._left_since[session_id] = now
            left = [
                session_id
                for session_id, since in self._left_since.items()
                if since is not None and now - since >= grace
            ]
            for session_id in left:
                del self._left_since[session_id]
        return left


_tabs = TabRegister()


def note_tab() -> None:
    """Called by every run of a page."""
    context = get_script_run_ctx()
    if context is not None and runtime.exists():
        _tabs.note(context.session_id)


async def close_left_tabs() -> None:
    """For as long as the server runs. Garbage of runs that end before the page does, such as those of a
    fragment or of an error, is collected here, too.
    """
    while True:
        await asyncio.sleep(LOOK_EVERY)
        server = runtime.get_instance()
        left = _tabs.take_left(server.is_active_session, GRACE)
        for session_id in left:
            try:
                server.close_session(session_id)
                memo.forget_tab(session_id)
            except Exception:  # the next one is closed all the same
                logging.getLogger(__name__).exception("a tab that was closed could not be let go")
        if left:
            gc.collect()  # a session and what runs it refer to each other
        await asyncio.to_thread(free_memory.give_back)
