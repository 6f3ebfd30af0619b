"""How many units it takes, against the limit that they are to reach."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.intervals.proportions import at_most
from scoring.agreement.rates.sample_size import failures_needed
from scoring.bad_input import BadInput


@given(st.floats(0.005, 0.5))
def test_so_many_clean_conversations_put_the_limit_under_the_rate(rate: float) -> None:
    n = failures_needed(rate)
    assert (at_most(0, n) or 1) <= rate + 1e-9 and (at_most(0, n - 1) or 1) > rate - 1e-9
    assert n <= 3 / rate + 1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: failures_needed(0), "rate: expected"),
        (lambda: failures_needed(0.1, -1), "misses: expected"),
    ],
)
def test_what_makes_no_sense_is_refused(make: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()
