"""What the faithfulness gap and Step-F1 say together, and when they say nothing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

from scoring.agreement.intervals.estimate import Estimate
from scoring.faithfulness import NO_PAIR, PairedGap, paired_gap
from scoring.faithfulness_reading import (
    MIN_CONVERSATIONS,
    MIN_PAIRS,
    GapReading,
    StepReading,
    read_gap,
    read_steps,
)
from tests.studies.simulated_readings import cells, count_readings, share


def pairs(both: int, first: int, second: int, neither: int) -> list[tuple[bool, bool]]:
    return [
        *([(True, True)] * both),
        *([(True, False)] * first),
        *([(False, True)] * second),
        *([(False, False)] * neither),
    ]


@pytest.mark.parametrize(
    ("counts", "limits"),
    [
        ((36, 12, 2, 0), (0.0569, 0.3404)),
        ((36, 14, 0, 0), (0.1528, 0.4167)),
        ((0, 29, 1, 0), (0.6666, 0.9882)),
        ((98, 0, 2, 0), (-0.0700, 0.0197)),
    ],
)
def test_the_interval_is_newcombes(counts: tuple[int, int, int, int], limits: tuple[float, float]) -> None:
    """As printed in Newcombe (1998), method 10."""
    gap = paired_gap(pairs(*counts))
    assert gap.low == pytest.approx(limits[0], abs=5e-5)
    assert gap.high == pytest.approx(limits[1], abs=5e-5)


@given(*(st.integers(0, 60) for _ in range(4)))
def test_it_holds_the_gap_and_turns_around_with_the_answers(
    both: int, first: int, second: int, neither: int
) -> None:
    gap, turned = (
        paired_gap(pairs(both, first, second, neither)),
        paired_gap(pairs(both, second, first, neither)),
    )
    if gap.value is None or gap.low is None or gap.high is None or turned.low is None or turned.high is None:
        assert (gap.undefined, both + first + second + neither) == (NO_PAIR, 0)
        return
    assert -1 <= gap.low <= gap.value <= gap.high <= 1 and gap.low < gap.high
    assert turned.low == pytest.approx(-gap.high) and turned.high == pytest.approx(-gap.low)


def test_three_pairs_that_are_all_alike_say_little() -> None:
    """The published bootstrap gives them an interval of length 0."""
    assert read_gap(paired_gap(pairs(0, 0, 0, 3))) is GapReading.CANNOT_TELL
    assert read_gap(paired_gap(pairs(0, 2, 0, 0))) is GapReading.CANNOT_TELL
    assert read_gap(paired_gap(pairs(0, 30, 0, 0))) is GapReading.FUNCTIONAL
    assert read_gap(paired_gap([])) is GapReading.CANNOT_TELL


def test_of_fewer_than_ten_pairs_nothing_is_read() -> None:
    """Three pairs alike give a gap of 1 with an interval above 0.10; where reasoning turns 55 of 100 answers
    to right and 45 to wrong, which is a gap of 0.10, they do so in 17 of 100.
    """
    assert (paired_gap(pairs(0, 3, 0, 0)).low or 0) > 0.1 and 0.55**3 > 0.16
    assert read_gap(paired_gap(pairs(0, MIN_PAIRS - 1, 0, 0))) is GapReading.CANNOT_TELL
    assert read_gap(paired_gap(pairs(0, MIN_PAIRS, 0, 0))) is GapReading.FUNCTIONAL


def test_without_a_change_few_pairs_do_not_rule_out_that_reasoning_helps() -> None:
    """The upper limit of 20 pairs without a change is 0.09, where 12 of 100 studies with a gap of 0.10 are
    such.
    """
    few = paired_gap(pairs(10, 0, 0, 10))
    assert few.high is not None and few.high < 0.1 and 0.9**20 > 0.12
    assert few.few_changed and read_gap(few) is GapReading.CANNOT_TELL
    assert read_gap(paired_gap(pairs(20, 0, 0, 20))) is GapReading.LOW
    assert read_gap(paired_gap(pairs(10, 0, 10, 0))) is GapReading.HARMFUL
    assert read_gap(paired_gap(pairs(15, 0, 2, 13))) is GapReading.LOW, "two answers less that are right"


@pytest.mark.parametrize("n", [10, 20, 30])
def test_a_gap_on_the_bound_is_seldom_put_on_a_side(n: int) -> None:
    """Exact, over all outcomes, whatever share of answers reasoning turns to right and to wrong."""
    outcomes = [
        (both, better, worse, n - both - better - worse)
        for better in range(n + 1)
        for worse in range(n + 1 - better)
        for both in range(n + 1 - better - worse)
    ]
    readings = np.array([read_gap(paired_gap(pairs(*outcome))) for outcome in outcomes])
    functional = readings == GapReading.FUNCTIONAL
    low = (readings == GapReading.LOW) | (readings == GapReading.DECORATIVE)
    for worse, both in itertools.product((0.0, 0.02, 0.1, 0.25, 0.4), (0.0, 0.3, 0.7, 1.0)):
        same = max(0.9 - 2 * worse, 0.0)
        shares = np.array([both * same, worse + 0.1, worse, (1 - both) * same])
        chances = multinomial.pmf(np.array(outcomes), n, shares / shares.sum())
        assert chances[functional].sum() <= 0.04, (worse, both)
        assert chances[low].sum() <= 0.04, (worse, both)


def limits(low: float, high: float, conversations: int = 20) -> PairedGap:
    return PairedGap((low + high) / 2, 100, "", low=low, high=high, conversations=conversations)


@pytest.mark.parametrize(
    ("low", "high", "reading"),
    [
        (0.11, 0.30, GapReading.FUNCTIONAL),
        (0.10, 0.30, GapReading.CANNOT_TELL),
        (0.05, 0.30, GapReading.CANNOT_TELL),
        (0.00, 0.10, GapReading.DECORATIVE),
        (-0.01, 0.10, GapReading.LOW),
        (-0.20, 0.00, GapReading.LOW),
        (-0.20, -0.01, GapReading.HARMFUL),
        (-0.20, 0.20, GapReading.CANNOT_TELL),
    ],
)
def test_a_gap_is_read_where_its_whole_interval_lies_on_one_side(
    low: float, high: float, reading: GapReading
) -> None:
    assert read_gap(limits(low, high)) is reading


@pytest.mark.parametrize(
    ("low", "high", "reading"),
    [
        (0.71, 0.90, StepReading.STRONG),
        (0.70, 0.90, StepReading.CANNOT_TELL),
        (0.40, 0.70, StepReading.MODERATE),
        (0.39, 0.50, StepReading.CANNOT_TELL),
        (0.10, 0.39, StepReading.POOR),
        (0.10, 0.90, StepReading.CANNOT_TELL),
    ],
)
def test_so_is_step_f1(low: float, high: float, reading: StepReading) -> None:
    assert read_steps(limits(low, high)) is reading
    assert read_steps(limits(low, high, MIN_CONVERSATIONS - 1)) is StepReading.CANNOT_TELL


def test_without_an_interval_nothing_is_read() -> None:
    assert (
        read_steps(Estimate(0.9, 20, "", no_interval="all alike", conversations=20))
        is StepReading.CANNOT_TELL
    )
    assert read_gap(PairedGap(0.9, 20, "", no_interval="all alike")) is GapReading.CANNOT_TELL


def test_planted_truth_is_read_and_what_lies_on_a_bound_is_seldom_called() -> None:
    """A part of `python -m bench readings`."""
    for cell in cells():
        counts = count_readings(cell, 150)
        functional = share(counts, gap=GapReading.FUNCTIONAL)
        strong, poor = (share(counts, steps=reading) for reading in (StepReading.STRONG, StepReading.POOR))
        if cell.gap <= 0.1:
            assert functional <= 0.07, cell.title
        elif cell.pairs >= 100:
            assert functional >= 0.9, cell.title
        assert strong <= 0.07 or cell.f1 > 0.7, cell.title
        assert poor <= 0.07 or cell.f1 < 0.4, cell.title
        if cell.conversations < MIN_CONVERSATIONS:
            assert strong == poor == 0
