"""The calls of a run, made a handful at a time and checked again before they are sent."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from runs.asking.engine_parts import EngineCall

FRESH = 1.0  # seconds after which a prepared call is checked for erased words before it is sent


class CallStream:
    """Prepares calls a handful at a time; not in a thread, which would compete with the calls in flight for
    the interpreter.

    `has_words`: whether a call's words still exist; they may have been erased since. `find_asked_once`: the
    keys of calls that may be asked only once more, because their first reply was unreadable.
    """

    def __init__(
        self,
        handfuls: Iterator[Sequence[EngineCall]],
        has_words: Callable[[EngineCall], bool],
        find_asked_once: Callable[[Sequence[EngineCall]], set[str]],
    ) -> None:
        self._handfuls, self._has_words, self._find_asked_once = handfuls, has_words, find_asked_once
        self._asked_once: set[str] = set()
        self._ready: deque[EngineCall] = deque()
        self._made = 0.0

    async def next(self) -> tuple[EngineCall, bool] | None:
        """Return the next call, and whether it may be asked only once more; None if no call is left."""
        while True:
            while not self._ready:
                handful = next(self._handfuls, None)
                if handful is None:
                    return None
                self._ready.extend(handful)
                self._asked_once = self._find_asked_once(handful) if handful else set()
                self._made = time.monotonic()
                await asyncio.sleep(0)  # many handfuls may follow whose calls were all answered before
            call = self._ready.popleft()
            if time.monotonic() - self._made < FRESH or self._has_words(call):
                return call, call.request.key in self._asked_once
