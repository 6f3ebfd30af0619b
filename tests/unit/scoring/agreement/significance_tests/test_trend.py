"""Trends against scipy, with gaps and ties, and series too short or too flat for one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.stats import kendalltau, linregress, t, theilslopes

from scoring.agreement.significance_tests.trend import FLAT, STRAIGHT, THREE_POINTS_NEEDED, trend
from scoring.bad_input import BadInput

levels = st.one_of(st.none(), st.integers(0, 5).map(lambda n: n / 5), st.floats(0, 1, allow_subnormal=False))
curves = st.lists(levels, min_size=3, max_size=30)


@given(curves)
@example([0.2, 0.4, 0.4, None, 0.4, 0.9])
@example([0.0, 0.0, 1.8998182317860225e-255])
def test_it_is_what_scipy_finds_at_the_positions_that_have_a_value(series: list[float | None]) -> None:
    points = [(x, y) for x, y in enumerate(series) if y is not None]
    assume(len(points) >= 3 and len({y for _, y in points}) > 1)
    x, y = zip(*points, strict=True)
    result = trend(series)
    assert (result.n, result.undefined) == (len(points), None)
    assert result.tau_b.value == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)
    assert result.theil_sen.value == pytest.approx(theilslopes(y, x).slope, abs=1e-12)
    assert result.line is not None
    line = linregress(x, y)
    assert result.line.slope.value == pytest.approx(line.slope, abs=1e-9)
    if result.line.p is None:
        assert result.line.error == 0 and result.line.slope.no_interval in (FLAT, STRAIGHT)
    else:
        half = t.ppf(0.975, len(points) - 2) * result.line.error
        assert result.line.error == pytest.approx(line.stderr, abs=1e-7)
        assert result.line.p == pytest.approx(line.pvalue, abs=1e-6)
        assert (result.line.slope.low, result.line.slope.high) == pytest.approx(
            (line.slope - half, line.slope + half)
        )


@given(st.lists(st.integers(0, 3), min_size=3, max_size=12))
def test_mann_kendall_counts_pairs_and_ties(series: list[int]) -> None:
    found, n = trend(series).mann_kendall, len(series)
    assert found is not None
    assert found.s == sum(np.sign(series[j] - series[i]) for i in range(n) for j in range(i + 1, n))
    ties = [series.count(value) for value in set(series)]
    assert found.var_s == pytest.approx(
        (n * (n - 1) * (2 * n + 5) - sum(c * (c - 1) * (2 * c + 5) for c in ties)) / 18
    )
    z = 0 if found.s == 0 else (found.s - np.sign(found.s)) / math.sqrt(found.var_s)
    assert (found.z, found.p) == pytest.approx((z, math.erfc(abs(z) / math.sqrt(2))))


def test_a_flat_series_has_no_trend_and_nothing_to_rank() -> None:
    result = trend([0.8] * 6)
    assert result.mann_kendall is not None and (
        result.mann_kendall.s,
        result.mann_kendall.var_s,
        result.mann_kendall.z,
        result.mann_kendall.p,
    ) == (0, 0, 0, 1)
    assert (result.tau_b.undefined, result.theil_sen.value) == (FLAT, 0)
    assert result.line is not None and (
        result.line.slope.value,
        result.line.slope.low,
        result.line.slope.no_interval,
        result.line.p,
    ) == (0, None, FLAT, None)


@pytest.mark.parametrize(
    "series", [[0.1, 0.2, 0.3, 0.4], [1.0, None, 0.5, 0.25], [1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3]]
)
def test_points_on_a_line_have_a_slope_and_no_p(series: list[float | None]) -> None:
    found = trend(series).line
    assert found is not None and (found.p, found.slope.low, found.slope.no_interval) == (None, None, STRAIGHT)


def test_a_rise_and_fall_is_missed() -> None:
    found = trend([1, 2, 3, 4, 3, 2, 1])
    assert found.mann_kendall is not None and found.mann_kendall.p == 1 and found.theil_sen.value == 0


@pytest.mark.parametrize("series", [[], [None, None, None, None], [0.5, 0.6], [0.5, None, 0.6, None]])
def test_fewer_than_three_points_have_no_trend(series: list[float | None]) -> None:
    found = trend(series)
    assert (
        found.mann_kendall,
        found.line,
        found.undefined,
        found.tau_b.undefined,
        found.theil_sen.undefined,
    ) == (None, None, THREE_POINTS_NEEDED, THREE_POINTS_NEEDED, THREE_POINTS_NEEDED)


@pytest.mark.parametrize("series", [[1, 2, "3"], [1, 2, math.nan], [1, 2, True]])
def test_what_is_no_number_is_refused_by_entry(series: list[float]) -> None:
    with pytest.raises(BadInput, match=r"series\[2\]"):
        trend(series)
