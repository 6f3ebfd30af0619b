"""A request, and the ledger rows of its tries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from data.record.ledger import Asked, is_final_failure, is_of_model
from data.schema.vocabulary import AttemptPurpose
from runs.asking.attempt_rows import AttemptRows
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer, JudgeRequest
from scoring.judges.reply_parsing import UnreadableReply, Verdict
from scoring.judges.statuses import OK

CHARACTERS_A_TOKEN = 4  # in English prose; used only to estimate costs


@dataclass(frozen=True, slots=True)
class RequestCall:
    """A request that is not about a unit. `conversation_id`: whose words it holds."""

    purpose: ClassVar[AttemptPurpose]

    request: JudgeRequest
    conversation_id: int
    prompt_sha256: str

    @property
    def tokens(self) -> int:
        return len(self._words()) // CHARACTERS_A_TOKEN

    @property
    def bytes(self) -> tuple[int, int]:
        """Return (ASCII bytes, other bytes) sent."""
        whole = self._words()
        plain = len(whole.encode("ascii", "ignore"))
        return plain, len(whole.encode("utf-8", "replace")) - plain

    def _words(self) -> str:
        history = "".join(text for _, text in self.request.history)
        return self.request.system + history + self.request.user

    def read(self, reply: str) -> dict[str, Verdict | None]:
        """Return the verdicts of a reply. Raises UnreadableReply."""
        raise NotImplementedError

    def answer_of(self, reply: str) -> str | None:
        """Return what is kept of a readable reply besides its words; None if nothing."""
        return None


@dataclass(frozen=True)
class RequestEnd:
    """The end of a request: ok, or a failure of its own."""

    status: str


class RequestRows(AttemptRows):
    """Makes the rows of one run."""

    def __init__(self, asked_model_id: int, entry: JudgeEntry, adapter: str) -> None:
        super().__init__(entry, adapter)
        self._asked_model_id = asked_model_id

    @property
    def asked(self) -> Asked:
        return is_of_model(self._asked_model_id)

    def subject(self, call: RequestCall, answer: JudgeAnswer) -> dict[str, Any]:
        """Return the columns of a try that say what it is about."""
        return {
            "conversation_id": call.conversation_id,
            "purpose": call.purpose,
            "asked_model_id": self._asked_model_id,
            "answer": _answer(call, answer),
        }

    def labels(
        self, call: RequestCall, answer: JudgeAnswer, verdicts: dict[str, Verdict | None], repair: bool
    ) -> Sequence[RequestEnd]:
        """Return the end of the request, if the answer settles it; else []."""
        settled = answer.status == OK or is_final_failure(answer.status, repair)
        return [RequestEnd(answer.status)] if settled else []

    def failures(self, call: RequestCall, answer: JudgeAnswer) -> Sequence[RequestEnd]:
        """Return the end of a request that failed."""
        return [RequestEnd(answer.status)]


def _answer(call: RequestCall, answer: JudgeAnswer) -> str | None:
    if answer.status != OK:
        return None
    try:
        return call.answer_of(answer.text or "")
    except UnreadableReply:
        return None
