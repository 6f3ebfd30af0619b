"""A request, what is kept of its tries, and who writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from data.record import conversations, request_ledger
from data.record.request_ledger import RequestAttempt
from data.schema.vocabulary import RequestPurpose
from data.store.store import Store
from runs.asking.call_record import call_record
from runs.asking.shared_commits import SharedCommits
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer, JudgeRequest
from scoring.judges.reply_parsing import UnreadableReply, Verdict
from scoring.judges.statuses import OK

CHARACTERS_A_TOKEN = 4  # of English prose; only for what a run is expected to cost


@dataclass(frozen=True, slots=True)
class RequestCall:
    """One request that is about no unit. `conversation_id`: whose words it holds."""

    purpose: ClassVar[RequestPurpose]

    request: JudgeRequest
    conversation_id: int
    prompt_sha256: str

    @property
    def tokens(self) -> int:
        return len(self._words()) // CHARACTERS_A_TOKEN

    @property
    def bytes(self) -> tuple[int, int]:
        whole = self._words()
        plain = len(whole.encode("ascii", "ignore"))
        return plain, len(whole.encode("utf-8", "replace")) - plain

    def _words(self) -> str:
        history = "".join(text for _, text in self.request.history)
        return self.request.system + history + self.request.user

    def read(self, reply: str) -> dict[str, Verdict | None]:
        """Raises UnreadableReply."""
        raise NotImplementedError

    def answer_of(self, reply: str) -> str | None:
        """What is kept of a readable reply beside its words."""
        return None


@dataclass(frozen=True)
class RequestEnd:
    """A request is settled: ok, or a failure that is its own."""

    status: str


class RequestRows:
    """The rows of one run."""

    def __init__(self, asked_model_id: int, entry: JudgeEntry, adapter: str) -> None:
        self._asked_model_id, self._entry, self._adapter = asked_model_id, entry, adapter

    def labels(
        self, call: RequestCall, answer: JudgeAnswer, verdicts: dict[str, Verdict | None], repair: bool
    ) -> Sequence[RequestEnd]:
        final = answer.status in (OK, "blocked_prompt", "blocked_output") or (
            answer.status in ("truncated", "invalid") and repair
        )
        return [RequestEnd(answer.status)] if final else []

    def failures(self, call: RequestCall, answer: JudgeAnswer) -> Sequence[RequestEnd]:
        return [RequestEnd(answer.status)]

    def attempt(
        self,
        call: RequestCall,
        answer: JudgeAnswer,
        number: int,
        repair: bool,
        latency: float,
        batched: bool = False,
    ) -> RequestAttempt:
        return RequestAttempt(
            call.conversation_id,
            self._asked_model_id,
            call.purpose,
            _answer(call, answer),
            **call_record(
                self._entry,
                self._adapter,
                call.prompt_sha256,
                call.request.key,
                answer,
                number,
                repair,
                latency,
                batched,
            ),
        )


def _answer(call: RequestCall, answer: JudgeAnswer) -> str | None:
    if answer.status != OK:
        return None
    try:
        return call.answer_of(answer.text or "")
    except UnreadableReply:
        return None


class RequestWriter:
    """One for a run."""

    def __init__(self, store: Store, study_id: int, actor: str) -> None:
        self._store, self._study_id, self._actor = store, study_id, actor
        self._commits = SharedCommits(self._commit)

    def commit_after(self, enough: Callable[[], int]) -> None:
        self._commits.enough = enough

    async def keep(self, attempt: RequestAttempt | None, labels: Sequence[RequestEnd]) -> None:
        """Returns when it is on disk. A failure without a try of its own was kept with its tries."""
        if attempt is not None:
            await self._commits.write(attempt)

    def has_words(self, call: RequestCall) -> bool:
        with self._store.reading() as connection:
            return not conversations.find_erased(connection, [call.conversation_id])

    def _commit(self, attempts: Sequence[RequestAttempt]) -> None:
        with self._store.writing(self._actor, "ask a model", self._study_id) as (connection, entry):
            request_ledger.write_attempts(connection, entry, self._study_id, attempts)
