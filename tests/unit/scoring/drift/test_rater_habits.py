"""Same again and minutes, by period."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.people.repeats import RepeatedAnswer
from scoring.drift.periods import periods
from scoring.drift.rater_habits import (
    RatingMinutes,
    minutes,
    minutes_by_period,
    over_periods,
    same_again,
    same_by_period,
)

NAN = np.nan


def again(conversation: int, same: bool, day: int = 0) -> RepeatedAnswer:
    return RepeatedAnswer(conversation, 1, "warm", "YES", "YES" if same else "NO", day)


def test_the_share_rests_on_conversations() -> None:
    found = same_again([again(number // 4, number % 4 != 0 or number < 8) for number in range(40)])
    assert (found.same, found.pairs, found.share.conversations) == (32, 40, 10)
    assert (
        found.share.value == pytest.approx(0.8)
        and found.share.low is not None
        and found.share.high is not None
    )
    assert found.share.low < 0.8 < found.share.high


@pytest.mark.parametrize(("same", "low", "high"), [(True, 0.63, 1.0), (False, 0.0, 0.37)])
def test_where_all_conversations_are_alike_there_is_an_interval_all_the_same(
    same: bool, low: float, high: float
) -> None:
    """0.025 ** (1 / 8) = 0.63."""
    found = same_again([again(number, same) for number in range(8)])
    assert found.share.low == pytest.approx(low, abs=0.005) and found.share.high == pytest.approx(
        high, abs=0.005
    )


def test_one_conversation_has_no_interval_and_none_no_share() -> None:
    assert same_again([again(1, False), again(1, True)]).share.no_interval is not None
    nothing = same_again([])
    assert nothing.pairs == 0 and nothing.share.value is None


def test_a_period_without_repeats_is_a_gap() -> None:
    pairs = [again(1, True, 4), again(2, False, 5), again(3, True, 20)]  # 1970-01-05 is a Monday
    found = same_by_period(pairs, periods(np.array([one.day for one in pairs]), "week"))
    assert [(one.same, one.pairs) for one in found] == [(1, 2), (0, 0), (1, 1)] and found[
        1
    ].share.value is None


def test_minutes_are_a_median_and_the_middle_half_of_those_known() -> None:
    assert minutes(np.array([1, 2, 3, 4, NAN, 100])) == RatingMinutes(5, 3, 2, 4)
    assert minutes(np.array([NAN, NAN])) == RatingMinutes(0, None, None, None)
    days = np.array([0, 0, 14])
    assert [one.n for one in minutes_by_period(np.array([1.0, NAN, 5.0]), periods(days, "week"))] == [1, 0, 1]


def test_a_trend_needs_eight_periods_with_a_value() -> None:
    assert over_periods([1, 2, None, 3, 4, 5, 6, 7]) == (None, 0, 7)
    p, way, known = over_periods([1, 2, None, 3, 4, 5, 6, 7, 8])
    assert p is not None and p < 0.01 and (way, known) == (1, 8)
    assert over_periods([1.0] * 9) == (1.0, 0, 9)
