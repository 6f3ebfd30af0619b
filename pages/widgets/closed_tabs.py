"""Closed tabs: their memory is freed after a grace period in which the browser may come back, such as after a
lost connection. The server alone would keep the sessions of the last 128 closed tabs.
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
    """The sessions that ran a page, and since when each has had no browser."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left_since: dict[str, float | None] = {}

    def note(self, session_id: str) -> None:
        """Record that a session ran a page; one that is known stays as it is."""
        with self._lock:
            self._left_since.setdefault(session_id, None)

    def take_left(self, is_active: Callable[[str], bool], grace: float) -> list[str]:
        """Remove and return the sessions that have had no browser for `grace` seconds."""
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
    """Note the tab of this run. Every run of a page calls this."""
    context = get_script_run_ctx()
    if context is not None and runtime.exists():
        _tabs.note(context.session_id)


async def close_left_tabs() -> None:
    """Free closed tabs for as long as the server runs. This also collects garbage of runs that end early,
    such as fragments and errors.
    """
    while True:
        await asyncio.sleep(LOOK_EVERY)
        server = runtime.get_instance()
        left = _tabs.take_left(server.is_active_session, GRACE)
        for session_id in left:
            try:
                server.close_session(session_id)
                memo.forget_tab(session_id)
            except Exception:  # go on with the next one
                logging.getLogger(__name__).exception("a closed tab could not be freed")
        if left:
            gc.collect()  # a session and what runs it refer to each other
        await asyncio.to_thread(free_memory.give_back)
