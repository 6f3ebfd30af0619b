"""Spearman's rho with ties, its interval over groups of runs, and why there is none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from scoring.bad_input import BadInput
from scoring.rank_correlation import (
    ALIKE,
    ONE,
    ORDERED,
    RESTS_ON_ONE,
    THREE_POINTS_NEEDED,
    chance_of_perfect_order,
    rank_correlation,
)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_rho_and_its_p_are_those_of_scipy_with_any_ties(seed: int, levels: int) -> None:
    draw = np.random.default_rng([seed, levels])
    n = int(draw.integers(4, 60))
    x, y = (
        draw.integers(0, levels, n).astype(float),
        draw.integers(0, levels, n).astype(float) + (draw.random() < 0.5) * draw.normal(size=n),
    )
    correlation, (rho, p) = (
        rank_correlation(x.tolist(), y.tolist()),
        spearmanr(x, y) if np.ptp(x) and np.ptp(y) else (math.nan, math.nan),
    )
    if math.isnan(rho):
        assert correlation.value is None and "is the same in all of them" in (correlation.undefined or "")
        return
    assert correlation.value == pytest.approx(rho, abs=1e-12)
    assert correlation.p_independent == pytest.approx(p, abs=1e-9)


def test_ties_share_the_mean_of_their_ranks() -> None:
    # ranks of x 1 2.5 2.5 4, of y 1 3 2 4: sum of products of deviations 4.5, sums of squares 4.5 and 5
    assert rank_correlation([1, 2, 2, 3], [10, 30, 20, 40]).value == pytest.approx(4.5 / math.sqrt(4.5 * 5))


def test_what_cannot_be_estimated_says_why() -> None:
    assert rank_correlation([1, 2], [1, 2]).undefined == THREE_POINTS_NEEDED
    assert rank_correlation([], []).undefined == THREE_POINTS_NEEDED
    same = rank_correlation([1, 1, 1], [1, 2, 3], ["a", "b", "c"], ("temperature", "alignment"))
    assert (same.value, same.undefined, same.n, same.conversations) == (
        None,
        "temperature is the same in all of them",
        3,
        3,
    )


@pytest.mark.parametrize(
    ("x", "y", "groups", "reason"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], ["a", "a", "b", "b"], ORDERED),
        ([1, 2, 3, 4], [4, 3, 2, 1], None, ORDERED),
        ([1, 2, 3, 4], [1, 3, 2, 4], ["a"] * 4, ONE),
        ([1, 2, 3, 1], [1, 2, 3, 3], ["a", "a", "a", "b"], RESTS_ON_ONE),
        ([1, 2, 3, 1, 2, 3], [1, 3, 2, 1, 3, 2], ["a", "a", "a", "b", "b", "b"], ALIKE),
    ],
)
def test_no_interval_where_nobody_can_tell(
    x: list[float], y: list[float], groups: list[str] | None, reason: str
) -> None:
    correlation = rank_correlation(x, y, groups)
    assert correlation.value is not None
    assert (
        correlation.low,
        correlation.high,
        correlation.p,
        correlation.no_interval,
        correlation.direction,
    ) == (
        None,
        None,
        None,
        reason,
        0,
    )


def test_the_interval_is_that_of_the_jackknife_by_hand() -> None:
    draw = np.random.default_rng(3)
    x, y, groups = np.tile([0.0, 0.1, 0.3], 5), draw.normal(size=15), np.repeat(np.arange(5), 3)
    z = np.array([math.atanh(spearmanr(x[groups != g], y[groups != g])[0]) for g in range(5)])
    half = 2.7764451051977987 * math.sqrt(4 / 5 * ((z - z.mean()) ** 2).sum())
    found = rank_correlation(x.tolist(), y.tolist(), groups.tolist())
    middle = math.atanh(spearmanr(x, y)[0])
    assert (found.low, found.high) == pytest.approx((math.tanh(middle - half), math.tanh(middle + half)))
    assert found.conversations == 5


@pytest.mark.parametrize(
    ("cells", "effect", "between", "low", "high"),
    [(12, -0.2, 0.1, 0.92, 0.99), (20, 0.0, 0.3, 0.92, 0.99), (30, 0.5, 0.1, 0.92, 0.99)],
)
def test_the_interval_over_groups_covers_as_it_says(
    cells: int, effect: float, between: float, low: float, high: float
) -> None:
    """Groups that differ in level, five temperatures each; what is true is taken from 40,000 groups."""
    draw = np.random.default_rng(7)

    def runs(many: int) -> tuple[list[float], list[float], list[int]]:
        x, group = np.tile([0.0, 0.075, 0.15, 0.3, 0.6], many), np.repeat(np.arange(many), 5)
        y = draw.normal(0, between, many)[group] + effect * x + draw.normal(0, 0.1, 5 * many)
        return x.tolist(), y.tolist(), group.tolist()

    x, y, _ = runs(40_000)
    true = spearmanr(x, y)[0]
    correlations = [rank_correlation(*runs(cells)) for _ in range(300)]
    assert (
        low
        <= sum(
            correlation.low <= true <= correlation.high
            for correlation in correlations
            if correlation.low is not None and correlation.high is not None
        )
        / 300
        <= high
    )


def test_the_interval_tells_the_direction() -> None:
    draw = np.random.default_rng(1)
    x = np.tile([0.0, 0.5, 1.0], 20)
    groups = np.repeat(np.arange(20), 3).tolist()
    up = rank_correlation(x.tolist(), (x + draw.normal(0, 0.3, 60)).tolist(), groups)
    down = rank_correlation(x.tolist(), (-x + draw.normal(0, 0.3, 60)).tolist(), groups)
    assert (up.direction, down.direction) == (1, -1)
    assert up.p is not None and up.p < 0.001


def test_a_wrong_number_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"y\[1\]: expected a finite number"):
        rank_correlation([1, 2, 3], [1, math.nan, 2])
    with pytest.raises(BadInput, match="y: expected as many numbers"):
        rank_correlation([1, 2, 3], [1, 2])
    with pytest.raises(BadInput, match="clusters: expected one for each of the 3 numbers"):
        rank_correlation([1, 2, 3], [1, 2, 3], ["a", "b"])
    with pytest.raises(BadInput, match="clusters: expected one for each of the 3 numbers, found 4"):
        rank_correlation([1, 2, 3], [1, 2, 3], ["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.array([1.0, math.nan, 2.0]), r"y\[1\]: expected a finite number"),
        (np.array([1.0, math.inf, 2.0]), r"y\[1\]: expected a finite number"),
        (np.array([True, False, True]), r"y\[0\]: expected a number, found bool"),
        (np.array(["1", "2", "3"]), r"y\[0\]: expected a number, found str"),
        (np.ones((3, 1)), r"y\[0\]: expected a number, found list"),
        (np.array(1.0), "y: expected a list of numbers, found float"),
    ],
)
def test_a_wrong_number_of_an_array_is_refused_by_name_too(array: Any, words: str) -> None:
    x = np.array([1.0, 2.0, 3.0])
    with pytest.raises(BadInput, match=words):
        rank_correlation(x, array)
    with pytest.raises(BadInput, match=words):
        chance_of_perfect_order(x, array)


def test_an_array_of_whole_numbers_is_as_good_as_a_list() -> None:
    x, y = [3, 1, 2, 4], [1, 2, 4, 3]
    assert rank_correlation(np.array(x, dtype=float), np.array(y)) == rank_correlation(x, y)


def test_a_perfect_order_is_as_rare_as_the_ways_to_lay_one_beside_the_other() -> None:
    assert chance_of_perfect_order([1, 2, 3, 4], [1, 2, 3, 4]) == pytest.approx(2 / 24)
    assert chance_of_perfect_order([0, 0, 0, 1], [5, 5, 5, 6]) == pytest.approx(2 / 4)
    assert chance_of_perfect_order([0, 1], [0, 1]) == 1.0
    assert chance_of_perfect_order([0.0] * 12 + [1.0] * 8, [0.0] * 12 + [1.0] * 8) == pytest.approx(
        2 / 125970
    )
