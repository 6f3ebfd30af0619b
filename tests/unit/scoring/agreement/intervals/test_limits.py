"""95 % limits by their formulas written out again with scipy.stats, and what no limit may pass."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, t

from scoring.agreement.intervals.limits import TAIL, at_least, at_most, fisher, korn_graubard, symmetric
from scoring.agreement.intervals.proportions import clopper_pearson
from scoring.confidence import CONFIDENCE

errors, degrees = st.floats(1e-6, 2), st.integers(1, 500)


def test_it_is_95_of_100_and_half_of_the_rest_on_either_side() -> None:
    assert CONFIDENCE == 0.95
    assert pytest.approx(0.025, abs=1e-15) == TAIL


@given(st.floats(-5, 5), errors, degrees)
def test_an_amount_has_t_errors_on_either_side(value: float, error: float, df: int) -> None:
    half = t.ppf(0.975, df) * error
    assert symmetric(value, error, df) == pytest.approx((value - half, value + half), rel=1e-9, abs=1e-9)


@given(errors, st.floats(-3, 1))
def test_with_no_degree_of_freedom_the_limits_are_those_of_one(error: float, df: float) -> None:
    assert symmetric(0.0, error, df) == symmetric(0.0, error, 1)


@given(st.floats(-0.999, 0.999), errors, degrees)
def test_a_coefficient_has_them_on_fishers_scale(value: float, error: float, df: int) -> None:
    """The slope of atanh at the value carries the error there."""
    half = t.ppf(0.975, df) * error / (1 - value**2)
    low, high = fisher(value, error, df)
    assert low == pytest.approx(math.tanh(math.atanh(value) - half), abs=1e-9) and high == pytest.approx(
        math.tanh(math.atanh(value) + half), abs=1e-9
    )
    assert -1 <= low <= value + 1e-12 and value - 1e-12 <= high <= 1


@given(st.floats(0, 0.999), errors, degrees)
def test_a_coefficient_and_its_opposite_have_opposite_limits(value: float, error: float, df: int) -> None:
    (low, high), (below, above) = fisher(value, error, df), fisher(-value, error, df)
    assert (low, high) == pytest.approx((-above, -below), abs=1e-12)


def test_with_a_small_error_the_scale_hardly_matters_and_near_the_end_it_leans_inwards() -> None:
    assert fisher(0.3, 1e-4, 100) == pytest.approx(symmetric(0.3, 1e-4, 100), abs=1e-7)
    low, high = fisher(0.9, 0.05, 30)
    assert 0.9 - low > high - 0.9 and high < 1 < symmetric(0.9, 0.05, 30)[1]


@pytest.mark.parametrize("value", [1.0, -1.0, 1.2, -1.7])
def test_where_there_is_no_such_scale_the_limits_are_symmetric(value: float) -> None:
    assert fisher(value, 0.1, 9) == symmetric(value, 0.1, 9)


@given(st.integers(0, 60), st.integers(0, 60))
def test_of_whole_counts_the_limits_are_clopper_and_pearsons(k: int, more: int) -> None:
    n = k + more
    if not n:
        return
    low, high = at_least(k, n), at_most(k, n)
    share = clopper_pearson(k, n)
    assert (low, high) == (share.low, share.high)
    assert low == (pytest.approx(beta.ppf(0.025, k, n - k + 1), abs=1e-9) if k else 0.0)
    assert high == (pytest.approx(beta.ppf(0.975, k + 1, n - k), abs=1e-9) if k < n else 1.0)
    if 0 < k < n:  # the shares under which so many or more, and so many or fewer, come in 2.5 of 100
        assert binom.sf(k - 1, n, low) == pytest.approx(0.025, abs=1e-6) and binom.cdf(
            k, n, high
        ) == pytest.approx(0.025, abs=1e-6)


def test_at_an_end_with_one_tail_it_is_the_rule_of_three() -> None:
    assert at_most(0, 100, 0.05) == pytest.approx(1 - 0.05**0.01) and at_least(
        100, 100, 0.05
    ) == pytest.approx(0.05**0.01)


@given(st.floats(0.01, 0.99), st.floats(0.005, 0.5), st.integers(2, 200), st.integers(1, 8))
def test_a_share_has_those_of_as_many_independent_labels_as_have_its_error(
    value: float, error: float, conversations: int, units: int
) -> None:
    """Korn and Graubard (1998): share * (1 - share) / error^2, times the square of t of the labels over t of
    the conversations."""
    most = conversations * units
    effective = min(
        most, value * (1 - value) / error**2 * (t.ppf(0.975, most - 1) / t.ppf(0.975, conversations - 1)) ** 2
    )
    low, high = korn_graubard(value, error, conversations, most)
    assert low == pytest.approx(
        beta.ppf(0.025, value * effective, effective - value * effective + 1), abs=1e-6
    )
    assert high == pytest.approx(
        beta.ppf(0.975, value * effective + 1, effective - value * effective), abs=1e-6
    )
    assert 0 <= low <= value <= high <= 1


def test_a_share_of_one_label_a_conversation_is_that_of_clopper_and_pearson() -> None:
    """7 of 20: the error of a share of 20 alike, (20 - 1) in its bottom, would make of them 19; no more than
    there are."""
    for k, n in ((7, 20), (3, 30), (29, 30)):
        exact, share = clopper_pearson(k, n), k / n
        low, high = korn_graubard(share, math.sqrt(share * (1 - share) / n), n, n)
        assert (low, high) == pytest.approx((exact.low, exact.high))
        less = korn_graubard(share, math.sqrt(share * (1 - share) / (n - 1)), n, n)
        assert less[0] < low and less[1] > high
        assert korn_graubard(share, 1e-3, n, n) == pytest.approx((exact.low, exact.high)), (
            "never more labels than there are"
        )


@pytest.mark.parametrize(
    ("value", "ends"), [(0.0, (0.0, 1 - 0.025 ** (1 / 12))), (1.0, (0.025 ** (1 / 12), 1.0))]
)
def test_without_an_error_a_share_has_those_of_one_label_a_conversation(
    value: float, ends: tuple[float, float]
) -> None:
    assert korn_graubard(value, 0.0, 12, 60) == pytest.approx(ends)
    assert korn_graubard(value, 0.0, 60, 12) == pytest.approx(ends), "never more than there are labels"


@given(st.floats(0.05, 0.95), st.floats(0.02, 0.3), st.integers(3, 100))
def test_more_error_or_fewer_conversations_never_make_an_interval_narrower(
    value: float, error: float, conversations: int
) -> None:
    def width(limits: tuple[float, float]) -> float:
        return limits[1] - limits[0]

    most = 5 * conversations
    assert (
        width(korn_graubard(value, 1.5 * error, conversations, most))
        >= width(korn_graubard(value, error, conversations, most)) - 1e-12
    )
    assert (
        width(fisher(value, error, conversations - 1)) >= width(fisher(value, error, conversations)) - 1e-12
    )
    assert width(symmetric(value, error, 2)) > width(symmetric(value, error, 3))
