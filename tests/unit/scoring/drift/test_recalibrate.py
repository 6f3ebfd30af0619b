"""The rule that suggests another calibration, at its edges."""

from __future__ import annotations

import pytest

from scoring.agreement.estimate import Estimate, undefined_estimate
from scoring.agreement.rounds import AgreementShare
from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import SLOPE, Movement, Verdict
from scoring.drift.recalibrate import RoundAgreement, reasons


def movement(verdict: Verdict, tau: float = -0.4, first: float = 0.1, second: float = -0.42) -> Movement:
    return Movement(
        20, tau, 0.004, Estimate(-0.2, 20, SLOPE, low=-0.3, high=-0.1), first, second, None, 0.012, verdict
    )


def same(high: float) -> RepeatShare:
    return RepeatShare(5, 10, Estimate(0.5, 10, "x", low=0.3, high=high))


def of_round(value: float | None, again: bool = True) -> RoundAgreement:
    return RoundAgreement(
        "Spring", again, AgreementShare(7, 10, 3, value, None, None, "one" if value is None else None)
    )


def why(
    moved: Movement | None = None,
    repeated: RepeatShare | None = None,
    last: RoundAgreement | None = None,
    threshold: float = 0.8,
    ordinal: bool = True,
) -> tuple[str, ...]:
    return reasons(moved, repeated, last, threshold, ordinal)


def test_nothing_known_or_nothing_wrong_suggests_nothing() -> None:
    assert why() == ()
    assert why(movement(""), same(0.81), of_round(0.8)) == ()
    assert why(None, RepeatShare(0, 0, undefined_estimate("none", 0, "x")), of_round(None)) == ()
    assert why(None, RepeatShare(1, 2, Estimate(0.5, 2, "x", no_interval="one conversation"))) == ()


def test_who_moved_is_told_how() -> None:
    assert why(movement("moved")) == (
        "moved to lower levels, compared with the others: 0.10 levels above them in the first half of the "
        "conversations, 0.42 levels below them in the second "
        "(p 0.012)",
    )
    assert why(movement("moved", 0.4, -0.04, 0.011), ordinal=False) == (
        "moved to more failing labels, compared with the others: 4 percentage points below them in the "
        "first half of the conversations, 1 percentage point above "
        "them in the second (p 0.012)",
    )


def test_halves_that_show_otherwise_are_left_out() -> None:
    assert why(movement("moved", first=-0.5, second=0.0)) == (
        "moved to lower levels, compared with the others (p 0.012)",
    )


def test_of_two_either_may_have_moved() -> None:
    assert why(movement("apart"))[0].endswith(
        "(p 0.012), though with only one other rater nobody can tell which of the two it was"
    )


@pytest.mark.parametrize(
    ("high", "threshold", "said"),
    [(0.79, 0.8, True), (0.8, 0.8, False), (0.1 + 0.7, 0.8, False), (0.79, 0.75, False)],
)
def test_repeats_count_when_their_whole_range_lies_below(high: float, threshold: float, said: bool) -> None:
    assert bool(why(repeated=same(high), threshold=threshold)) is said


def test_the_last_round_counts_by_its_share() -> None:
    assert why(last=of_round(0.7)) == (
        "agreed with the others on 7 of 10 pairs of labels (70%, asked for are 80%) after the discussion of "
        "\u201cSpring\u201d",
    )
    assert "before the discussion" in why(last=of_round(0.7, again=False))[0]
    assert len(why(movement("moved"), same(0.6), of_round(0.7))) == 3
