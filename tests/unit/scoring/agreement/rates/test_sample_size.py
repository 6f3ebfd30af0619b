"""How many units it takes, against published and simulated figures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.intervals.proportions import at_most, clopper_pearson
from scoring.agreement.rates.sample_size import (
    failures_needed,
    kappa_test_size,
    kappa_width_size,
    rule_of_three,
    share_width_size,
)
from scoring.bad_input import BadInput


@pytest.mark.parametrize(
    ("k0", "k1", "prevalence", "n"),
    [
        (0.4, 0.6, 0.5, 165),
        (0.4, 0.6, 0.3, 191),
        (0.6, 0.8, 0.5, 126),
        (0.6, 0.8, 0.1, 335),
        (0.6, 0.8, 0.05, 628),
    ],
)
def test_units_to_tell_two_kappas_apart(k0: float, k1: float, prevalence: float, n: int) -> None:
    assert kappa_test_size(k0, k1, prevalence).n == n
    assert kappa_test_size(k0, k1, 1 - prevalence).n == n


@pytest.mark.parametrize(("prevalence", "n"), [(0.5, 246), (0.2, 392), (0.1, 705), (0.05, 1347)])
def test_units_for_a_width_of_kappa(prevalence: float, n: int) -> None:
    assert kappa_width_size(0.6, prevalence, 0.1).n == kappa_width_size(0.6, 1 - prevalence, 0.1).n == n


@pytest.mark.parametrize(("share", "half", "n"), [(0.9, 0.1, 42), (0.95, 0.05, 88)])
def test_confirmed_failures_for_a_width_of_sensitivity(share: float, half: float, n: int) -> None:
    assert share_width_size(share, half) == n


@given(st.floats(0, 1), st.floats(0.02, 0.5))
def test_the_width_is_reached_there_and_not_one_unit_before(share: float, half: float) -> None:
    def width(n: int) -> float:
        found = clopper_pearson(round(share * n), n)
        return ((found.high or 0.0) - (found.low or 0.0)) / 2

    n = share_width_size(share, half)
    assert width(n) <= half and (n == 1 or width(n - 1) > half)


@given(st.floats(0.005, 0.5))
def test_so_many_clean_conversations_put_the_limit_under_the_rate(rate: float) -> None:
    n = failures_needed(rate)
    assert (at_most(0, n) or 1) <= rate + 1e-9 and (at_most(0, n - 1) or 1) > rate - 1e-9
    assert n <= rule_of_three(rate) + 1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: kappa_test_size(0.6, 0.6, 0.5), "k1: expected another kappa"),
        (lambda: kappa_test_size(1, 0.6, 0.5), "k0: expected a kappa from 0, below 1"),
        (lambda: kappa_test_size(0.4, -0.1, 0.5), "k1: expected"),
        (lambda: kappa_test_size(0.4, 0.6, 0), "prevalence: expected a number between 0 and 1"),
        (lambda: kappa_test_size(0.4, 0.6, 0.5, power=0.02), "power: expected more than"),
        (lambda: kappa_width_size(1, 0.5, 0.1), "kappa: expected"),
        (lambda: kappa_width_size(0.5, 0.5, 0), "half_width: expected"),
        (lambda: share_width_size(1.5, 0.1), "share: expected 0 to 1"),
        (lambda: share_width_size(0.5, 0.001), "half_width: expected"),
        (lambda: failures_needed(0), "rate: expected"),
        (lambda: failures_needed(0.1, -1), "misses: expected"),
        (lambda: rule_of_three(1), "rate: expected"),
    ],
)
def test_what_makes_no_sense_is_refused(make: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()


def test_a_kappa_of_1_may_be_hoped_for() -> None:
    assert kappa_test_size(0.8, 1, 0.5).n > 0
