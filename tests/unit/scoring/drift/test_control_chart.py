"""The self-starting chart: scores by hand, an alarm after a step, none without one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

from scoring.drift.control_chart import FEW, H, chart, scores


def test_a_score_is_the_normal_one_of_a_student_t_of_what_came_before() -> None:
    found = scores([0.2, 0.4, None, 0.6])
    # mean 0.3, sd 0.1414; t = 0.3 / 0.1414 * sqrt(2 / 3) with 1 degree of freedom
    assert found[:3] == [None, None, None]
    assert found[3] == pytest.approx(norm.ppf(t.cdf(0.3 / np.sqrt(0.02) * np.sqrt(2 / 3), 1)))


def test_a_score_is_finite_however_far_a_value_lies() -> None:
    found = scores([0.1, 0.1 + 1e-9, 0.1, 0.9, 0.9])
    assert all(one is None or np.isfinite(one) for one in found) and found[3] is not None and found[3] > 3


def test_scores_of_normal_values_are_normal_and_independent() -> None:
    rng = np.random.default_rng(4)
    made = np.array(
        [[one for one in scores(rng.normal(0.3, 0.05, 12).tolist()) if one is not None] for _ in range(2000)]
    )
    assert made.shape == (2000, 10) and abs(made.mean()) < 0.03 and made.std() == pytest.approx(1, abs=0.03)
    assert np.abs(np.corrcoef(made.T) - np.eye(10)).max() < 0.08


def test_a_step_is_found_and_a_steady_series_is_not() -> None:
    steady = [0.30, 0.34, 0.28, 0.31, 0.33, 0.29, 0.32, 0.30, 0.31, 0.33]
    still = chart(steady)
    assert still.first_alarm is None and still.finding().p == 1 and still.finding().n == 8
    result = chart([*steady, 0.40, 0.42, 0.41, 0.43])
    assert (
        result.first_alarm is not None
        and result.first_alarm >= 10
        and result.p is not None
        and result.p < 0.01
    )
    finding = result.finding()
    assert finding.direction == 1 and (result.sums.above[result.first_alarm] or 0) > H
    assert chart([*steady, 0.20, 0.19, 0.2, 0.2]).finding().direction == -1


def test_the_same_sum_says_less_after_many_periods() -> None:
    rng = np.random.default_rng(1)
    some = rng.normal(0.3, 0.05, 60).tolist()

    def just_beyond(before: int) -> float:
        """p of the smallest step after so many steady periods that the limit does not hold."""
        charts = (chart([*some[:before], *[0.33 + step / 10_000] * 5]) for step in range(3000))
        p = next(result.p for result in charts if result.first_alarm is not None)
        assert p is not None
        return p

    assert just_beyond(8) < 0.02 < 0.05 < just_beyond(55)  # over 58 scores a sum of 5 is not so rare


def test_a_step_after_weeks_that_were_all_the_same_is_found_in_its_second() -> None:
    assert chart([0.0] * 12 + [0.5] * 4).first_alarm == 13
    assert chart([0.0] * 12 + [0.5] * 12).first_alarm == 13
    assert chart([0.0] * 12 + [0.01] * 4).first_alarm is None


def test_too_few_periods_give_no_chart() -> None:
    assert chart([0.3, 0.4, None, 0.2, 0.3, 0.4, 0.2, 0.3]).finding().untold == FEW
    assert chart([0.5] * 9).finding().p == 1
    assert chart([]).untold == FEW
