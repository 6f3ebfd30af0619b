"""What the ledger keeps of a try, whatever the question was."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from data.record.ledger import Asked, Attempt
from runs.asking.engine_parts import CallOutcome
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer, Usage
from scoring.judges.reply_parsing import Verdict


class AttemptRows(ABC):
    """Makes the ledger rows of one run's tries."""

    def __init__(self, entry: JudgeEntry, adapter: str) -> None:
        self._entry, self._adapter = entry, adapter

    @property
    @abstractmethod
    def asked(self) -> Asked:
        """Return the condition on ledger tries that selects this run's model."""

    @abstractmethod
    def subject(self, call: Any, answer: JudgeAnswer) -> dict[str, Any]:
        """Return the Attempt fields that say who was asked about what, and an answer kept next to the
        reply.
        """

    @abstractmethod
    def labels(
        self, call: Any, answer: JudgeAnswer, verdicts: dict[str, Verdict | None], repair: bool
    ) -> Sequence[CallOutcome]:
        """Return what this try settles; empty if the call continues or the run stops."""

    @abstractmethod
    def failures(self, call: Any, answer: JudgeAnswer) -> Sequence[CallOutcome]:
        """Return the failure of a call."""

    def attempt(
        self, call: Any, answer: JudgeAnswer, number: int, repair: bool, latency: float, batched: bool = False
    ) -> Attempt:
        """Return the row of a try. `number`: from 0; `latency`: in seconds."""
        usage, price = answer.usage, self._entry.price
        cost = price.nano(usage.input, usage.output, usage.cached, batched) if price and usage else None
        token_usage = usage or Usage()
        return Attempt(
            **self.subject(call, answer),
            key=call.request.key,
            tried=number,
            repair=repair,
            status=answer.status,
            detail=answer.detail,
            http=answer.http,
            finish=answer.finish,
            served=answer.served,
            response_id=answer.response_id,
            safety=answer.safety,
            tokens_in=token_usage.input if usage else None,
            tokens_out=token_usage.output if usage else None,
            tokens_thought=token_usage.thought if usage else None,
            tokens_cached=token_usage.cached if usage else None,
            cost_nano=cost,
            price_date=price.date if price and usage else None,
            currency=price.currency if price and usage else None,
            latency_ms=round(latency * 1000),
            adapter=self._adapter,
            batched=batched,
            replayed=self._entry.provider == "replay",
            prompt_sha256=call.prompt_sha256,
            reply=answer.text or answer.said,
        )
