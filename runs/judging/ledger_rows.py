"""The ledger rows of a judge's try: the attempt, and the labels or failures that settle its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from data.record.ledger import Asked, LedgerLabel, is_final_failure, is_of_judge
from data.schema.vocabulary import AttemptPurpose
from runs.asking.attempt_rows import AttemptRows
from runs.judging.calls import Call
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer
from scoring.judges.reply_parsing import Verdict
from scoring.judges.statuses import OK


def labels_of_verdicts(
    judge_id: int, call: Call, verdicts: Mapping[str, Verdict | None]
) -> list[LedgerLabel]:
    """Return a label for each question of a call; "missing" if it got none."""
    return [
        _label(judge_id, call, name, OK, verdict.label, verdict.reasoning, verdict.cited)
        if verdict
        else _label(judge_id, call, name, "missing")
        for name, verdict in verdicts.items()
    ]


def _label(
    judge_id: int,
    call: Call,
    criterion: str,
    status: str,
    label: str | None = None,
    reasoning: str | None = None,
    cited: tuple[int, ...] = (),
) -> LedgerLabel:
    place = (judge_id, call.conversation_id, call.unit_id, criterion, call.anchor_round, call.replicate)
    return LedgerLabel(*place, status, label, reasoning, cited)


class LedgerRows(AttemptRows):
    """Makes the rows of one judge run."""

    def __init__(self, run_id: int, judge_id: int, entry: JudgeEntry, adapter: str) -> None:
        super().__init__(entry, adapter)
        self._run_id, self._judge_id = run_id, judge_id

    @property
    def asked(self) -> Asked:
        return is_of_judge(self._judge_id)

    def subject(self, call: Call, answer: JudgeAnswer) -> dict[str, Any]:
        """Return the columns of a try that say what it is about."""
        return {
            "conversation_id": call.conversation_id,
            "purpose": AttemptPurpose.JUDGEMENT,
            "run_id": self._run_id,
            "judge_id": self._judge_id,
            "unit_id": call.unit_id,
            "criterion": call.criterion,
            "anchor_round": call.anchor_round,
            "replicate": call.replicate,
        }

    def labels(
        self, call: Call, answer: JudgeAnswer, verdicts: dict[str, Verdict | None], repair: bool
    ) -> list[LedgerLabel]:
        """Return labels, or the failure of each question; empty if the call continues or the run stops."""
        if answer.status == OK:
            return labels_of_verdicts(self._judge_id, call, verdicts)
        return self.failures(call, answer) if is_final_failure(answer.status, repair) else []

    def failures(self, call: Call, answer: JudgeAnswer) -> list[LedgerLabel]:
        """Return the failure of each question of a call."""
        return [
            _label(self._judge_id, call, name, answer.status, reasoning=answer.detail or None)
            for name, _ in call.questions
        ]
