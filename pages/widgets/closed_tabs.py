"""Tabs that were closed: what they hold is let go after a while in which the browser may come back, such as
after a broken line or a laptop that slept, and at once where what it showed has changed since: a browser that
comes back to nothing is shown the page anew. The server by itself keeps the sessions of the last 128 of them.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

GRACE = 120.0  # seconds; server.disconnectedSessionTTL of .streamlit/config.toml is longer
LOOK_EVERY = 10.0  # seconds


class TabRegister:
    """The sessions that ran a page, and since when each of them is without a browser."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left_since: dict[str, float | None] = {}
        self._outdated: set[str] = set()

    def note(self, session_id: str) -> None:
        with self._lock:
            self._left_since.setdefault(session_id, None)

    def note_outdated(self, session_ids: Collection[str]) -> None:
        """What these showed has changed: nobody waits for those of them that have no browser now."""
        with self._lock:
            self._outdated.update(session_ids)

    def take_left(self, is_active: Callable[[str], bool], grace: float) -> list[str]:
        """The sessions that have had no browser for `grace` seconds, and those without one that show what has
        changed; they are forgotten here.
        """
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
                if since is not None and (now - since >= grace or session_id in self._outdated)
            ]
            self._outdated.clear()
            for session_id in left:
                del self._left_since[session_id]
        return left


class TabCloser:
    """Closes the sessions of closed tabs, on the loop of the server."""

    def __init__(self, register: TabRegister) -> None:
        self._register = register
        self._wake: Callable[[], object] | None = None  # of the loop that runs

    async def run(self, forget_tab: Callable[[str], None]) -> None:
        """For as long as the server runs. `forget_tab`: lets go what only this session asked for."""
        woken = asyncio.Event()
        self._wake = partial(asyncio.get_running_loop().call_soon_threadsafe, woken.set)
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), LOOK_EVERY)
            woken.clear()
            server = runtime.get_instance()
            left = self._register.take_left(server.is_active_session, GRACE)
            for session_id in left:
                try:
                    server.close_session(session_id)
                    forget_tab(session_id)
                except Exception:  # the next one is closed all the same
                    logging.getLogger(__name__).exception("a tab that was closed could not be let go")
            if left:
                gc.collect()  # a session and what runs it refer to each other

    def close_outdated(self, session_ids: Collection[str]) -> None:
        """Soon, from any thread: those of these sessions that have no browser."""
        self._register.note_outdated(session_ids)
        if self._wake is not None:
            with suppress(RuntimeError):  # the server has stopped
                self._wake()


_tabs = TabRegister()
_closer = TabCloser(_tabs)
close_left_tabs = _closer.run
close_outdated_tabs = _closer.close_outdated


def note_tab() -> None:
    """Called by every run of a page."""
    context = get_script_run_ctx()
    if context is not None and runtime.exists():
        _tabs.note(context.session_id)
