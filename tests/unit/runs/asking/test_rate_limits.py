"""How many calls are in flight and when none may start, on a clock that jumps: nothing here waits or depends
on the machine.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any

import pytest

from runs.asking.rate_limits import DECREASE, FIRST, LONGEST_WAIT, MOMENT, PROOF, RateLimiter, TokenBucket


class Jumping(asyncio.SelectorEventLoop):
    """A loop that does not wait for a time but goes there."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__(_Impatient(self))

    def time(self) -> float:
        return self.now


class _Impatient(selectors.DefaultSelector):
    def __init__(self, loop: Jumping) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        self._loop.now += (
            timeout if timeout and not ready else 1e-9
        )  # some time passes while anything is done
        return ready


def jumped(work: Coroutine[Any, Any, Any]) -> float:
    """How many seconds it would have taken."""
    loop = Jumping()
    try:
        loop.run_until_complete(work)
        return loop.now - 1000
    finally:
        loop.close()


class Crowd:
    """Many calls through one pace; `most` were in flight at once, `starts` when each began."""

    def __init__(self, pace: RateLimiter, seconds: float = 1.0, tokens: int = 0) -> None:
        self.pace, self.seconds, self.tokens = pace, seconds, tokens
        self.most, self.starts = 0, []  # type: ignore[var-annotated]

    async def call(self, good: bool = True) -> None:
        await self.pace.enter(self.tokens)
        self.starts.append(round(asyncio.get_running_loop().time() - 1000, 4))
        self.most = max(self.most, self.pace.in_flight)
        await asyncio.sleep(self.seconds)
        if good:
            self.pace.answered()
        self.pace.leave()

    async def calls(self, count: int, good: bool = True) -> None:
        await asyncio.gather(*(self.call(good) for _ in range(count)))


def test_no_more_calls_than_allowed_are_in_flight() -> None:
    crowd = Crowd(RateLimiter(3))
    assert jumped(crowd.calls(9)) == pytest.approx(3)
    assert (crowd.most, crowd.pace.in_flight) == (3, 0)


def test_whoever_waits_longest_starts_first() -> None:
    """Also against one who leaves and comes again at once."""
    pace, order = RateLimiter(1), []

    async def call(name: str) -> None:
        await pace.enter(0)
        order.append(name)
        await asyncio.sleep(1)
        pace.leave()

    async def busy() -> None:
        for _ in range(3):
            await call("busy")

    async def work() -> None:
        await asyncio.gather(busy(), call("a"), call("b"))

    jumped(work())
    assert order == ["busy", "a", "b", "busy", "busy"]


def test_it_begins_with_a_few_and_grows_with_every_answer_up_to_the_limit() -> None:
    crowd = Crowd(RateLimiter(20))
    jumped(crowd.calls(200))
    assert (crowd.starts.count(0.0), crowd.most, crowd.pace.at_once) == (FIRST, 20, 20)


def test_it_does_not_grow_with_replies_that_nobody_can_read() -> None:
    async def work() -> int:
        pace = RateLimiter(20)
        for _ in range(50):
            pace.answered(grow=False)
        return pace.at_once

    assert asyncio.run(work()) == FIRST


def test_nobody_starts_before_the_server_allows_it() -> None:
    pace = RateLimiter(4)
    crowd = Crowd(pace, seconds=0.1)

    async def work() -> None:
        pace.refused(7)
        await crowd.calls(6)

    jumped(work())
    assert min(crowd.starts) == pytest.approx(7)


def test_the_longer_of_two_hints_counts() -> None:
    pace, crowd = RateLimiter(4), None

    async def work() -> None:
        nonlocal crowd
        crowd = Crowd(pace)
        pace.refused(9)
        pace.refused(2)
        await crowd.calls(1)

    assert jumped(work()) == pytest.approx(10)


def test_refusals_of_one_moment_lower_the_number_once() -> None:
    pace = RateLimiter(32)

    async def work() -> None:
        for _ in range(5):
            pace.refused(1)
        assert pace.at_once == int(FIRST * DECREASE)
        await asyncio.sleep(3)
        pace.refused(1)
        assert pace.at_once == int(FIRST * DECREASE**2)
        for _ in range(20):
            await asyncio.sleep(3)
            pace.refused(1)
        assert pace.at_once == 1

    jumped(work())


def test_above_what_was_refused_it_grows_slowly() -> None:
    pace = RateLimiter(32)

    async def work() -> None:
        pace.refused(1)
        for _ in range(12):
            pace.answered()
        assert (
            pace.at_once == 7
        )  # it was 8 and is 5: from here on one more for a whole round of answers, and these are two

    jumped(work())


async def _enter(pace: RateLimiter, count: int) -> list[int]:
    return [await pace.enter(0) for _ in range(count)]


def test_the_gate_opens_again_where_calls_that_were_sent_later_are_answered() -> None:
    """The server had not run out: it refused one call by itself."""
    pace = RateLimiter(32)

    async def work() -> None:
        refused, *later = await _enter(pace, 1 + PROOF)
        pace.refused(30, refused)
        for ticket in later[:-1]:
            pace.answered(ticket)
        assert pace._closed_until > 0
        pace.answered(later[-1])
        assert pace._closed_until == 0 and pace.at_once > FIRST
        pace.refused(30, refused)  # known by now to be of one call alone
        assert pace._closed_until == 0

    jumped(work())


