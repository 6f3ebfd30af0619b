"""Days gathered into weeks and months."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.drift.periods import EPOCH, LENGTHS, MAX_PERIODS, UNKNOWN, Length, fitting, periods


def _days(*found: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(
        [(date.fromisoformat(one) - EPOCH).days if one else UNKNOWN for one in found], dtype=np.int64
    )


def test_a_week_without_labels_keeps_its_place() -> None:
    made = periods(_days("2026-03-04", "2026-03-25", "", "2026-03-02"), "week")
    assert made.names == ("2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23")
    assert made.of.tolist() == [0, 3, UNKNOWN, 0]


def test_months_begin_on_their_first_day_across_a_year() -> None:
    made = periods(_days("2025-12-31", "2026-02-01", "2026-01-31"), "month")
    assert made.names == ("2025-12", "2026-01", "2026-02") and made.of.tolist() == [0, 2, 1]


def test_without_a_known_day_there_is_no_period() -> None:
    assert periods(_days("", ""), "week").first == () and periods(_days("", ""), "week").of.tolist() == [
        UNKNOWN,
        UNKNOWN,
    ]
    assert periods(_days(), "day").of.tolist() == []


def test_more_than_can_be_seen_is_refused_in_words() -> None:
    with pytest.raises(BadInput, match=f"more than {MAX_PERIODS} days: choose longer periods"):
        periods(_days("2020-01-01", "2026-01-01"), "day")


@given(st.lists(st.integers(0, 30_000), min_size=1), st.sampled_from(LENGTHS))
def test_every_day_lies_in_its_period(days: list[int], length: Length) -> None:
    if max(days) - min(days) > 7 * 400 or (length == "day" and max(days) - min(days) >= MAX_PERIODS):
        return
    made = periods(np.array(days, dtype=np.int64), length)
    ends = (*made.first[1:], date.max)
    for day, at in zip(days, made.of.tolist(), strict=True):
        assert made.first[at] <= date.fromordinal(EPOCH.toordinal() + day) < ends[at]


def test_the_length_that_fits() -> None:
    assert fitting(_days("2026-01-01", "2026-01-20")) == "day"
    assert fitting(_days("2026-01-01", "2026-06-20")) == "week"
    assert fitting(_days("2020-01-01", "2026-06-20")) == "month" and fitting(_days("")) == "day"
