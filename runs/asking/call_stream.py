"""Where the calls of a run come from: made a handful at a time, and looked at once more before they are
sent.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from runs.asking.engine_parts import EngineCall

FRESH = 1.0  # seconds after which the words of a call that was made are looked up again before they are sent


class CallStream:
    """Calls, made ready a handful at a time. Not in a thread: it would contend with the calls in flight for
    the interpreter.

    `has_words`: whether the words of a call are there still; they may have been erased since it was made.
    `find_asked_once`: the keys of calls that may be asked only once more, because their first reply was
    unreadable.
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
        """The next call, and whether it may be asked only once more; None where there is none left."""
        while True:
            while not self._ready:
                handful = next(self._handfuls, None)
                if handful is None:
                    return None
                self._ready.extend(handful)
                self._asked_once = self._find_asked_once(handful) if handful else set()
                self._made = time.monotonic()
                await asyncio.sleep(0)  # where all of it was answered before, there may be many to go
            call = self._ready.popleft()
            if time.monotonic() - self._made < FRESH or self._has_words(call):
                return call, call.request.key in self._asked_once
