"""Why a rater should be calibrated again, word by word."""

from __future__ import annotations

from reports.drift.rater_words import recalibration_sentences
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.people.rounds import AgreementShare
from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import SLOPE, Movement, Verdict
from scoring.drift.recalibrate import RecalibrationReasons, RoundAgreement


def movement(verdict: Verdict, tau: float = -0.4, first: float = 0.1, second: float = -0.42) -> Movement:
    return Movement(
        20, tau, 0.004, Estimate(-0.2, 20, SLOPE, low=-0.3, high=-0.1), first, second, None, 0.012, verdict
    )


def same(high: float) -> RepeatShare:
    return RepeatShare(5, 10, Estimate(0.5, 10, "x", low=0.3, high=high))


def of_round(value: float, again: bool = True) -> RoundAgreement:
    return RoundAgreement("Spring", again, AgreementShare(7, 10, 3, value, None, None, None))


def sentences(
    moved: Movement | None = None,
    repeated: RepeatShare | None = None,
    last: RoundAgreement | None = None,
    ordinal: bool = True,
) -> tuple[str, ...]:
    return recalibration_sentences(RecalibrationReasons(moved, repeated, last), 0.8, ordinal)


def test_without_a_reason_there_is_no_sentence() -> None:
    assert sentences() == ()


def test_who_moved_is_told_how() -> None:
    assert sentences(movement("moved")) == (
        "drifted to lower levels, compared with the others: 0.10 levels above them in the first half of the "
        "conversations, 0.42 levels below them in the second "
        "(p 0.012)",
    )
    assert sentences(movement("moved", 0.4, -0.04, 0.011), ordinal=False) == (
        "drifted to more failing labels, compared with the others: 4 percentage points below them in the "
        "first half of the conversations, 1 percentage point above "
        "them in the second (p 0.012)",
    )


def test_halves_that_show_otherwise_are_left_out() -> None:
    assert sentences(movement("moved", first=-0.5, second=0.0)) == (
        "drifted to lower levels, compared with the others (p 0.012)",
    )


def test_of_two_either_may_have_moved() -> None:
    assert sentences(movement("difference changed"))[0].endswith(
        "(p 0.012), but with only one other rater, which of the two drifted can't be estimated"
    )


def test_repeats_are_told_with_their_range_and_the_threshold() -> None:
    assert sentences(repeated=same(0.6)) == (
        "gave the same label again on only 5 of 10 hidden repeats (plausible range 30% to 60%, required: 80%)",
    )


def test_the_last_round_is_told_with_its_share() -> None:
    assert sentences(last=of_round(0.7)) == (
        "agreed with the others on 7 of 10 pairs of labels (70%, required: 80%) after the discussion of "
        "\u201cSpring\u201d",
    )
    assert "before the discussion" in sentences(last=of_round(0.7, again=False))[0]


def test_each_reason_has_its_sentence() -> None:
    assert len(sentences(movement("moved"), same(0.6), of_round(0.7))) == 3
