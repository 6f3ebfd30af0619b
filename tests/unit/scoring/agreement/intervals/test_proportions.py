"""Intervals of a share against scipy, and at the ends."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import binomtest

from scoring.agreement.intervals.proportions import (
    NONE,
    Z,
    at_most,
    clopper_pearson,
    wilson,
    wilson_half_width,
)
from scoring.bad_input import BadInput
from scoring.confidence import CONFIDENCE

counts = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_quantile_that_is_written_out_is_that_of_the_level() -> None:
    assert float(ndtri((1 + CONFIDENCE) / 2)) == Z


@given(counts)
@example((0, 1))
@example((1, 1))
@example((0, 10**6))
@example((10**6, 10**6))
def test_both_are_those_of_scipy(drawn: tuple[int, int]) -> None:
    k, n = drawn
    for found, method in ((clopper_pearson(k, n), "exact"), (wilson(k, n), "wilson")):
        expected = binomtest(k, n).proportion_ci(0.95, method=method)
        assert (found.value, found.n) == (k / n, n)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
        assert found.low is not None and found.high is not None
        assert 0 <= found.low <= k / n <= found.high <= 1


@given(counts)
def test_the_one_sided_limit_is_that_of_scipy(drawn: tuple[int, int]) -> None:
    k, n = drawn
    assert at_most(k, n) == pytest.approx(
        binomtest(k, n, alternative="less").proportion_ci(0.95, method="exact").high, abs=1e-12
    )


def test_of_nothing_there_is_no_share() -> None:
    for found in (clopper_pearson(0, 0), wilson(0, 0)):
        assert (found.value, found.undefined) == (None, NONE)
    assert at_most(0, 0) is None
    assert clopper_pearson(0, 0, "clinicians found no failure").undefined == "clinicians found no failure"


def test_all_of_some_is_not_certain() -> None:
    assert clopper_pearson(20, 20).low == pytest.approx(1 - 0.1684335, abs=1e-7)
    assert (clopper_pearson(20, 20).high, wilson(20, 20).high, wilson(0, 20).low) == (1.0, 1.0, 0.0)


def test_half_the_width_of_wilson_takes_any_n_above_0() -> None:
    found = wilson(30, 100)
    assert found.high is not None and found.low is not None
    assert wilson_half_width(0.3, 100) == pytest.approx((found.high - found.low) / 2)
    assert wilson_half_width(0.3, 99.5) > wilson_half_width(0.3, 100)


@pytest.mark.parametrize(
    ("k", "n", "says"),
    [
        (4, 3, "k: expected 0 to 3, found 4"),
        (-1, 3, "k: expected a count from 0, found -1"),
        (0, -1, "n: expected a count"),
        (1.0, 3, "k: expected a whole number, found float"),
        (True, 3, "k: expected a whole number, found bool"),
    ],
)
def test_what_is_no_share_is_refused(k: int, n: int, says: str) -> None:
    for make in (clopper_pearson, wilson, at_most):
        with pytest.raises(BadInput, match=says):
            make(k, n)
