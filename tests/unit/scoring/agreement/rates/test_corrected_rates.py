"""The pass rate behind a judge's: published numbers, simulated truth, and when it is not shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.rates import corrected_rate as cr
from scoring.agreement.rates import rates_shown as shown
from scoring.agreement.rates.corrected_rate import JudgePasses, PassCalibration, corrected_rate, lee_interval
from scoring.agreement.rates.rates_shown import why_not_corrected
from scoring.bad_input import BadInput

GOOD = PassCalibration(passed=90, passed_by_judge=85, failed=30, failed_by_judge=24)
calibrations = st.builds(
    lambda p, q, a, b: PassCalibration(p, round(p * a), q, round(q * b)),
    st.integers(0, 60),
    st.integers(0, 60),
    st.floats(0, 1),
    st.floats(0, 1),
)
judgeds = st.builds(lambda n, a: JudgePasses(round(n * a), n), st.integers(0, 500), st.floats(0, 1))


def test_the_example_of_the_paper() -> None:
    found = corrected_rate(PassCalibration(200, 180, 200, 140), JudgePasses(400, 1000))
    assert found.value == pytest.approx(1 / 6)
    assert (found.low, found.high) == pytest.approx((0.0564, 0.2627), abs=5e-5)


@pytest.mark.parametrize(
    ("calibration", "judged", "reason"),
    [
        (PassCalibration(100, 98, 0, 0), JudgePasses(9, 10), cr.NO_FAILURE),
        (PassCalibration(0, 0, 20, 3), JudgePasses(9, 10), cr.NO_PASS),
        (GOOD, JudgePasses(0, 0), cr.NOTHING_JUDGED),
        (PassCalibration(10, 5, 10, 5), JudgePasses(9, 10), cr.CHANCE),
        (PassCalibration(10, 3, 10, 7), JudgePasses(9, 10), cr.CHANCE),
        (PassCalibration(10, 1, 10, 2), JudgePasses(9, 10), cr.CHANCE),
        (PassCalibration(0, 0, 0, 0), JudgePasses(9, 10), cr.NO_FAILURE),
    ],
)
def test_where_the_judges_errors_cannot_be_told_neither_can_the_rate(
    calibration: PassCalibration, judged: JudgePasses, reason: str
) -> None:
    assert corrected_rate(calibration, judged).undefined == reason


def test_errors_that_add_up_to_chance_once_adjusted_leave_a_value_without_an_interval() -> None:
    calibration = PassCalibration(100, 5, 1, 1)
    assert lee_interval(PassCalibration(100, 1, 1, 1), JudgePasses(3, 10)) is None
    assert corrected_rate(calibration, JudgePasses(0, 10)).value == 0
    found = corrected_rate(PassCalibration(1000, 1, 1, 1), JudgePasses(1, 10))
    assert (found.value, found.low, bool(found.no_interval)) == (1.0, None, True)


@given(calibrations, judgeds)
def test_there_is_a_share_or_a_reason(calibration: PassCalibration, judged: JudgePasses) -> None:
    found = corrected_rate(calibration, judged)
    if found.value is None:
        assert found.undefined
    else:
        assert 0 <= found.value <= 1
        assert found.low is None or (found.high is not None and 0 <= found.low <= found.high <= 1)


def test_a_perfect_judge_needs_no_correction() -> None:
    assert corrected_rate(PassCalibration(50, 50, 50, 50), JudgePasses(73, 100)).value == 0.73


@pytest.mark.parametrize(
    ("calibration", "judged", "random", "reason"),
    [
        (GOOD, JudgePasses(820, 1000), True, None),
        (GOOD, JudgePasses(820, 1000), False, shown.NOT_RANDOM),
        (GOOD, JudgePasses(0, 0), True, shown.NOTHING_JUDGED),
        (
            PassCalibration(90, 85, 9, 8),
            JudgePasses(820, 1000),
            True,
            "Clinicians found 9 failures; correcting the judge's pass rate takes at least 10.",
        ),
        (
            PassCalibration(90, 85, 1, 1),
            JudgePasses(820, 1000),
            True,
            "Clinicians found 1 failure; correcting the judge's pass rate takes at least 10.",
        ),
        (
            PassCalibration(90, 85, 0, 0),
            JudgePasses(820, 1000),
            True,
            "Clinicians found no failures; correcting the judge's pass rate takes at least 10.",
        ),
        (
            PassCalibration(9, 8, 60, 50),
            JudgePasses(82, 1000),
            True,
            "Clinicians found 9 passes; correcting the judge's pass rate takes at least 10.",
        ),
        (
            PassCalibration(1, 1, 60, 50),
            JudgePasses(82, 1000),
            True,
            "Clinicians found 1 pass; correcting the judge's pass rate takes at least 10.",
        ),
        (PassCalibration(20, 10, 20, 10), JudgePasses(500, 1000), True, shown.CHANCE),
        (PassCalibration(100, 90, 10, 9), JudgePasses(999, 1000), True, shown.BEYOND),
        (PassCalibration(1000, 10, 10, 10), JudgePasses(5, 1000), True, shown.BEYOND),
    ],
)
def test_why_a_corrected_rate_is_not_shown(
    calibration: PassCalibration, judged: JudgePasses, random: bool, reason: str | None
) -> None:
    assert why_not_corrected(calibration, judged, random) == reason


@given(calibrations, judgeds)
def test_what_is_shown_has_a_value_an_interval_and_some_width(
    calibration: PassCalibration, judged: JudgePasses
) -> None:
    if why_not_corrected(calibration, judged, True) is None:
        found = corrected_rate(calibration, judged)
        assert found.low is not None and found.high is not None and found.low < found.high


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: PassCalibration(3, 4, 0, 0), "passed_by_judge: expected 0 to 3"),
        (lambda: PassCalibration(3, 3, 2, 3), "failed_by_judge: expected 0 to 2"),
        (lambda: PassCalibration(-1, 0, 2, 3), "passed: expected a count"),
        (lambda: JudgePasses(11, 10), "passed: expected 0 to 10"),
        (lambda: JudgePasses(0.5, 10), "passed: expected a whole"),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_add_up_is_refused(make, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match=says):
        make()
