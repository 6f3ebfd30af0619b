"""The pass rate behind a judge's: published numbers, simulated truth, and when it is not shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement import corrected_rate as cr
from scoring.agreement import rates_shown as shown
from scoring.agreement.corrected_rate import Calibration, Judged, corrected_rate, lee_interval
from scoring.agreement.ppi import NO_LABELS, ppi, ppi_plus_plus
from scoring.agreement.rates_shown import why_not_corrected
from scoring.bad_input import BadInput

GOOD = Calibration(passed=90, passed_by_judge=85, failed=30, failed_by_judge=24)
calibrations = st.builds(
    lambda p, q, a, b: Calibration(p, round(p * a), q, round(q * b)),
    st.integers(0, 60),
    st.integers(0, 60),
    st.floats(0, 1),
    st.floats(0, 1),
)
judgeds = st.builds(lambda n, a: Judged(round(n * a), n), st.integers(0, 500), st.floats(0, 1))


def test_the_example_of_the_paper() -> None:
    found = corrected_rate(Calibration(200, 180, 200, 140), Judged(400, 1000))
    assert (found.value, found.low, found.high) == (
        pytest.approx(1 / 6),
        pytest.approx(0.0564, abs=5e-5),
        pytest.approx(0.2627, abs=5e-5),
    )


@pytest.mark.parametrize(
    ("calibration", "judged", "reason"),
    [
        (Calibration(100, 98, 0, 0), Judged(9, 10), cr.NO_FAILURE),
        (Calibration(0, 0, 20, 3), Judged(9, 10), cr.NO_PASS),
        (GOOD, Judged(0, 0), cr.NOTHING_JUDGED),
        (Calibration(10, 5, 10, 5), Judged(9, 10), cr.CHANCE),
        (Calibration(10, 3, 10, 7), Judged(9, 10), cr.CHANCE),
        (Calibration(10, 1, 10, 2), Judged(9, 10), cr.CHANCE),
        (Calibration(0, 0, 0, 0), Judged(9, 10), cr.NO_FAILURE),
    ],
)
def test_where_the_judges_errors_cannot_be_told_neither_can_the_rate(
    calibration: Calibration, judged: Judged, reason: str
) -> None:
    assert corrected_rate(calibration, judged).undefined == reason


def test_errors_that_add_up_to_chance_once_adjusted_leave_a_value_without_an_interval() -> None:
    calibration = Calibration(100, 5, 1, 1)
    assert lee_interval(Calibration(100, 1, 1, 1), Judged(3, 10)) is None
    assert corrected_rate(calibration, Judged(0, 10)).value == 0
    found = corrected_rate(Calibration(1000, 1, 1, 1), Judged(1, 10))
    assert (found.value, found.low, bool(found.no_interval)) == (1.0, None, True)


@given(calibrations, judgeds)
def test_there_is_a_share_or_a_reason(calibration: Calibration, judged: Judged) -> None:
    found = corrected_rate(calibration, judged)
    if found.value is None:
        assert found.undefined
    else:
        assert 0 <= found.value <= 1
        assert found.low is None or (found.high is not None and 0 <= found.low <= found.high <= 1)


def test_a_perfect_judge_needs_no_correction() -> None:
    assert corrected_rate(Calibration(50, 50, 50, 50), Judged(73, 100)).value == 0.73


@given(calibrations, judgeds)
def test_ppi_is_the_plain_formula_on_ones_and_zeros(calibration: Calibration, judged: Judged) -> None:
    c = calibration
    found, tuned = ppi(c, judged), ppi_plus_plus(c, judged)
    if c.n == 0 or judged.n == 0:
        assert found.undefined == tuned.undefined == (NO_LABELS if c.n == 0 else cr.NOTHING_JUDGED)
        return
    human = np.repeat(
        [1.0, 1.0, 0.0, 0.0],
        [c.passed_by_judge, c.passed - c.passed_by_judge, c.failed_by_judge, c.failed - c.failed_by_judge],
    )
    judge = np.repeat(
        [1.0, 0.0, 0.0, 1.0],
        [c.passed_by_judge, c.passed - c.passed_by_judge, c.failed_by_judge, c.failed - c.failed_by_judge],
    )
    rest = np.repeat([1.0, 0.0], [judged.passed, judged.n - judged.passed])
    spread = np.var(np.concatenate([judge, rest]), ddof=1)
    best = (
        0.0
        if spread < 1e-15
        else float(
            np.clip(
                np.mean((human - human.mean()) * (judge - judge.mean())) / ((1 + c.n / judged.n) * spread),
                0,
                1,
            )
        )
    )
    for one, weight in ((found, 1.0), (tuned, best)):
        value = weight * rest.mean() + (human - weight * judge).mean()
        half = 1.959963984540054 * np.sqrt(
            weight**2 * rest.var() / judged.n + (human - weight * judge).var() / c.n
        )
        assert (one.value, one.low, one.high) == (
            pytest.approx(value, abs=1e-9),
            pytest.approx(value - half, abs=1e-6),
            pytest.approx(value + half, abs=1e-6),
        )


def test_a_judge_that_always_says_the_same_adds_nothing() -> None:
    found = ppi_plus_plus(Calibration(30, 30, 10, 0), Judged(500, 500))
    assert found.value == 0.75


@pytest.mark.parametrize(
    ("calibration", "judged", "random", "reason"),
    [
        (GOOD, Judged(820, 1000), True, None),
        (GOOD, Judged(820, 1000), False, shown.NOT_RANDOM),
        (GOOD, Judged(0, 0), True, shown.NOTHING_JUDGED),
        (
            Calibration(90, 85, 9, 8),
            Judged(820, 1000),
            True,
            "Clinicians found 9 failures; correcting the judge's pass rate takes at least 10.",
        ),
        (
            Calibration(90, 85, 1, 1),
            Judged(820, 1000),
            True,
            "Clinicians found 1 failure; correcting the judge's pass rate takes at least 10.",
        ),
        (
            Calibration(90, 85, 0, 0),
            Judged(820, 1000),
            True,
            "Clinicians found no failures; correcting the judge's pass rate takes at least 10.",
        ),
        (
            Calibration(9, 8, 60, 50),
            Judged(82, 1000),
            True,
            "Clinicians found 9 passes; correcting the judge's pass rate takes at least 10.",
        ),
        (
            Calibration(1, 1, 60, 50),
            Judged(82, 1000),
            True,
            "Clinicians found 1 pass; correcting the judge's pass rate takes at least 10.",
        ),
        (Calibration(20, 10, 20, 10), Judged(500, 1000), True, shown.CHANCE),
        (Calibration(100, 90, 10, 9), Judged(999, 1000), True, shown.BEYOND),
        (Calibration(1000, 10, 10, 10), Judged(5, 1000), True, shown.BEYOND),
    ],
)
def test_why_a_corrected_rate_is_not_shown(
    calibration: Calibration, judged: Judged, random: bool, reason: str | None
) -> None:
    assert why_not_corrected(calibration, judged, random) == reason


@given(calibrations, judgeds)
def test_what_is_shown_has_a_value_an_interval_and_some_width(
    calibration: Calibration, judged: Judged
) -> None:
    if why_not_corrected(calibration, judged, True) is None:
        found = corrected_rate(calibration, judged)
        assert found.low is not None and found.high is not None and found.low < found.high


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Calibration(3, 4, 0, 0), "passed_by_judge: expected 0 to 3"),
        (lambda: Calibration(3, 3, 2, 3), "failed_by_judge: expected 0 to 2"),
        (lambda: Calibration(-1, 0, 2, 3), "passed: expected a count"),
        (lambda: Judged(11, 10), "passed: expected 0 to 10"),
        (lambda: Judged(0.5, 10), "passed: expected a whole"),
    ],
)
def test_what_does_not_add_up_is_refused(make, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match=says):
        make()
