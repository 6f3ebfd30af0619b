"""Progress of slow work: a bar with the time left once it takes longer than a moment, and a Stop button if
the work can be stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from reports.wording import describe_time_left
from runs.time_left import TimeLeft

A_MOMENT = 1.0  # seconds before anything is shown
RENEWED = 0.25  # seconds between two updates of the bar


class WorkProgress:
    """A progress callback, called with (words, steps, total) during the work. Any press meanwhile ends the
    run at the next call, so `on_stop` only notes the wish.
    """

    def __init__(
        self,
        key: str,
        on_stop: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._key, self._on_stop, self._clock = key, on_stop, clock
        self._left = TimeLeft(clock)
        self._place = st.empty()
        self._bar: DeltaGenerator | None = None
        self._drawn_at = clock() + A_MOMENT - RENEWED

    def __call__(self, words: str, steps: float, total: float) -> None:
        seconds = self._left.seconds(steps, total)
        moment = self._clock()
        if moment - self._drawn_at < RENEWED or not total:
            return
        self._drawn_at = moment
        share = min(1.0, max(0.0, steps / total))
        left = describe_time_left(seconds)
        text = f"{int(100 * share)}% {words}{f', {left}' if left else ''}"
        if self._bar is None:
            with self._place.container(horizontal=True, vertical_alignment="center"):
                self._bar = st.progress(share, text)
                if self._on_stop is not None:
                    st.button("Stop", key=f"{self._key}-stop", on_click=self._on_stop)
        else:
            self._bar.progress(share, text)

    def end(self) -> None:
        """Remove the progress from the page."""
        self._place.empty()
