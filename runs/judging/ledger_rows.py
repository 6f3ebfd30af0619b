"""What a try leaves in the ledger: the attempt, and labels or failures where it settles the call."""

from __future__ import annotations

from collections.abc import Mapping

from data.record.ledger import Attempt, LedgerLabel
from runs.asking.call_record import call_record
from runs.judging.calls import Call
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer
from scoring.judges.reply_parsing import Verdict
from scoring.judges.statuses import OK


def labels_of_verdicts(
    judge_id: int, call: Call, verdicts: Mapping[str, Verdict | None]
) -> list[LedgerLabel]:
    """A label of each question of a call; "missing" where it got none."""
    return [
        LedgerLabel(
            judge_id,
            call.unit_id,
            name,
            call.anchor_round,
            call.replicate,
            OK if verdict else "missing",
            verdict.label if verdict else None,
            verdict.reasoning if verdict else None,
            verdict.cited if verdict else (),
        )
        for name, verdict in verdicts.items()
    ]


class LedgerRows:
    """The rows of one run of one judge."""

    def __init__(self, run_id: int, judge_id: int, entry: JudgeEntry, adapter: str) -> None:
        self._run_id, self._judge_id, self._entry, self._adapter = run_id, judge_id, entry, adapter

    def labels(
        self, call: Call, answer: JudgeAnswer, verdicts: dict[str, Verdict | None], repair: bool
    ) -> list[LedgerLabel]:
        """What this try settles: labels, or the failure of each question; nothing where the call goes on or
        the run stops.
        """
        if answer.status == OK:
            return labels_of_verdicts(self._judge_id, call, verdicts)
        final = answer.status in ("blocked_prompt", "blocked_output") or (
            answer.status in ("truncated", "invalid") and repair
        )
        return self.failures(call, answer) if final else []

    def failures(self, call: Call, answer: JudgeAnswer) -> list[LedgerLabel]:
        """The failure of each question of a call."""
        return [
            LedgerLabel(
                self._judge_id,
                call.unit_id,
                name,
                call.anchor_round,
                call.replicate,
                answer.status,
                None,
                answer.detail or None,
                (),
            )
            for name, _ in call.questions
        ]

    def attempt(
        self,
        call: Call,
        answer: JudgeAnswer,
        number: int,
        repair: bool,
        latency: float,
        batched: bool = False,
    ) -> Attempt:
        """What is kept of a try, whatever came of it. `number`: from 0; `latency`: in seconds."""
        return Attempt(
            self._run_id,
            self._judge_id,
            call.unit_id,
            call.criterion,
            call.anchor_round,
            call.replicate,
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