def test_a_single_call_that_may_come_again_in_a_moment_holds_up_nobody_else() -> None:
    pace = RateLimiter(32)

    async def work() -> None:
        first, later, third = await _enter(pace, 3)
        pace.refused(MOMENT, first)
        assert (pace._closed_until, pace.at_once) == (0, FIRST)
        pace.answered(later)
        pace.refused(MOMENT, third)  # something was answered in between: alone again
        assert (pace._closed_until, pace.at_once) == (0, FIRST + 1)

    jumped(work())


def test_two_such_calls_with_nothing_answered_in_between_are_a_quota() -> None:
    pace = RateLimiter(32)

    async def work() -> None:
        before, first, second = await _enter(pace, 3)
        pace.refused(MOMENT, first)
        pace.answered(before)  # it was sent before both, so it says nothing
        pace.refused(MOMENT, second)
        assert pace._closed_until > 1000 and pace.at_once < FIRST

    jumped(work())


def test_a_longer_wait_or_none_named_closes_the_gate_at_once() -> None:
    async def work(wait: float | None) -> None:
        pace = RateLimiter(32)
        (ticket,) = await _enter(pace, 1)
        pace.refused(wait, ticket)
        assert pace._closed_until > 1000

    for wait in (MOMENT + 0.1, None):
        jumped(work(wait))


def test_answers_to_earlier_calls_and_to_calls_of_after_the_refusal_prove_nothing() -> None:
    pace = RateLimiter(32)

    async def work() -> None:
        *earlier, refused = await _enter(pace, PROOF + 1)
        pace.refused(30, refused)
        for ticket in [*earlier, *await _enter_after(pace, PROOF)]:
            pace.answered(ticket)
        assert pace._closed_until > 1000

    async def _enter_after(pace: RateLimiter, count: int) -> list[int]:
        for _ in range(PROOF + 1):
            pace.leave()
        return await _enter(pace, count)

    assert jumped(work()) >= 30


def test_without_a_hint_the_wait_grows_but_not_for_ever() -> None:
    pace, waits = RateLimiter(1), []

    async def work() -> None:
        for _ in range(9):
            began = asyncio.get_running_loop().time()
            pace.refused(None)
            await pace.enter(0)
            pace.leave()
            waits.append(asyncio.get_running_loop().time() - began)

    jumped(work())
    for number, wait in enumerate(waits, start=1):
        assert (
            0.5 * min(LONGEST_WAIT, 2 ** min(number, 6)) - 1e-6
            <= wait
            <= min(LONGEST_WAIT, 2 ** min(number, 6)) + 1e-6
        )


def test_an_answer_ends_the_growth_of_the_wait() -> None:
    pace = RateLimiter(1)

    async def work() -> None:
        for _ in range(6):
            pace.refused(None)
        pace.answered()
        before = pace._closed_until
        pace.refused(None)
        assert pace._closed_until <= max(before, asyncio.get_running_loop().time() + 2)

    jumped(work())


# ---- calls and tokens a minute ----


@pytest.mark.slow
@pytest.mark.parametrize(("rpm", "calls"), [(60, 66), (600, 660), (6, 3)])
def test_no_more_calls_a_minute_than_allowed(rpm: int, calls: int) -> None:
    crowd = Crowd(RateLimiter(16, rpm=rpm), seconds=0.01)
    took = jumped(crowd.calls(calls))
    assert took == pytest.approx((calls - max(1, rpm / 10)) * 60 / rpm, abs=0.1)
    for start in crowd.starts:
        assert sum(start <= other < start + 60 for other in crowd.starts) <= rpm * 1.1 + 1


def test_no_more_tokens_a_minute_than_allowed() -> None:
    crowd = Crowd(RateLimiter(256, tpm=60_000), seconds=0.01, tokens=1000)
    assert jumped(crowd.calls(66)) == pytest.approx(60, abs=1.1)


def test_a_call_of_more_tokens_than_a_burst_goes_out_and_is_paid_for_afterwards() -> None:
    crowd = Crowd(RateLimiter(1, tpm=6_000), seconds=0, tokens=3000)
    jumped(crowd.calls(3))
    assert crowd.starts == pytest.approx([0, 30, 60], abs=0.1)


def test_without_limits_nobody_waits() -> None:
    assert TokenBucket(None).wait(10**9, 0.0) == 0.0


# ---- the end ----


def test_when_the_run_is_over_nobody_waits_any_longer() -> None:
    pace = RateLimiter(2)

    async def one() -> None:
        await pace.enter(0)
        pace.leave()

    async def work() -> None:
        pace.refused(50)
        waiting = [asyncio.create_task(one()) for _ in range(5)]
        await asyncio.sleep(1)
        pace.over.set()
        await asyncio.gather(*waiting)

    assert jumped(work()) == pytest.approx(1)


def test_a_caller_that_gives_up_leaves_its_place_to_the_next() -> None:
    pace, got = RateLimiter(1), []

    async def one(name: str) -> None:
        await pace.enter(0)
        got.append(name)
        await asyncio.sleep(1)
        pace.leave()

    async def work() -> None:
        tasks = [asyncio.create_task(one(name)) for name in "abc"]
        await asyncio.sleep(0.5)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    assert jumped(work()) == pytest.approx(2)
    assert got == ["a", "c"]
