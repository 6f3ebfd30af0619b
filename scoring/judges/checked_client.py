"""A client whose answers are looked at before they count: whatever a server or a provider says, a run ends a
call with a label or with a failure, and what it keeps can be stored.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.judges.judge_client import BatchFailed, BatchJob, JudgeAnswer, JudgeClient, JudgeRequest, Usage
from scoring.judges.server_words import code, name, words
from scoring.judges.statuses import BLOCKED, OK, UNREADABLE

STATUSES = frozenset(
    {OK, *BLOCKED, *UNREADABLE, "quota", "transport", "rejected", "refused_key", "gone", "not_recorded"}
)
LONGEST_WAIT = 86_400.0  # seconds
MAX_TOKENS = 10**9
MAX_REPLY_CHARACTERS = 1_000_000
MAX_ERROR_CHARACTERS = 10_000
MAX_NAME_CHARACTERS = 200
MAX_SAFETY_CODES = 32


class CheckedClient:
    """`is_own`: the provider is one of the program's. Details of another package may be words of the
    conversation.
    """

    def __init__(self, judge: JudgeClient, is_own: bool) -> None:
        self._judge, self._is_own = judge, is_own
        self.adapter = judge.adapter if is_own else name(judge.adapter.replace(" ", "/")) or "unknown"

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Return the checked answer; status "transport" if the provider raised anything."""
        try:
            return check_answer(await self._judge.ask(request, room), self._is_own)
        except Exception as error:  # noqa: BLE001  what a server says may raise anything; the message may hold words
            return JudgeAnswer("transport", detail=f"the provider failed ({type(error).__name__})")

    async def hand_over(self, requests: Sequence[JudgeRequest], label: str) -> str:
        """Hand over a batch job of these requests under `label`; return its name. Raise BatchFailed."""
        with self._checked_failure():
            return await self._judge.hand_over(requests, label)

    async def find(self, label: str) -> str | None:
        """Return the name of the job handed over under `label`, or None. Raise BatchFailed."""
        with self._checked_failure():
            return await self._judge.find(label)

    async def look(self, job: str) -> BatchJob:
        """Return whether a job is over, with its answers by request id once it is. Raise BatchFailed."""
        with self._checked_failure():
            found = await self._judge.look(job)
        return BatchJob(
            found.over, {key: check_answer(answer, self._is_own) for key, answer in found.answers.items()}
        )

    async def call_off(self, job: str) -> None:
        """Cancel a batch job. Raise BatchFailed."""
        with self._checked_failure():
            await self._judge.call_off(job)

    async def close(self) -> None:
        """Close the client; errors are ignored."""
        with contextlib.suppress(Exception):
            await self._judge.close()

    @contextlib.contextmanager
    def _checked_failure(self) -> Iterator[None]:
        try:
            yield
        except BatchFailed as failure:
            raise BatchFailed(check_answer(failure.answer, self._is_own)) from None


def check_answer(answer: object, is_own: bool) -> JudgeAnswer:
    """Return the answer without anything that can't be stored; status "transport" if nothing else is left.

    Token counts that are not counts become None; the answer itself stays, because it is paid. An empty
    reply, or one of more than MAX_REPLY_CHARACTERS (1,000,000), gets status "invalid", and its beginning is
    kept. For a provider of another package (not `is_own`), details that may be words of the conversation
    are moved into `said`, where they can be erased.
    """
    if (
        not isinstance(answer, JudgeAnswer)
        or answer.status not in STATUSES
        or (answer.status == "not_recorded" and not is_own)
    ):
        return JudgeAnswer("transport", detail="the provider gave no answer of the form asked for")
    text, message, served = words(answer.text), words(answer.said), words(answer.served)
    if not message and not is_own and not code(answer.detail):
        message = words(answer.detail)  # it may be words of the conversation: kept where they can be erased
    checked = JudgeAnswer(
        answer.status,
        text=text and text[:MAX_REPLY_CHARACTERS],
        # A recording may name who wrote it, in words.
        served=served and served[:MAX_NAME_CHARACTERS] if is_own else name(served),
        response_id=code(answer.response_id) or None,
        finish=code(answer.finish) or None,
        safety=_safety(answer.safety, is_own),
        usage=_usage(answer.usage),
        wait=_wait(answer.wait),
        exhausted=answer.exhausted is True,
        http=answer.http if _is_count(answer.http) else None,
        detail=answer.detail if is_own else code(answer.detail),
        said=message and message[:MAX_ERROR_CHARACTERS],
    )
    if checked.status == OK and not text:
        return replace(checked, status="invalid", detail="an empty reply")
    if checked.status == OK and len(text or "") > MAX_REPLY_CHARACTERS:
        return replace(
            checked, status="invalid", detail=f"a reply of more than {MAX_REPLY_CHARACTERS:,} characters"
        )
    return checked


def _safety(safety: object, is_own: bool) -> tuple[str, ...]:
    """Ours are made of codes already."""
    ratings = safety[:MAX_SAFETY_CODES] if isinstance(safety, tuple) else ()
    return ratings if is_own else tuple(code(rating) for rating in ratings)


def _usage(usage: object) -> Usage | None:
    """None where tokens are not told in numbers that can be: then the dearest answer is counted."""
    if not isinstance(usage, Usage):
        return None
    counts = (usage.input, usage.output, usage.thought, usage.cached)
    if not all(_is_count(count) for count in counts) or usage.cached > usage.input:
        return None
    return usage


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS


def _wait(seconds: object) -> float | None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    if isinstance(seconds, float) and not math.isfinite(seconds):
        return None
    return float(min(max(0.0, seconds), LONGEST_WAIT))
