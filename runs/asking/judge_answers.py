"""What an answer means for a run: whether it may have cost something, and the same answer read as something
else.
"""

from __future__ import annotations

from dataclasses import replace

from scoring.judges.judge_client import JudgeAnswer
from scoring.judges.statuses import BLOCKED, OK, UNREADABLE

REPLIED = {OK, *BLOCKED, *UNREADABLE}
NOT_SENT = {
    "ConnectError",
    "ConnectTimeout",
}  # what a try without an answer says where nothing left this machine


def may_have_cost(answer: JudgeAnswer) -> bool:
    """Whether a try that tells no tokens may be on the bill: what was answered, and what was sent and never
    heard of again.
    """
    return (
        answer.status in REPLIED
        or answer.status == "drift"
        or (answer.status == "transport" and answer.http is None and answer.detail not in NOT_SENT)
    )


def drift(answer: JudgeAnswer) -> JudgeAnswer:
    return with_status(answer, "drift", f"answered as {answer.served or 'no name'}")


def with_status(answer: JudgeAnswer, status: str, detail: str) -> JudgeAnswer:
    return replace(answer, status=status, detail=detail)
