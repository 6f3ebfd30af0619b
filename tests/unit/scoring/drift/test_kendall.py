"""Kendall's test in strata: scipy within one, sums over several."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau, norm

from scoring.drift import kendall as module
from scoring.drift.kendall import kendall

points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=4, max_size=25)


@given(points)
def test_one_stratum_is_what_scipy_finds_but_for_the_correction_of_continuity(
    found: list[tuple[int, int]],
) -> None:
    x, y = np.array(found, dtype=float).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    made = kendall(x, y, np.zeros(len(x), dtype=np.int64))
    plain = math.erfc(abs(made.s) / math.sqrt(made.variance) / math.sqrt(2))
    assert plain == pytest.approx(kendalltau(x, y, method="asymptotic").pvalue)
    assert made.p is not None and made.p >= plain - 1e-12


def test_strata_add_up_and_are_never_compared_with_each_other() -> None:
    # Within each the level falls; the second, later one lies higher, so that all in one would rise.
    day, level, stratum = np.arange(8.0), np.array([4.0, 3, 2, 1, 9, 8, 7, 6]), np.repeat([0, 1], 4)
    made = kendall(day, level, stratum)
    assert (made.s, made.n, made.direction) == (-12, 8, -1)
    assert made.variance == pytest.approx(2 * 4 * 3 * 13 / 18)
    assert kendall(day, level, np.zeros(8, dtype=np.int64)).direction == 1


def test_where_nothing_varies_nobody_can_tell() -> None:
    zeros = np.zeros(5)
    assert kendall(zeros, np.arange(5.0), np.zeros(5, dtype=np.int64)).p is None
    assert kendall(np.arange(5.0), zeros, np.zeros(5, dtype=np.int64)).p is None
    assert kendall(np.arange(5.0), np.arange(5.0), np.arange(5)).p is None  # each alone in its stratum
    assert kendall(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64)).p is None


def test_many_entries_are_counted_as_exactly_as_few(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    x, y, one = (
        rng.integers(0, 40, 700).astype(float),
        rng.integers(0, 9, 700) / 8,
        np.zeros(700, dtype=np.int64),
    )
    fast = kendall(x, y, one)
    monkeypatch.setattr(module, "SMALL", 1000)
    assert kendall(x, y, one) == fast


def test_ten_in_order_by_hand() -> None:
    # S = 45, var S = 10 * 9 * 25 / 18 = 125; one is taken off for continuity: z = 44 / sqrt(125).
    found = kendall(np.arange(10.0), np.arange(10.0), np.zeros(10, dtype=np.int64))
    assert (found.s, found.variance) == (45, 125.0) and found.p == pytest.approx(2 * norm.sf(44 / 125**0.5))
