"""How far each rater's levels lie from the others', computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.people.severity import OrdinalLabels, severity_of
from scoring.drift.periods import UNKNOWN, periods
from scoring.drift.rater_levels import DatedLevels, dated_levels, level_by_period, level_differences, level_of

Row = tuple[int, int, int, float, int]  # item, rater, conversation, level, day


def said(rows: list[Row]) -> DatedLevels:
    item, rater, part, level, day = (list(column) for column in zip(*rows, strict=True))
    return DatedLevels(
        np.array(item), np.array(rater), np.array(part), np.array(level, dtype=float), np.array(day)
    )


def everyone(levels: list[tuple[float, ...]], days: list[int]) -> DatedLevels:
    """Item i, in a conversation of its own, rated by raters 1, 2, ... on days[i]."""
    return said(
        [
            (item, rater, item, level, days[item])
            for item, row in enumerate(levels)
            for rater, level in enumerate(row, start=1)
        ]
    )


def test_a_difference_is_the_own_level_less_the_mean_of_the_others() -> None:
    found = level_differences(everyone([(1, 2, 3), (2, 2, 2), (4, 1, 1)], [10, 11, 12]))
    assert found.of(1).difference.tolist() == pytest.approx([-1.5, 0, 3])
    assert found.of(2).difference.tolist() == pytest.approx([0, 0, -1.5])
    assert found.of(3).day.tolist() == [10, 11, 12]
    assert found.partners == {1: {2, 3}, 2: {1, 3}, 3: {1, 2}}


def test_over_everything_it_is_the_severity_of_the_agreement_report() -> None:
    rng = np.random.default_rng(1)
    rows: list[Row] = []
    for item in range(40):
        for rater in rng.choice(5, int(rng.integers(1, 4)), replace=False).tolist():
            rows.append((item, rater, item // 2, float(rng.integers(0, 4)), int(rng.integers(0, 30))))
    rater_levels = said(rows)
    report = severity_of(
        [OrdinalLabels(rater_levels.item, rater_levels.rater, rater_levels.part, rater_levels.level)]
    ).raters
    differences = level_differences(rater_levels)
    for rater in range(5):
        level = level_of(differences.of(rater))
        assert (
            level.value == pytest.approx(report[rater].difference.value) and level.n == report[rater].labels
        )


def test_a_strict_colleague_who_joins_later_makes_nobody_lenient() -> None:
    """1 and 2 always say 3; from day 8 on 3 is there and says 1."""
    rows = [(item, rater, item, 3.0, item) for item in range(16) for rater in (1, 2)]
    rows += [(item, 3, item, 1.0, item) for item in range(8, 16)]
    found = level_differences(said(rows))
    assert np.ptp(found.of(1).difference) == pytest.approx(0)
    assert found.of(1).difference.mean() == pytest.approx(
        0.5
    )  # over everything it stays the plain mean: 8 times 0, 8 times 1
    assert found.of(3).difference.tolist() == pytest.approx([-2.0] * 8)


def test_a_label_without_a_known_day_counts_for_the_others_only() -> None:
    rows = [(0, 1, 0, 2.0, 5), (0, 2, 0, 4.0, UNKNOWN), (1, 1, 1, 3.0, 6), (1, 2, 1, 3.0, UNKNOWN)]
    found = level_differences(said(rows))
    assert (
        found.of(1).difference.tolist() == [-2, 0]
        and not len(found.of(2).difference)
        and found.partners[1] == {2}
    )


def test_who_rated_alone_has_no_difference() -> None:
    found = level_differences(said([(0, 1, 0, 2.0, 5), (1, 2, 1, 2.0, 5)]))
    assert not len(found.difference) and found.partners == {}
    level = level_of(found.of(1))
    assert level.value is None and level.n == 0 and "rated by another" in str(level.undefined)


def test_a_week_in_which_nothing_was_rated_stays_empty() -> None:
    found = level_differences(everyone([(1, 3), (2, 3), (2, 2), (1, 2)], [0, 1, 15, 16])).of(1)
    weeks = level_by_period(found, periods(found.day, "week"))
    assert [one.value for one in weeks] == [pytest.approx(-1.5), None, pytest.approx(-0.5)]
    assert [one.n for one in weeks] == [2, 0, 2] and weeks[0].low is not None


def test_labels_get_the_day_on_which_their_rater_committed_their_unit() -> None:
    criteria = [
        OrdinalLabels(
            np.array([7, 7, 9]), np.array([1, 2, 1]), np.array([3, 3, 4]), np.array([0.0, 1.0, 2.0])
        ),
        OrdinalLabels(np.array([7]), np.array([2]), np.array([3]), np.array([5.0])),
    ]
    levels = dated_levels(criteria, np.array([2, 1]), np.array([7, 9]), np.array([100, 200]))
    assert levels.day.tolist() == [UNKNOWN, 100, 200, 100]
    assert levels.item[0] == levels.item[1] != levels.item[3] and levels.part.tolist() == [3, 3, 4, 3]
    assert dated_levels(criteria, *(np.zeros(0, dtype=np.int64),) * 3).day.tolist() == [UNKNOWN] * 4
    assert not len(dated_levels([], *(np.zeros(0, dtype=np.int64),) * 3).level)
