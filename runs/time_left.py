"""Estimate how long work still takes from the median of its latest steps, so that one slow step or a sleeping
machine changes little.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from statistics import median

STEPS = 24  # the latest steps that count
APART = 0.25  # seconds: steps that follow faster count as one
MIN_STEPS_FOR_PACE = 3  # fewer give no estimate


class TimeLeft:
    """The time left of one piece of work; the work itself reports its progress."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._marks: deque[tuple[float, float]] = deque(maxlen=STEPS + 1)

    def seconds(self, steps: float, total: float) -> float | None:
        """Return the seconds left when `steps` of `total` are done; None while too little is known."""
        moment = self._clock()
        if self._marks and steps < self._marks[-1][1]:  # another piece of work has begun
            self._marks.clear()
        if not self._marks or (moment - self._marks[-1][0] >= APART and steps > self._marks[-1][1]):
            self._marks.append((moment, steps))
        if len(self._marks) <= MIN_STEPS_FOR_PACE:
            return None
        pace = median(
            (later - earlier) / (more - fewer) for (earlier, fewer), (later, more) in pairwise(self._marks)
        )
        return max(0.0, pace * (total - steps))
