"""What an answer means for a run: whether it may cost something, and the answer under another status."""

from __future__ import annotations

from dataclasses import replace

from scoring.judges.judge_client import JudgeAnswer
from scoring.judges.statuses import BLOCKED, OK, UNREADABLE

REPLIED = {OK, *BLOCKED, *UNREADABLE}
NOT_SENT = {
    "ConnectError",
    "ConnectTimeout",
}  # statuses of tries that sent nothing


def may_have_cost(answer: JudgeAnswer) -> bool:
    """Tell whether a try without a token count may be billed: it was answered, or sent without an answer."""
    return (
        answer.status in REPLIED
        or answer.status == "drift"
        or (answer.status == "transport" and answer.http is None and answer.detail not in NOT_SENT)
    )


def drift(answer: JudgeAnswer) -> JudgeAnswer:
    """Return the answer with status "drift", for a model that is not the judge's."""
    return with_status(answer, "drift", f"answered as {answer.served or 'no name'}")


def with_status(answer: JudgeAnswer, status: str, detail: str) -> JudgeAnswer:
    """Return the answer with another status and detail."""
    return replace(answer, status=status, detail=detail)
