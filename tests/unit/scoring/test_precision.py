"""How many more ratings a precision takes, and how many failures without a miss show what."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from scoring.agreement.intervals.proportions import at_most
from scoring.agreement.rates.sample_size import failures_needed
from scoring.bad_input import BadInput
from scoring.precision import LabelsSoFar, half_width, units_needed

STATES = st.builds(
    lambda n, share, left, overlap, effect, these: LabelsSoFar(
        n, round(share * n), left, overlap, effect, these
    ),
    st.integers(0, 200),
    st.floats(0, 1),
    st.integers(0, 300),
    st.integers(1, 3),
    st.floats(1, 4),
    st.booleans(),
)


@pytest.mark.parametrize(("n", "successes"), [(10, 0), (10, 3), (50, 25), (200, 199), (1, 1)])
def test_half_the_width_is_that_of_the_wilson_interval(n: int, successes: int) -> None:
    low, high = binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert half_width(LabelsSoFar(n, successes, 0)) == pytest.approx((high - low) / 2)


def test_conversations_of_like_units_tell_as_much_as_fewer_units() -> None:
    assert half_width(LabelsSoFar(100, 30, 0, design_effect=2.0)) == pytest.approx(
        half_width(LabelsSoFar(50, 15, 0)) or 0
    )


def test_of_few_units_each_tells_more_and_all_of_them_tell_everything() -> None:
    assert half_width(LabelsSoFar(50, 25, 50, these_only=True)) == pytest.approx(
        half_width(LabelsSoFar(99, 49, 0)) or 0, abs=1e-4
    )
    assert half_width(LabelsSoFar(50, 25, 50, these_only=True), 50) == 0
    assert (half_width(LabelsSoFar(50, 25, 50), 50) or 0) > 0.09


@given(STATES)
def test_more_units_never_make_it_wider(state: LabelsSoFar) -> None:
    widths = [half_width(state, more) for more in range(0 if state.n else 1, state.left + 1)]
    assert all(
        later is not None and earlier is not None and later <= earlier + 1e-12
        for earlier, later in itertools.pairwise(widths)
    )


@given(STATES, st.floats(0.01, 0.5))
def test_the_number_needed_is_enough_and_one_less_is_not(state: LabelsSoFar, wish: float) -> None:
    found = units_needed(state, wish)
    if found is None:
        best = half_width(state, state.left)
        assert best is None or best > wish
        return
    assert (half_width(state, found) or 0) <= wish
    if found:
        before = half_width(state, found - 1)
        assert before is None or before > wish


@pytest.mark.parametrize(("rate", "needed"), [(0.10, 29), (0.05, 59), (0.02, 149)])
def test_failures_without_a_miss_that_show_a_miss_rate(rate: float, needed: int) -> None:
    assert failures_needed(rate) == needed
    assert (1 - rate) ** needed <= 0.05 < (1 - rate) ** (needed - 1)


@given(st.integers(0, 12), st.floats(0.02, 0.5))
def test_with_misses_the_number_is_the_first_whose_limit_is_under_the_rate(misses: int, rate: float) -> None:
    needed = failures_needed(rate, misses)
    assert binom.cdf(misses, needed, rate) <= 0.05 < binom.cdf(misses, needed - 1, rate)
    assert (at_most(misses, needed) or 1) <= rate + 1e-9
    assert (at_most(misses, needed - 1) or 1) > rate


def test_the_limit_is_the_one_sided_one_of_clopper_and_pearson() -> None:
    assert at_most(3, 40) == pytest.approx(binomtest(3, 40).proportion_ci(0.9, method="exact").high)
    assert at_most(5, 5) == 1
    assert at_most(0, 0) is None


@pytest.mark.parametrize(
    "make",
    [
        lambda: LabelsSoFar(-1, 0, 5),
        lambda: LabelsSoFar(5, 6, 5),
        lambda: LabelsSoFar(5, -1, 5),
        lambda: LabelsSoFar(5, 1, -1),
        lambda: LabelsSoFar(5, 1, 5, 0),
        lambda: LabelsSoFar(5, 1, 5, 1, 0.0),
        lambda: LabelsSoFar(5, 1, 5, 1, math.nan),
        lambda: half_width(LabelsSoFar(5, 1, 5), 6),
        lambda: units_needed(LabelsSoFar(5, 1, 5), 0.0),
        lambda: failures_needed(0.0),
        lambda: failures_needed(0.1, -1),
    ],
)
def test_what_makes_no_sense_is_refused(make: object) -> None:
    with pytest.raises(BadInput):
        make()  # type: ignore[operator]
