"""One label with its reasoning, as a judge was asked to write it: JSON with "reasoning" and "answer"."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from scoring.bad_input import text


@dataclass(frozen=True)
class CoachingReply:
    label: str
    reasoning: str


class UnreadableCoachingReply(ValueError):
    """A reply that is not the JSON asked for. It is a failure of the call: never a label, never a 0."""


def read_reply(reply: str, labels: Collection[str], longest_reasoning: int = 300) -> CoachingReply:
    """Read a judge's JSON reply strictly, as the published rubric program does.

    The label must match to the letter; further keys are tolerated.

    Raises:
        UnreadableCoachingReply: not JSON, no reasoning or one longer than `longest_reasoning` characters,
            or a label that is not in `labels`.
        BadInput: `reply` is neither a text nor None.
    """
    reply_text = text("reply", reply)
    try:
        value = json.loads(reply_text)
    except (ValueError, RecursionError):  # RecursionError: thousands of brackets in each other
        raise UnreadableCoachingReply("the reply is not JSON") from None
    if not isinstance(value, dict):
        raise UnreadableCoachingReply("the reply is not an object")
    label, reasoning = value.get("answer"), value.get("reasoning")
    if not isinstance(reasoning, str):
        raise UnreadableCoachingReply("the reply has no reasoning")
    if len(reasoning) > longest_reasoning:
        raise UnreadableCoachingReply(
            f"the reasoning has {len(reasoning)} characters, {longest_reasoning} are allowed"
        )
    if not isinstance(label, str) or label not in labels:
        raise UnreadableCoachingReply(f"{label!r} is not one of the labels")
    return CoachingReply(label, reasoning)
