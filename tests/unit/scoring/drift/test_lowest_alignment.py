"""Where care is furthest from its plan."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoring.drift.lowest_alignment import MIN_TURNS_OF_SIDE, ROUNDING_ERROR, lowest_alignment

NAN = math.nan
entries = st.one_of(st.just(NAN), st.integers(-10, 10).map(lambda x: x / 10))


def by_hand(curve: list[float]) -> tuple[int, int]:
    points = [(turn, x) for turn, x in enumerate(curve, start=1) if not math.isnan(x)]
    lowest = min(points, key=lambda point: (point[1], point[0]))[0] if points else 0
    best, step = -1.0, 0
    for at, (turn, _) in enumerate(points):
        before, after = [x for _, x in points[:at]], [x for _, x in points[at:]]
        if (
            min(len(before), len(after)) >= MIN_TURNS_OF_SIDE
            and np.mean(before) - np.mean(after) > ROUNDING_ERROR
        ):
            between = float(len(before) * len(after) / len(points) * (np.mean(before) - np.mean(after)) ** 2)
            if between > best + 1e-12:
                best, step = between, turn
    return lowest, step


@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 9)), elements=entries))
def test_it_is_what_a_pencil_finds(local: np.ndarray) -> None:
    found = lowest_alignment(local)
    for row, curve in enumerate(local):
        lowest, step = by_hand(curve.tolist())
        assert found.turn[row] == lowest
        if step == 0:
            assert found.step[row] == 0 and math.isnan(found.before[row])
        else:  # equals may be split differently by rounding, never worse
            assert found.step[row] > 0 and found.before[row] > found.after[row]


def test_a_step_is_where_the_level_falls_and_no_gap_hides_it() -> None:
    result = lowest_alignment(
        np.array(
            [
                [0.5, 0.6, NAN, 0.5, NAN, 0.1, 0.2, 0.1],
                [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
                [NAN] * 8,
                [0.4] * 8,
            ]
        )
    )
    assert result.turn.tolist() == [6, 1, 0, 1] and result.step.tolist() == [6, 0, 0, 0]
    assert (round(result.before[0], 3), round(result.after[0], 3)) == (0.533, 0.133)
    assert math.isnan(result.value[2])


def test_nothing_is_nowhere() -> None:
    assert lowest_alignment(np.zeros((0, 0))).turn.tolist() == [] and lowest_alignment(
        np.full((2, 0), NAN)
    ).turn.tolist() == [0, 0]
    assert lowest_alignment(np.array([[0.3]])).step.tolist() == [0]
