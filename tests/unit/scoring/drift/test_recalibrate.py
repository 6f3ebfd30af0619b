"""The rule that suggests another calibration, at its edges."""

from __future__ import annotations

import pytest

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.people.rounds import AgreementShare
from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import SLOPE, Movement, Verdict
from scoring.drift.recalibrate import RecalibrationReasons, RoundAgreement, recalibration_reasons


def movement(verdict: Verdict, adjusted: float | None = 0.012) -> Movement:
    return Movement(
        20, -0.4, 0.004, Estimate(-0.2, 20, SLOPE, low=-0.3, high=-0.1), 0.1, -0.42, None, adjusted, verdict
    )


def same(high: float) -> RepeatShare:
    return RepeatShare(5, 10, Estimate(0.5, 10, "x", low=0.3, high=high))


def of_round(value: float | None) -> RoundAgreement:
    return RoundAgreement(
        "Spring", True, AgreementShare(7, 10, 3, value, None, None, "one" if value is None else None)
    )


def reasons(
    moved: Movement | None = None,
    repeated: RepeatShare | None = None,
    last: RoundAgreement | None = None,
    threshold: float = 0.8,
) -> RecalibrationReasons:
    return recalibration_reasons(moved, repeated, last, threshold)


def test_nothing_known_or_nothing_wrong_suggests_nothing() -> None:
    for nothing in (
        reasons(),
        reasons(movement(""), same(0.81), of_round(0.8)),
        reasons(None, RepeatShare(0, 0, undefined_estimate("none", 0, "x")), of_round(None)),
        reasons(None, RepeatShare(1, 2, Estimate(0.5, 2, "x", no_interval="one conversation"))),
    ):
        assert nothing == RecalibrationReasons() and not nothing


@pytest.mark.parametrize("verdict", ["moved", "difference changed"])
def test_who_moved_is_a_reason_once_corrected_for_all_raters(verdict: Verdict) -> None:
    assert reasons(movement(verdict)).movement == movement(verdict)
    assert reasons(movement(verdict, adjusted=None)).movement is None


@pytest.mark.parametrize(
    ("high", "threshold", "counts"),
    [(0.79, 0.8, True), (0.8, 0.8, False), (0.1 + 0.7, 0.8, False), (0.79, 0.75, False)],
)
def test_repeats_count_when_their_whole_range_lies_below(high: float, threshold: float, counts: bool) -> None:
    assert reasons(repeated=same(high), threshold=threshold).repeats == (same(high) if counts else None)


def test_the_last_round_counts_by_its_share() -> None:
    assert reasons(last=of_round(0.7)).last_round == of_round(0.7)
    assert reasons(last=of_round(0.1 + 0.7)).last_round is None


def test_each_reason_stands_by_itself() -> None:
    together = reasons(movement("moved"), same(0.6), of_round(0.7))
    assert together == RecalibrationReasons(movement("moved"), same(0.6), of_round(0.7)) and together
    assert reasons(last=of_round(0.7)) and reasons(repeated=same(0.6))
