"""A client of another package, whose answers are looked at before they count: whatever it does, a run ends a
call with a label or with a failure, and what an answer cost is not less than nothing.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace

from scoring.judges.judge_client import (
    JudgeAnswer,
    JudgeClient,
    JudgeRequest,
    Usage,
    WithoutBatches,
    code,
    name,
    words,
)

STATUSES = frozenset(
    {
        "ok",
        "blocked_prompt",
        "blocked_output",
        "truncated",
        "invalid",
        "quota",
        "transport",
        "rejected",
        "refused_key",
        "gone",
    }
)
LONGEST_WAIT = 86_400.0  # seconds
MOST_TOKENS = 10**9


class CheckedClient(WithoutBatches):
    def __init__(self, judge: JudgeClient) -> None:
        self._judge = judge
        self.adapter = name(judge.adapter.replace(" ", "/")) or "unknown"

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        try:
            answer = await self._judge.ask(request, room)
        except Exception as error:  # noqa: BLE001  a stranger's client may raise anything; its message may hold words
            return JudgeAnswer("transport", detail=f"the provider failed ({type(error).__name__})")
        return checked_answer(answer)

    async def close(self) -> None:
        with contextlib.suppress(Exception):
            await self._judge.close()


def checked_answer(answer: object) -> JudgeAnswer:
    """The answer with everything left out that is not of its form; a failure where nothing else is left."""
    if not isinstance(answer, JudgeAnswer) or answer.status not in STATUSES:
        return JudgeAnswer("transport", detail="the provider gave no answer of the form asked for")
    text = words(answer.text)
    checked = JudgeAnswer(
        answer.status,
        text=text,
        served=name(answer.served),
        response_id=code(answer.response_id) or None,
        finish=code(answer.finish) or None,
        safety=tuple(code(each) for each in answer.safety) if isinstance(answer.safety, tuple) else (),
        usage=_usage(answer.usage),
        wait=_wait(answer.wait),
        exhausted=answer.exhausted is True,
        http=answer.http if _is_count(answer.http) else None,
        # What is no code may be words of the conversation: those are kept where they can be erased.
        detail=code(answer.detail),
        said=words(answer.said) or (None if code(answer.detail) else words(answer.detail)),
    )
    if checked.status == "ok" and not text:
        return replace(checked, status="invalid", detail="an empty reply")
    return checked


def _usage(usage: object) -> Usage | None:
    """None where tokens are not told in numbers that can be: then the dearest answer is counted."""
    if not isinstance(usage, Usage):
        return None
    counts = (usage.input, usage.output, usage.thought, usage.cached)
    if not all(_is_count(count) for count in counts) or usage.cached > usage.input:
        return None
    return usage


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def _wait(seconds: object) -> float | None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not math.isfinite(seconds):
        return None
    return min(max(0.0, float(seconds)), LONGEST_WAIT)
