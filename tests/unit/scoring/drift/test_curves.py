"""Slopes keep the turn number; a gap stays a gap; nothing becomes 0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.drift.curves import average_curve, drift_slope, truth_decay_rate
from scoring.leave_one_out import measure_spread
from tests.unit.scoring.leaving_out import assert_same, leave_each_out

share = st.floats(0, 1)
curve = st.lists(st.none() | share, max_size=20)
full = st.lists(share, min_size=2, max_size=30)


@given(full)
def test_without_gaps_it_is_the_fit_of_numpy(values: list[float]) -> None:
    found = drift_slope(values)
    assert found.value == pytest.approx(np.polyfit(range(1, len(values) + 1), values, 1)[0], abs=1e-9)
    assert found.reference == found.value


@given(
    st.floats(-1, 1),
    st.floats(-1, 1),
    st.lists(st.booleans(), min_size=2, max_size=20).filter(lambda kept: sum(kept) >= 2),
)
def test_a_line_with_gaps_keeps_its_slope_because_turns_keep_their_number(
    start: float, slope: float, kept: list[bool]
) -> None:
    found = drift_slope([start + slope * turn if keep else None for turn, keep in enumerate(kept, start=1)])
    assert found.value == pytest.approx(slope, abs=1e-9)
    assert found.n == sum(kept)


@given(curve)
def test_none_never_becomes_0(values: list[float | None]) -> None:
    known = [value for value in values if value is not None]
    found = drift_slope(values)
    assert (found.value is None) == (len(known) < 2)
    assert bool(found.undefined) == (found.value is None)
    if len(known) < len(values) and len(values) >= 2:
        assert found.reference is None


@given(full)
def test_a_curve_read_backwards_falls_as_it_rose(values: list[float]) -> None:
    there, back = drift_slope(values).value, drift_slope(values[::-1]).value
    assert there is not None and back is not None
    assert there == pytest.approx(-back, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "reference"),
    [([], 0.0), ([0.5], 0.0), ([None], 0.0), ([None, 0.5], None), ([None, None], None)],
)
def test_one_point_has_no_direction_although_the_program_prints_0(
    values: list[float | None], reference: float | None
) -> None:
    found = drift_slope(values)
    assert (found.value, found.reference) == (None, reference)
    assert found.undefined == "a slope needs values in at least two turns"


@pytest.mark.parametrize(
    ("values", "argument"),
    [
        ("0.1", "curve"),
        (None, "curve"),
        ([0.1, "0.2"], "curve[1]"),
        ([math.nan], "curve[0]"),
        ([0.1, True], "curve[1]"),
        ([10**400], "curve[0]"),
    ],
)
def test_a_wrong_kind_is_refused_by_name(values: Any, argument: str) -> None:
    with pytest.raises(BadInput) as raised:
        drift_slope(values)
    assert raised.value.argument == argument


@given(st.lists(curve, max_size=6), st.randoms())
def test_the_order_of_the_cases_makes_no_difference(curves: list[list[float | None]], random: Any) -> None:
    shuffled = list(curves)
    random.shuffle(shuffled)
    assert average_curve(curves) == average_curve(shuffled)


@given(st.lists(curve, max_size=6))
def test_the_mean_lies_between_the_cases_and_counts_them(curves: list[list[float | None]]) -> None:
    found = average_curve(curves)
    assert len(found.values) == len(found.n) == max(map(len, curves), default=0)
    for turn, (value, n) in enumerate(zip(found.values, found.n, strict=True)):
        known = [v for v in (c[turn] for c in curves if turn < len(c)) if v is not None]
        assert n == len(known)
        assert value is None if not known else min(known) - 1e-12 <= float(value or 0) <= max(known) + 1e-12


def test_a_turn_without_any_value_keeps_its_place_and_the_program_drops_it() -> None:
    found = average_curve([[0.5, None, 0.7], [0.1, None, 0.3]])
    assert found.values == pytest.approx((0.3, None, 0.5))
    assert found.n == (2, 0, 2)
    assert found.reference == pytest.approx([0.3, 0.5])


def test_no_case_has_no_curve() -> None:
    assert average_curve([]).values == average_curve([[], []]).values == ()


def test_a_wrong_entry_of_a_curve_is_named_with_its_curve() -> None:
    with pytest.raises(BadInput) as raised:
        average_curve([[0.1], [None, "x"]])  # type: ignore[list-item]
    assert raised.value.argument == "curves[1][1]"
    with pytest.raises(BadInput, match="curves: expected a list of curves, found str"):
        average_curve("curves")  # type: ignore[arg-type]


def test_the_rate_of_decay_is_the_slope_of_the_average_and_not_the_average_slope() -> None:
    curves = [[1.0, 0.8, 0.6], [0.5]]
    found = truth_decay_rate(curves)
    assert found.value == pytest.approx(drift_slope([0.75, 0.8, 0.6]).value)
    assert found.undefined == "without one of the items there is no value"


def test_the_interval_of_the_rate_spans_the_cases() -> None:
    found = truth_decay_rate([[1.0, 0.9, 0.8], [1.0, 0.8, 0.6], [1.0, 0.7, 0.4]])
    assert found.value == pytest.approx(-0.2)
    assert found.low is not None and found.high is not None
    assert found.low < -0.2 < found.high
    assert found.n == 3


@given(
    st.lists(st.tuples(curve, st.integers(0, 4)), max_size=8) | st.lists(st.tuples(full, st.integers(0, 4)))
)
def test_the_rate_is_that_of_curves_averaged_anew_without_each_person(
    cases: list[tuple[list[float | None], int]],
) -> None:
    by_person: dict[int, list[list[float | None]]] = {}
    for values, person in cases:
        by_person.setdefault(person, []).append(values)

    def slope(groups: list[list[list[float | None]]]) -> float | None:
        return drift_slope(average_curve([values for group in groups for values in group]).values).value

    rate = truth_decay_rate([values for values, _ in cases], [person for _, person in cases])
    assert_same(rate, leave_each_out(list(by_person.values()), slope))


def test_one_case_has_a_rate_but_no_interval() -> None:
    found = truth_decay_rate([[1.0, 0.5]])
    assert (found.value, found.low, found.undefined) == (-0.5, None, "an interval needs at least two items")


def test_the_conversations_of_a_person_are_left_out_together() -> None:
    curves = [[1.0, 0.9, 0.8], [1.0, 0.8, 0.6], [1.0, 0.7, 0.4], [1.0, 0.95, 0.9]]
    rate = truth_decay_rate(curves, [7, 7, 3, 5])
    without_one = [
        drift_slope(average_curve(some).values).value
        for some in (curves[2:], curves[:2] + curves[3:], curves[:3])
    ]
    spread = measure_spread(np.array(without_one))
    assert (rate.n, rate.value) == (3, truth_decay_rate(curves).value)
    half = 4.302652729696142 * spread.error  # t with two degrees of freedom
    assert rate.value is not None
    assert (rate.low, rate.high) == pytest.approx((rate.value - half, rate.value + half))
    assert truth_decay_rate(curves, [1, 2, 3, 4]) == truth_decay_rate(curves)
    assert truth_decay_rate(curves, [1, 1, 1, 1]).low is None


def test_the_interval_holds_the_truth_where_persons_have_slopes_of_their_own() -> None:
    """Of 10 persons with 9 conversations each, whose true mean slope is 0.01. Leaving out conversations one
    by one would take the 90 for so many witnesses.
    """
    chance, persons = np.random.default_rng(5), [number // 9 for number in range(90)]

    def holds(by_person: bool) -> bool:
        slopes = 0.01 + 0.05 * chance.standard_normal(10)
        curves = [
            [0.5 + slopes[person] * turn + 0.02 * chance.standard_normal() for turn in range(4)]
            for person in persons
        ]
        rate = truth_decay_rate(curves, persons if by_person else None)
        return rate.low is not None and rate.high is not None and rate.low <= 0.01 <= rate.high

    assert sum(holds(True) for _ in range(200)) >= 180
    assert sum(holds(False) for _ in range(40)) <= 28
