"""When a number moved: both sides, gaps, no alarm, and nothing to compare with."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.significance_tests.cusum import NO_SPREAD, NOTHING, cusum
from scoring.bad_input import BadInput


def test_a_step_up_and_its_mirror() -> None:
    up, down = cusum([0, 0, 2, 2, 2, 2], 0, 1), cusum([0, 0, -2, -2, -2, -2], 0, 1)
    assert up.above == down.below == (0, 0, 1.5, 3, 4.5, 6)
    assert up.below == down.above == (0,) * 6
    assert up.first_alarm == down.first_alarm == 5


def test_exactly_at_the_limit_is_no_alarm() -> None:
    assert cusum([5.5], 0, 1).first_alarm is None
    assert cusum([5.5 + 1e-9], 0, 1).first_alarm == 0


def test_a_gap_is_no_value_and_forgets_nothing() -> None:
    found = cusum([2, None, 2], 0, 1)
    assert (found.above, found.below) == ((1.5, None, 3.0), (0.0, None, 0.0))


@given(st.lists(st.one_of(st.none(), st.integers(-9, 9)), max_size=20), st.integers(1, 5))
def test_k_and_h_are_in_units_of_sd(series: list[float | None], sd: int) -> None:
    one = cusum(series, 1, 1)
    other = cusum([None if value is None else value * sd for value in series], sd, sd)
    assert other.first_alarm == one.first_alarm
    assert other.above == tuple(None if value is None else value * sd for value in one.above)


@pytest.mark.parametrize(
    ("series", "sd", "reason"), [([], 1, NOTHING), ([None, None], 1, NOTHING), ([1, 2], 0, NO_SPREAD)]
)
def test_without_values_or_spread_it_cannot_be_told(
    series: list[float | None], sd: float, reason: str
) -> None:
    found = cusum(series, 0, sd)
    assert (found.undefined, found.first_alarm, found.above) == (reason, None, (None,) * len(series))


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"sd": -1}, "sd: expected a number from 0, found -1"),
        ({"k": -0.5}, "k: expected a number from 0"),
        ({"h": 0}, "h: expected a number above 0"),
        ({"target": math.inf}, "target: expected a finite"),
        ({"series": ["1"]}, r"series\[0\]: expected a number"),
    ],
)
def test_what_makes_no_sense_is_refused(given_: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        cusum(**{"series": [1], "target": 0, "sd": 1, **given_})
