"""Who moved: on made-up studies of which that is known, and in small cases by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, theilslopes

from scoring.agreement.people.severity import OrdinalLabels
from scoring.drift.rater_levels import DatedLevels, LevelDifferences, dated_levels
from scoring.drift.rater_movement import MIN_CONVERSATIONS, NOBODY, ONE_DAY, TIED, measure_movement, movements

pytestmark = pytest.mark.slow

SEEDS = 200
DAYS = 84


def study(
    seed: int,
    drift: float,
    raters: int = 3,
    talks: int = 60,
    levels: int = 5,
    overlap: int | None = None,
    joins: int | None = None,
    moving: tuple[int, ...] = (0,),
) -> DatedLevels:
    """Three criteria. Each rates in an order of their own over twelve weeks; those `moving` move by `drift`
    levels over them. A conversation strikes each rater in a way of its own, on all criteria. `overlap`:
    raters a conversation; `joins`: the day from which on the last one, who is strict, is there.
    """
    rng = np.random.default_rng(seed)
    truth, severity = rng.normal(2, 1, (talks, 3)), rng.normal(0, 0.3, raters)
    if joins is not None:
        severity[-1] = -1.5
    days = [
        dict(
            zip(rng.permutation(talks).tolist(), np.sort(rng.integers(0, DAYS, talks)).tolist(), strict=True)
        )
        for _ in range(raters)
    ]
    moments: list[tuple[int, int, int]] = []
    rows: list[list[tuple[int, int, int, float]]] = [[] for _ in range(3)]
    for talk in range(talks):
        for rater in (
            range(raters) if overlap is None else rng.choice(raters, overlap, replace=False).tolist()
        ):
            day = days[rater][talk] if joins is None else DAYS * talk // talks
            if joins is not None and rater == raters - 1 and day < joins:
                continue
            moments.append((rater, talk, day))
            struck = severity[rater] + rng.normal(0, 0.3) + (drift * day / DAYS if rater in moving else 0)
            for question in range(3):
                exact = float(truth[talk, question] + struck + rng.normal(0, 0.6))
                level = float(min(max(round(exact), 0), levels - 1))
                rows[question].append((talk, rater, talk, level))
    criteria = []
    for some in rows:
        unit, who, part, given = (np.array(column) for column in zip(*some, strict=True))
        criteria.append(
            OrdinalLabels(
                unit.astype(np.int64), who.astype(np.int64), part.astype(np.int64), given.astype(float)
            )
        )
    who, unit, day = (np.array(column, dtype=np.int64) for column in zip(*moments, strict=True))
    return dated_levels(criteria, who, unit, day)


def named(levels: DatedLevels) -> set[int]:
    return {rater for rater, movement in movements(levels).raters.items() if movement.verdict}


def test_one_of_three_who_drifts_is_named_and_nobody_else() -> None:
    right = sum(named(study(seed, drift=-1.2)) == {0} for seed in range(SEEDS))
    assert right >= 0.8 * SEEDS


@pytest.mark.parametrize(
    "settings",
    [{}, {"levels": 2}, {"raters": 8, "talks": 120, "overlap": 2}, {"raters": 4, "joins": 42}],
    ids=["three raters", "two levels", "eight raters, overlap two", "a strict one joins"],
)
def test_where_nobody_drifts_hardly_anybody_is_named(settings: dict[str, Any]) -> None:
    alarms = sum(bool(named(study(1_000 + seed, drift=0, **settings))) for seed in range(2 * SEEDS))
    assert alarms <= 0.06 * 2 * SEEDS  # 0.03 to 0.04 of thousands (docs/reference_metrics.md)


def test_two_of_five_who_drift_together_are_both_named() -> None:
    right = sum(named(study(seed, drift=-2.0, raters=5, moving=(0, 1))) == {0, 1} for seed in range(40))
    assert right >= 0.8 * 40


def test_who_moved_goes_out_of_what_the_others_stand_beside() -> None:
    study_movements = movements(study(3, drift=-2.0))
    movement, differences = study_movements.raters[0], study_movements.differences
    assert movement.verdict == "moved" and not movement.up
    first, second = movement.first, movement.second
    assert first is not None and second is not None and second < first - 0.5
    assert differences[1].partners == {1: {2}, 2: {1}} and differences[0].partners[0] == {1, 2}


def test_of_two_raters_nobody_can_tell_which_one_moved() -> None:
    by_rater = movements(study(1, drift=-2.5, raters=2)).raters
    assert {movement.verdict for movement in by_rater.values()} == {"difference changed"} and len(
        by_rater
    ) == 2


def one_rater(difference: list[float], day: list[int], part: list[int] | None = None) -> LevelDifferences:
    n = len(difference)
    return LevelDifferences(
        {},
        np.ones(n, dtype=np.int64),
        np.array(part if part is not None else range(n), dtype=np.int64),
        np.array(day, dtype=np.int64),
        np.array(difference, dtype=float),
    )


def test_the_test_and_the_slope_are_scipys_over_conversations() -> None:
    difference, day = [0.5, 0.1, 0.3, -0.2, -0.1, -0.4, 0.0, -0.6, -0.6], [0, 3, 3, 8, 14, 20, 21, 28, 40]
    movement = measure_movement(one_rater(difference, day))
    means = [0.5, 0.2, -0.2, -0.1, -0.4, 0.0, -0.6, -0.6]  # of the days; two conversations lie on one
    assert movement.tau == pytest.approx(kendalltau(day, difference).statistic)
    assert movement.p == pytest.approx(
        max(kendalltau(day, difference).pvalue, kendalltau(sorted({*day}), means).pvalue)
    )
    slope = theilslopes(difference, np.array(day) / 28)
    assert (movement.slope.value, movement.slope.low, movement.slope.high) == pytest.approx(
        (slope.slope, slope.low_slope, slope.high_slope)
    )
    assert movement.first == pytest.approx(np.mean(difference[:4])) and movement.second == pytest.approx(
        np.mean(difference[4:])
    )
    assert movement.up is False and movement.conversations == 9


def test_labels_of_one_conversation_are_one_difference() -> None:
    single = measure_movement(one_rater([0.1 * day for day in range(10)], list(range(10))))
    double = measure_movement(
        one_rater(
            [0.1 * day + side for day in range(10) for side in (-0.5, 0.5)],
            [day for day in range(10) for _ in range(2)],
            [day for day in range(10) for _ in range(2)],
        )
    )
    assert double == replace(single, slope=double.slope) and double.slope.value == pytest.approx(
        single.slope.value
    )


def test_too_little_is_said_in_words() -> None:
    assert measure_movement(one_rater([], [])).undefined == NOBODY
    few = measure_movement(one_rater([0.1] * (MIN_CONVERSATIONS - 1), list(range(MIN_CONVERSATIONS - 1))))
    assert (
        few.p is None
        and few.undefined == "only 7 conversations with others, and 8 are needed"
        and few.slope.value is None
    )
    assert "only 1 conversation with" in str(measure_movement(one_rater([0.1], [1])).undefined)
    assert measure_movement(one_rater([0.1, 0.5] * 5, [4] * 10)).undefined == ONE_DAY
    assert "only 5 days, where a good and a bad day would look like a change" in str(
        measure_movement(one_rater([0.1, 0.5] * 5, [1, 2, 3, 4, 5] * 2)).undefined
    )
    assert measure_movement(one_rater([0.1, 0.5] * 6, [1, 2, 3, 4, 5, 6] * 2)).undefined is None


def test_always_the_same_difference_is_no_movement() -> None:
    movement = measure_movement(
        one_rater([0.1 + 0.2] * 5 + [0.3] * 5, list(range(10)))
    )  # what rounding leaves is no order
    assert (movement.p, movement.tau, movement.slope.value, movement.slope.no_interval) == (
        1.0,
        0.0,
        0.0,
        TIED,
    )


def test_days_in_common_stay_in_one_half() -> None:
    """Half of the conversations, but for the day in the middle, which goes with the fewer."""
    movement = measure_movement(one_rater([1.0] * 2 + [0.0] * 11, [1, 1, *[5] * 7, 6, 7, 8, 9]))
    assert movement.second == 0.0
    assert movement.first == pytest.approx(2 / 9)
    movement = measure_movement(one_rater([1.0] * 6 + [0.0] * 7, [1, 2, 3, 4, 4, 4, *[5] * 6, 6]))
    assert (movement.first, movement.second) == (1.0, 0.0)


def test_moods_of_single_days_are_no_movement() -> None:
    """A rater's day is as much a strike as a conversation is: twelve days, each with a mood for all
    conversations of that day.
    """
    alarms = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        day = np.repeat(np.sort(rng.choice(DAYS, 12, replace=False)), 5)
        alarms += (
            measure_movement(
                one_rater(
                    (np.repeat(rng.normal(0, 0.4, 12), 5) + rng.normal(0, 0.3, 60)).tolist(), day.tolist()
                )
            ).p
            or 1
        ) < 0.05
    assert alarms <= 0.08 * SEEDS  # one test by itself; over conversations alone it would be a third


def test_thousands_of_conversations_have_a_slope_soon() -> None:
    rng = np.random.default_rng(0)
    day = np.sort(rng.integers(0, 280, 6_000))
    movement = measure_movement(
        one_rater((-0.05 * day / 28 + rng.normal(0, 0.3, 6_000)).tolist(), day.tolist())
    )
    assert (
        movement.slope.value == pytest.approx(-0.05, abs=0.01)
        and movement.slope.low is not None
        and movement.slope.low < -0.05 < (movement.slope.high or 0)
    )


def test_nobody_said_anything() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert movements(DatedLevels(nothing, nothing, nothing, np.zeros(0), nothing)).raters == {}
