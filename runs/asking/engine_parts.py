"""What the engine needs of a call and of its outcome."""

from __future__ import annotations

from typing import Protocol

from scoring.judges.judge_client import JudgeRequest
from scoring.judges.reply_parsing import Verdict


class EngineCall(Protocol):
    """`conversation_id`: whose words the call holds. `tokens`: roughly what is sent; `bytes`: (ASCII, other)
    bytes sent.
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
        """Return the verdicts of a reply. Raises UnreadableReply."""
        ...


class CallOutcome(Protocol):
    """What settles a call or one of its questions: `status` is ok or a failure."""

    @property
    def status(self) -> str: ...
