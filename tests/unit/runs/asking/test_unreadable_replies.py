"""A run stops for unreadable replies where they come in a row, and not for some among many."""

from __future__ import annotations

import pytest

from runs.asking.stops import MAX_UNREADABLE_IN_A_ROW, UnreadableReplies
from scoring.judges.judge_client import JudgeAnswer


def count_until_stop(statuses: list[str]) -> int | None:
    """After how many answers the run stops; None where it goes on."""
    replies = UnreadableReplies()
    stops = (replies.add(JudgeAnswer(status)) for status in statuses)
    return next((number for number, stop in enumerate(stops, start=1) if stop), None)


@pytest.mark.parametrize("between", ["transport", "blocked_output"])
def test_another_failure_between_them_counts_neither_way(between: str) -> None:
    assert count_until_stop(["invalid", between] * 30) == 2 * MAX_UNREADABLE_IN_A_ROW - 1


def test_a_readable_reply_begins_the_count_anew() -> None:
    row = ["invalid"] * (MAX_UNREADABLE_IN_A_ROW - 1)
    assert count_until_stop([*row, "ok", *row, "ok", *row]) is None
    assert count_until_stop([*row, "ok", *row, "truncated"]) == 2 * MAX_UNREADABLE_IN_A_ROW
