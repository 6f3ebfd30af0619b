"""Allocation, what a draw takes, and estimates that weigh by chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.sampling import (
    NO_LABELS,
    NO_STRATUM,
    ONE_CONVERSATION,
    SPREADLESS,
    SampledUnit,
    allocate,
    expected_left,
    fractions,
    take,
    weighted,
)
from tests.unit.scoring.leaving_out import leave_each_out

ROOMS = st.lists(st.integers(0, 60), min_size=1, max_size=12).filter(any)
ANY_ROOMS = st.lists(st.floats(0, 60).map(lambda x: round(x, 3)), min_size=1, max_size=12).filter(any)
ALLOCATIONS = st.sampled_from(["proportional", "equal"])


@given(ROOMS, ALLOCATIONS, st.floats(0.05, 1), st.floats(0, 1.2))
def test_whole_numbers_are_given_out_to_the_last_one(
    room: list[int], allocation: str, share: float, part: float
) -> None:
    open_strata = sum(capacity > 0 for capacity in room)
    size = max(open_strata, round(part * sum(room)))
    given_out = allocate(size, room, allocation, share)  # type: ignore[arg-type]
    assert sum(given_out) == min(size, sum(room))
    assert all(
        amount == int(amount) and amount <= most and (amount >= 1 or most == 0)
        for amount, most in zip(given_out, room, strict=True)
    )


@given(ANY_ROOMS, ALLOCATIONS, st.floats(0.05, 1), st.floats(0, 1.2))
def test_rooms_that_are_no_whole_numbers_are_filled_and_never_more(
    room: list[float], allocation: str, share: float, part: float
) -> None:
    size = max(sum(one > 0 for one in room), round(part * sum(room)))
    given_out = allocate(size, room, allocation, share)  # type: ignore[arg-type]
    assert math.fsum(given_out) == pytest.approx(min(size, math.fsum(room)), abs=1e-6)
    assert all(min(1, most) - 1e-9 <= one <= most + 1e-9 for one, most in zip(given_out, room, strict=True))


@given(ROOMS, st.floats(0.05, 1), st.floats(0, 1))
def test_equal_is_as_even_as_the_share_by_size_and_the_rooms_allow(
    room: list[int], share: float, part: float
) -> None:
    open_strata = sum(capacity > 0 for capacity in room)
    size = max(open_strata, round(part * sum(room)))
    floor = allocate(max(open_strata, math.ceil(share * size - 1e-9)), room, "proportional")
    given_out = allocate(size, room, "equal", share)
    assert all(amount >= least for amount, least in zip(given_out, floor, strict=True))
    # Whoever has more than the least got it by size; whoever has less than the others is full.
    for amount, least, most in zip(given_out, floor, room, strict=True):
        if amount < most:
            assert all(
                other <= max(amount + 1, lowest) for other, lowest in zip(given_out, floor, strict=True)
            ), (given_out, floor)
        assert least <= most


def test_proportional_follows_the_sizes() -> None:
    assert allocate(100, [600, 300, 100], "proportional") == [60, 30, 10]
    assert allocate(10, [990, 5, 5], "proportional") == [8, 1, 1]


def test_equal_gives_what_is_over_to_those_with_room() -> None:
    assert allocate(30, [100, 100, 4], "equal", 0.05) == [13, 13, 4]
    assert allocate(30, [1000, 10, 10], "equal", 0.5) == [13, 9, 8]


def test_a_size_under_the_number_of_strata_is_refused() -> None:
    with pytest.raises(BadInput, match="at least 1 for each of 3 strata, found 2"):
        allocate(2, [5, 5, 5, 0], "proportional")


def test_what_may_be_left_is_the_sum_of_the_chances() -> None:
    untaken = np.array([0.5, 0.5, 1.0, 0.25, 1.0])
    assert expected_left(untaken, np.array([0, 0, 2, 2, NO_STRATUM]), 3).tolist() == [1, 0, 1.25]


def test_sums_of_floats_that_mean_a_whole_number_are_one() -> None:
    untaken = np.full(13, 1 - 7 / 13)
    assert float(untaken.sum()) != 6
    assert expected_left(untaken, np.zeros(13, dtype=np.int64), 1).tolist() == [6]
    assert fractions([6], [6 + 1e-12]).tolist() == [1]
    assert fractions([3, 1], [6, 0]).tolist() == [0.5, 0]


def taken(strata: list[int], free: list[bool], fraction: list[float], seed: int) -> list[int]:
    places: list[int] = take(
        np.array(strata), np.array(free), np.array(fraction), np.random.Generator(np.random.PCG64(seed))
    ).tolist()
    return places


def test_a_draw_takes_only_what_is_free_and_in_a_stratum_with_a_fraction() -> None:
    strata, free = [0, 0, 0, 1, 1, NO_STRATUM, 2, 2], [True, True, False, True, True, True, True, True]
    for seed in range(50):
        assert sorted(taken(strata, free, [1.0, 0.5, 0.0], seed)) in ([0, 1, 3], [0, 1, 4])


def test_a_fraction_of_a_unit_is_taken_as_often_as_it_says_and_the_whole_keeps_its_size() -> None:
    strata = [h for h in range(4) for _ in range(5)]
    counts = np.array(
        [
            np.bincount(
                np.array(strata)[taken(strata, [True] * 20, [0.5, 0.3, 0.46, 0.04], seed)], minlength=4
            )
            for seed in range(4000)
        ]
    )
    assert set(counts.sum(axis=1)) == {6, 7}
    assert [sorted(set(counts[:, h])) for h in range(4)] == [[2, 3], [1, 2], [2, 3], [0, 1]]
    assert np.abs(counts.mean(axis=0) - [2.5, 1.5, 2.3, 0.2]).max() < 4 * 0.5 / math.sqrt(4000)


def test_the_order_of_the_work_mixes_the_strata_and_prefers_none() -> None:
    strata = [0] * 10 + [1] * 10
    places = np.zeros(20)
    for seed in range(2000):
        for place, unit in enumerate(taken(strata, [True] * 20, [1.0, 1.0], seed)):
            places[unit] += place
    # The mean place of each unit is 9.5; its standard deviation over 2000 draws is 5.77 / sqrt(2000).
    assert np.abs(places / 2000 - 9.5).max() < 4.5 * 5.77 / math.sqrt(2000)


def test_the_same_seed_gives_the_same_units_and_another_others() -> None:
    draws = [tuple(taken([0] * 50, [True] * 50, [0.2], seed)) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    assert draws[0] == (42, 1, 15, 30, 38, 47, 8, 17, 35, 27)


def test_three_draws_by_three_ways_of_grouping_give_each_unit_the_chance_that_is_told() -> None:
    """Often enough to see a chance that is wrong by two in a hundred."""
    strata = [
        np.array([n % 3 for n in range(30)]),
        np.array([0 if n < 4 else 1 if n < 17 else 2 for n in range(30)]),
        np.zeros(30, dtype=np.int64),
    ]
    often = np.zeros(30)
    again = 10_000
    steps, untaken = [], np.ones(30)
    for codes, size in zip(strata, (9, 8, 5), strict=True):
        room = expected_left(untaken, codes, 3).tolist()
        fraction = fractions(allocate(size, room, "equal", 0.05), room)
        steps.append((codes, fraction))
        untaken = untaken * (1 - fraction[codes])
    for seed in range(again):
        generator, free = np.random.Generator(np.random.PCG64(seed)), np.ones(30, dtype=bool)
        for codes, fraction in steps:
            free[take(codes, free, fraction, generator)] = False
        often += ~free
    chance = 1 - untaken
    assert np.all(np.abs(often / again - chance) < 4 * np.sqrt(chance * (1 - chance) / again))
    assert 4 * np.sqrt(0.25 / again) <= 0.02


# Estimates


def test_equal_chances_give_the_plain_share_and_its_usual_error() -> None:
    values = [1, 0, 0, 1, 1, 0, 1, 1]
    found = weighted([SampledUnit(number, 0.25, value) for number, value in enumerate(values)])
    assert found.share.value == pytest.approx(5 / 8)
    assert found.error == pytest.approx(np.std(values, ddof=1) / math.sqrt(8))
    assert found.total == pytest.approx(20)
    assert found.total_error == pytest.approx(4 * math.sqrt(8) * np.std(values, ddof=1))
    assert found.effective_n == pytest.approx(8)


def test_a_unit_that_stands_for_more_counts_for_more() -> None:
    found = weighted(
        [SampledUnit(1, 1.0, 1), SampledUnit(2, 1.0, 1), SampledUnit(3, 0.25, 0), SampledUnit(4, 0.5, 1)]
    )
    assert found.share.value == pytest.approx(4 / 8)
    assert found.total == pytest.approx(4)
    assert found.effective_n == pytest.approx(64 / 22)


def test_the_interval_is_that_of_leaving_out_one_conversation_after_the_other() -> None:
    sampled = [
        SampledUnit(number // 3, [0.2, 0.5, 1.0][number % 3], number % 4 == 0 or number % 5 == 1)
        for number in range(30)
    ]

    def hajek(groups: list[list[SampledUnit]]) -> float:
        some = [sampled_unit for group in groups for sampled_unit in group]
        return sum(sampled_unit.value / sampled_unit.chance for sampled_unit in some) / sum(
            1 / sampled_unit.chance for sampled_unit in some
        )

    slow = leave_each_out(
        [
            [sampled_unit for sampled_unit in sampled if sampled_unit.conversation == number]
            for number in range(10)
        ],
        hajek,
    )
    quick = weighted(sampled).share
    assert (quick.value, quick.low, quick.high) == pytest.approx((slow.value, slow.low, slow.high))
    assert quick.n == 30


def test_an_interval_never_leaves_the_possible() -> None:
    found = weighted([SampledUnit(number, 0.5, number == 0) for number in range(4)]).share
    assert (found.low, found.value) == (0.0, 0.25)


@pytest.mark.parametrize(
    ("sampled", "unreachable", "reason"),
    [
        ([], 0, NO_LABELS),
        (
            [SampledUnit(1, 0.5, 1), SampledUnit(2, 0.5, 0)],
            12,
            "12 had no chance to be drawn, so nothing can be said of all",
        ),
        (
            [SampledUnit(1, 0.5, 1), SampledUnit(2, 0.5, 0)],
            1,
            "1 had no chance to be drawn, so nothing can be said of all",
        ),
    ],
)
def test_what_cannot_be_estimated_has_a_reason_and_no_number(
    sampled: list[SampledUnit], unreachable: int, reason: str
) -> None:
    found = weighted(sampled, unreachable)
    assert (found.share.value, found.share.undefined) == (None, reason)
    assert (found.error, found.total, found.total_error, found.effective_n) == (None, None, None, None)


@pytest.mark.parametrize(
    ("sampled", "reason"),
    [
        ([SampledUnit(1, 0.5, 1), SampledUnit(1, 0.5, 0)], ONE_CONVERSATION),
        ([SampledUnit(1, 0.5, 0), SampledUnit(2, 0.25, 0)], SPREADLESS),
    ],
)
def test_a_share_without_spread_has_no_interval(sampled: list[SampledUnit], reason: str) -> None:
    found = weighted(sampled)
    assert found.share.value is not None
    assert (found.share.low, found.share.undefined, found.error, found.total_error) == (
        None,
        reason,
        None,
        None,
    )


@pytest.mark.parametrize(
    "one",
    [
        SampledUnit(1, 0.0, 1),
        SampledUnit(1, None, 1),  # type: ignore[arg-type]
        SampledUnit(1, 1.5, 1),
        SampledUnit(1, math.nan, 1),
        SampledUnit(1, 0.5, 2),
        SampledUnit(1, 0.5, math.nan),
    ],
)
def test_a_chance_or_value_out_of_range_is_refused(one: SampledUnit) -> None:
    with pytest.raises(BadInput):
        weighted([SampledUnit(2, 1.0, 1), one])
