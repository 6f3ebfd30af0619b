"""How long work still takes: the median of its latest steps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reports.wording import describe_time_left
from runs.time_left import MIN_STEPS_FOR_PACE, TimeLeft


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def after(steps: Sequence[tuple[float, float]], total: float) -> float | None:
    """What is left after (seconds that a step took, how much it did)."""
    clock, left, progress = Clock(), None, 0.0
    time_left = TimeLeft(clock)
    time_left.seconds(0, total)
    for took, amount in steps:
        clock.seconds += took
        progress += amount
        left = time_left.seconds(progress, total)
    return left


def test_nothing_is_told_before_a_few_steps() -> None:
    assert after([(1, 1)] * (MIN_STEPS_FOR_PACE - 1), 100) is None
    assert after([(1, 1)] * MIN_STEPS_FOR_PACE, 100) == 97


def test_one_slow_step_changes_nothing() -> None:
    assert after([(1, 1), (1, 1), (600, 1), (1, 1), (1, 1)], 15) == 10


def test_the_latest_steps_count() -> None:
    assert after([(1, 1)] * 50 + [(4, 1)] * 50, 110) == 40


def test_steps_of_other_sizes_are_made_alike() -> None:
    assert after([(1, 10), (2, 20), (4, 40)], 100) == 3


def test_steps_that_follow_at_once_count_as_one() -> None:
    assert after([(0.001, 1)] * 5, 100) is None
    assert after([(0.05, 1)] * 100, 200) == pytest.approx(5)


def test_another_piece_of_work_begins_anew() -> None:
    clock = Clock()
    time_left = TimeLeft(clock)
    for progress in range(9):
        clock.seconds += 1
        time_left.seconds(progress, 9)
    clock.seconds += 1
    assert time_left.seconds(1, 9) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0, "a few seconds left"),
        (12, "about 10 s left"),
        (50, "about 50 s left"),
        (58, "about 1 min left"),
        (200, "about 3 min left"),
        (7000, "about 2 hours left"),
    ],
)
def test_it_is_told_as_coarsely_as_it_is_known(seconds: float | None, words: str) -> None:
    assert describe_time_left(seconds) == words
