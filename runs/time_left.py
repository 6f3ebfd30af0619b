"""How long work under way still takes, told by how long its latest steps took: the median, so that one slow
step, or a machine that slept, changes little. Pages and terminal use the same.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from statistics import median

STEPS = 24  # the latest that count
APART = 0.25  # seconds: steps that follow faster count as one
MIN_STEPS_FOR_PACE = 3  # steps before anything is told


class TimeLeft:
    """Of one piece of work, told by whoever does it how far it is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._marks: deque[tuple[float, float]] = deque(maxlen=STEPS + 1)

    def seconds(self, steps: float, total: float) -> float | None:
        """What is left once `steps` of `total` are done; None while too little is known."""
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
