"""What the engine needs of a call, of the rows that come of it, and of who writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from data.record.call_records import CallRecord
from scoring.judges.judge_client import JudgeAnswer, JudgeRequest
from scoring.judges.reply_parsing import Verdict


class EngineCall(Protocol):
    """`tokens`: what is sent, roughly; `bytes`: of ASCII, and all others."""

    @property
    def request(self) -> JudgeRequest: ...

    @property
    def tokens(self) -> int: ...

    @property
    def bytes(self) -> tuple[int, int]: ...

    def read(self, reply: str) -> dict[str, Verdict | None]:
        """Raises UnreadableReply."""
        ...


class CallOutcome(Protocol):
    """What settles a call, or a question of it: `status` is ok, or that of a failure."""

    @property
    def status(self) -> str: ...


class CallRows(Protocol):
    """Makes what is kept of a try. Each of them takes the calls of its own run only."""

    def labels(
        self, call: Any, answer: JudgeAnswer, verdicts: dict[str, Verdict | None], repair: bool
    ) -> Sequence[CallOutcome]: ...

    def failures(self, call: Any, answer: JudgeAnswer) -> Sequence[CallOutcome]: ...

    def attempt(
        self,
        call: Any,
        answer: JudgeAnswer,
        number: int,
        repair: bool,
        latency: float,
        batched: bool = False,
    ) -> CallRecord: ...


class CallWriter(Protocol):
    def commit_after(self, enough: Callable[[], int]) -> None:
        """`enough`: how many results are worth a commit at once."""
        ...

    def has_words(self, call: Any) -> bool:
        """Whether the words of the call are there and were not erased meanwhile."""
        ...

    async def keep(self, attempt: Any, labels: Any) -> None: ...
