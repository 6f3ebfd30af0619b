"""What the engine needs of a call, and of what settles it."""

from __future__ import annotations

from typing import Protocol

from scoring.judges.judge_client import JudgeRequest
from scoring.judges.reply_parsing import Verdict


class EngineCall(Protocol):
    """`conversation_id`: whose words it holds. `tokens`: what is sent, roughly; `bytes`: of ASCII, and all
    others.
    """

    @property
    def request(self) -> JudgeRequest: ...

    @property
    def conversation_id(self) -> int: ...

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
