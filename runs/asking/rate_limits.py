"""Control how many calls are in flight and when none may start: additive increase, multiplicative decrease,
and one gate.

When the server refuses a call and says how long to wait, no call starts before that. If the server still
answers calls that were sent after the refused one, its quota is not used up: the gate opens, and only the
refused call waits. The same holds for a single call that is told to retry in a moment. The bench `judging`
measures the cost.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import deque

FIRST = 8
DECREASE = 0.7
LONGEST_WAIT = 60.0
# later calls answered that prove a refusal concerned one call; fewer may just be calls that overtook each
# other
PROOF = 3
MOMENT = 0.5  # seconds; a call told to retry this soon was refused alone, until another is refused
GLANCE = 0.02  # seconds between checks of the gate


class TokenBucket:
    """Allows a given amount per minute, in bursts of a tenth of it."""

    def __init__(self, a_minute: int | None) -> None:
        self._rate = None if a_minute is None else a_minute / 60
        self._room = 0.0 if a_minute is None else max(1.0, a_minute / 10)
        self._left = self._room
        self._at: float | None = None

    def wait(self, amount: float, at: float) -> float:
        """Return the seconds until `amount` may be taken. An amount above a burst waits for a full bucket."""
        if self._rate is None:
            return 0.0
        self._left = min(self._room, self._left + (0.0 if self._at is None else (at - self._at) * self._rate))
        self._at = at
        return max(0.0, (min(amount, self._room) - self._left) / self._rate)

    def take(self, amount: float) -> None:
        """Use up an amount; more may be used than is left."""
        self._left -= amount


class RateLimiter:
    def __init__(self, most: int, rpm: int | None = None, tpm: int | None = None) -> None:
        self._most = most
        self._limit = float(min(FIRST, most))
        self._ceiling = float(most)  # below it growth doubles, above it growth is slow
        self._closed_until = 0.0
        self._last_cut = float("-inf")
        self._refusals = 0
        self._entered = 0  # tickets given
        self._good: deque[int] = deque(maxlen=64)  # tickets of the last answers
        self._shut: tuple[int, int, float, float] | None = (
            None  # the refused ticket, the last one given by then, and the limits before the cut
        )
        self._doubt: int | None = (
            None  # ticket of a call refused for a moment, until a later call is answered
        )
        self._calls, self._tokens = TokenBucket(rpm), TokenBucket(tpm)
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.in_flight = 0
        self.over = asyncio.Event()  # set when the run stops, so that no call waits any longer

    @property
    def at_once(self) -> int:
        return max(1, int(self._limit))

    async def enter(self, tokens: int) -> int:
        """Wait for a place and until calls may start, and return a ticket; later tickets are higher. The
        caller must leave.
        """
        await self._place(again=False)
        while (wait := self._wait(tokens)) > 0 and not self.over.is_set():
            try:
                await self.rest(min(wait, GLANCE))
            except asyncio.CancelledError:
                self.leave()
                raise
            if self.in_flight > self.at_once:  # there are fewer places now
                self.in_flight -= 1
                await self._place(again=True)
        self._calls.take(1)
        self._tokens.take(tokens)
        self._entered += 1
        return self._entered

    async def _place(self, again: bool) -> None:
        """Wait for a place. `again`: the call had one before, so it goes first."""
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
        """Sleep, at most until the run ends."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)

    def leave(self) -> None:
        """Free the place that `enter` took."""
        self.in_flight -= 1
        self._wake()

    def _wake(self) -> None:
        """Give free places to waiting calls; a new call could otherwise take them first."""
        while self.in_flight < self.at_once and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def answered(self, ticket: int | None = None, grow: bool = True) -> None:
        """Note that the server took a call, so that more may be in flight.

        Args:
            ticket: of the call; None if it took no place here.
            grow: False for an unreadable reply.
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
        """Note that the server refused a call, and slow down.

        Args:
            wait: the seconds the server asked for; None doubles the wait each time, with jitter.
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
        """Tell whether only this call was refused: it is told to retry in a moment, and no earlier refusal is
        open.
        """
        before, self._doubt = self._doubt, ticket
        return (
            wait is not None
            and wait <= MOMENT
            and (before is None or any(good > before for good in self._good))
        )

    def _went_on(self, refused: int, last: int) -> bool:
        """Tell whether the server answered calls sent after the refused one and before the refusal was
        known.
        """
        return sum(refused < good <= last for good in self._good) >= PROOF
