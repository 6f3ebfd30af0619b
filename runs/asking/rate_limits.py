"""How many calls are in flight, and when none may start: additive increase, multiplicative decrease, and one
gate for all.

When the server refuses a call and says how long to wait, nobody starts before that. A server that goes on
answering calls that were sent after the refused one has not run out: then the gate opens again, and only the
refused call waits. The same holds for a single call that is told to come again in a moment. What that costs:
the bench `judging`.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import deque

FIRST = 8
DECREASE = 0.7
LONGEST_WAIT = 60.0
# answers to later calls that show that a refusal was of one call; fewer can be two calls that overtook each
# other
PROOF = 3
MOMENT = 0.5  # seconds; a call that may come again so soon was refused by itself until another one is
GLANCE = 0.02  # seconds between looks at the gate


class TokenBucket:
    """At most so much a minute, in bursts of a tenth of it."""

    def __init__(self, a_minute: int | None) -> None:
        self._rate = None if a_minute is None else a_minute / 60
        self._room = 0.0 if a_minute is None else max(1.0, a_minute / 10)
        self._left = self._room
        self._at: float | None = None

    def wait(self, amount: float, at: float) -> float:
        """Seconds until `amount` may be taken. What is more than a burst waits for a full bucket."""
        if self._rate is None:
            return 0.0
        self._left = min(self._room, self._left + (0.0 if self._at is None else (at - self._at) * self._rate))
        self._at = at
        return max(0.0, (min(amount, self._room) - self._left) / self._rate)

    def take(self, amount: float) -> None:
        self._left -= amount


class RateLimiter:
    def __init__(self, most: int, rpm: int | None = None, tpm: int | None = None) -> None:
        self._most = most
        self._limit = float(min(FIRST, most))
        self._ceiling = float(most)  # below it growth doubles, above it it is slow
        self._closed_until = 0.0
        self._last_cut = float("-inf")
        self._refusals = 0
        self._entered = 0  # tickets given
        self._good: deque[int] = deque(maxlen=64)  # tickets of the last answers
        self._shut: tuple[int, int, float, float] | None = (
            None  # the refused ticket, the last one given by then, and the limits before the cut
        )
        self._doubt: int | None = (
            None  # the ticket of a call refused for a moment, until something later is answered
        )
        self._calls, self._tokens = TokenBucket(rpm), TokenBucket(tpm)
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.in_flight = 0
        self.over = asyncio.Event()  # set when the run stops: then nobody waits any longer

    @property
    def at_once(self) -> int:
        return max(1, int(self._limit))

    async def enter(self, tokens: int) -> int:
        """Wait for a place, in line, and until calls may start. Whoever enters must leave. Returns a ticket;
        later ones are higher.
        """
        await self._place(again=False)
        while (wait := self._wait(tokens)) > 0 and not self.over.is_set():
            try:
                await self.rest(min(wait, GLANCE))
            except asyncio.CancelledError:
                self.leave()
                raise
            if self.in_flight > self.at_once:  # there are fewer places by now
                self.in_flight -= 1
                await self._place(again=True)
        self._calls.take(1)
        self._tokens.take(tokens)
        self._entered += 1
        return self._entered

    async def _place(self, again: bool) -> None:
        """`again`: whoever had a place before stands in front."""
        if self.in_flight < self.at_once and (again or not self._waiting):
            self.in_flight += 1
            return
        place = asyncio.get_running_loop().create_future()
        if again:
            self._waiting.appendleft(place)
        else:
            self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                self.leave()
            raise

    def _wait(self, tokens: int) -> float:
        now = asyncio.get_running_loop().time()
        return max(self._closed_until - now, self._calls.wait(1, now), self._tokens.wait(tokens, now))

    async def rest(self, seconds: float) -> None:
        """Sleep, but not past the end of the run."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)

    def leave(self) -> None:
        self.in_flight -= 1
        self._wake()

    def _wake(self) -> None:
        """Places are given to those who wait and not only shown to them: whoever comes by in that moment
        would take them.
        """
        while self.in_flight < self.at_once and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def answered(self, ticket: int | None = None, grow: bool = True) -> None:
        """The server took a call: room grows. `ticket`: of the call; None where it took no place here.
        `grow`: not for a reply that nobody can read; of those no more are wanted at once.
        """
        self._refusals = 0
        if ticket is not None:
            self._good.append(ticket)
        if self._shut is not None and self._went_on(self._shut[0], self._shut[1]):
            self._closed_until, self._limit, self._ceiling = 0.0, self._shut[2], self._shut[3]
            self._last_cut, self._shut = float("-inf"), None
        if grow:
            step = 1.0 if self._limit < self._ceiling else 1.0 / self._limit
            self._limit = min(float(self._most), self._limit + step)
        self._wake()

    def refused(self, wait: float | None, ticket: int | None = None) -> None:
        """Too many calls. `wait`: what the server asked for; without it, twice as long each time, with chance
        in it.
        """
        ticket = self._entered if ticket is None else ticket
        if self._went_on(ticket, self._entered) or self._is_alone(wait, ticket):
            return
        now = asyncio.get_running_loop().time()
        self._refusals += 1
        if wait is None:
            wait = min(LONGEST_WAIT, 2.0 ** min(self._refusals, 6)) * random.uniform(0.5, 1.0)
        if self._closed_until <= now:
            self._shut = (ticket, self._entered, self._limit, self._ceiling)
        self._closed_until = max(self._closed_until, now + wait)
        if now - self._last_cut > max(1.0, wait):
            self._last_cut = now
            self._limit = self._ceiling = max(1.0, self._limit * DECREASE)

    def _is_alone(self, wait: float | None, ticket: int) -> bool:
        """A call told to come again in a moment, and none refused before it that nothing later speaks for: a
        hiccup and no quota.
        """
        before, self._doubt = self._doubt, ticket
        return (
            wait is not None
            and wait <= MOMENT
            and (before is None or any(good > before for good in self._good))
        )

    def _went_on(self, refused: int, last: int) -> bool:
        """Whether the server answered calls that were sent after a refused one, and before it was known."""
        return sum(refused < good <= last for good in self._good) >= PROOF
