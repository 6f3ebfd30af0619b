"""The threshold at which clinicians call two steps the same, against planted truth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scoring.step_pair_ratings import (
    ALL_RIGHT,
    ALL_WRONG,
    CANDIDATES,
    INVERTED,
    NONE_WITHIN,
    NOT_SHOWN,
    RatedPair,
    estimate_threshold,
)
from tests.studies.simulated_step_pairs import (
    Chance,
    PairCell,
    cells,
    count_named,
    draw_pairs,
    rising,
    step_at,
)


def drawn(cell: PairCell, seed: int = 1) -> list[RatedPair]:
    return draw_pairs(cell, np.random.default_rng(seed))


def test_a_clean_step_is_met_and_its_limits_hold_it() -> None:
    estimate = estimate_threshold(drawn(PairCell("", step_at(0.6), 0.6, pairs=300)), "wrong")
    best = estimate.threshold
    assert best.value == pytest.approx(0.6, abs=0.02)
    assert best.low is not None and best.high is not None
    assert best.low <= 0.6 <= best.high and best.high - best.low < 0.06
    assert (estimate.mistakes, estimate.order.value) == (0.0, 1.0)


def test_mistakes_are_counted_on_both_sides_of_the_threshold_in_use() -> None:
    pairs = [
        RatedPair(number, dice, right, 0.0)
        for number, (dice, right) in enumerate([(0.4, 0.0), (0.5, 1.0), (0.6, 1.0), (0.7, 0.0), (0.8, 1.0)])
    ]
    assert estimate_threshold(pairs, "wrong").mistakes_now == 2
    assert estimate_threshold(pairs, "wrong", now=0.5).mistakes_now == 1


def test_a_pair_on_which_raters_differ_counts_in_part() -> None:
    pairs = [RatedPair(0, 0.4, 0.25, 0.0), RatedPair(1, 0.8, 0.75, 0.0)]
    estimate = estimate_threshold(pairs, "wrong")
    assert (estimate.mistakes_now, estimate.share_right) == (0.5, 0.5)


def test_partly_counts_as_it_is_told_to() -> None:
    """What is called right in part lies between 0.45 and 0.7, so that the two thresholds are these."""
    pairs = []
    for number, percent in enumerate(range(30, 100)):
        dice = percent / 100
        pairs.append(RatedPair(number % 10, dice, float(dice >= 0.7), float(0.45 <= dice < 0.7)))
    as_wrong, as_right = estimate_threshold(pairs, "wrong"), estimate_threshold(pairs, "right")
    assert as_wrong.threshold.value == pytest.approx(0.7)
    assert as_right.threshold.value == pytest.approx(0.45)
    assert as_wrong.share_right == pytest.approx(30 / 70) and as_right.share_right == pytest.approx(55 / 70)


@pytest.mark.parametrize(
    ("chance", "reason"),
    [
        (lambda *_: 0.5, NOT_SHOWN),
        (lambda *_: 1.0, ALL_RIGHT),
        (lambda *_: 0.0, ALL_WRONG),
        (lambda dice, _: float(dice < 0.6), INVERTED),
        (lambda dice, _: 0.9 if dice < 0.6 else 0.1, INVERTED),
    ],
    ids=["no relation", "always right", "never right", "inverted", "inverted, with noise"],
)
def test_no_threshold_is_named_where_the_score_does_not_tell(chance: Chance, reason: str) -> None:
    estimate = estimate_threshold(drawn(PairCell("", chance, None)), "wrong")
    assert (estimate.threshold.value, estimate.threshold.undefined, estimate.mistakes) == (None, reason, None)


def test_one_conversation_alone_names_no_threshold() -> None:
    pairs = [RatedPair(0, (30 + number) / 100, float(number >= 30), 0.0) for number in range(60)]
    estimate = estimate_threshold(pairs, "wrong")
    assert estimate.threshold.value is None
    assert "one conversation" in (estimate.threshold.undefined or "")


def test_a_score_that_is_right_everywhere_but_once_names_the_lowest() -> None:
    pairs = [RatedPair(number % 4, (31 + number) / 100, float(number > 3), 0.0) for number in range(60)]
    best = estimate_threshold(pairs, "wrong").threshold
    assert best.value == pytest.approx(0.35) and best.low == CANDIDATES[0]


def test_nothing_is_ranked_where_each_conversation_has_one_kind_of_answer() -> None:
    pairs = [RatedPair(number // 6, (31 + number) / 100, float(number > 29), 0.0) for number in range(60)]
    assert estimate_threshold(pairs, "wrong").threshold.undefined == NONE_WITHIN


def test_the_rank_correlation_is_that_of_all_pairs_within_conversations() -> None:
    generator = np.random.default_rng(3)
    pairs = [
        RatedPair(part, int(generator.integers(30, 40)) / 100, float(generator.integers(0, 2)), 0.0)
        for part in range(8)
        for _ in range(9)
    ]
    signs = [
        np.sign(first.dice - second.dice)
        for first, second in itertools.product(pairs, pairs)
        if first.part == second.part and first.right > second.right
    ]
    assert estimate_threshold(pairs, "wrong").order.value == pytest.approx(np.mean(signs))


@pytest.mark.slow
def test_the_limits_hold_the_planted_threshold_and_noise_names_none() -> None:
    """A part of `python -m bench thresholds`."""
    studies = 60
    for cell in cells():
        if cell.pairs > 120:
            continue
        counts = count_named(cell, studies)
        if cell.threshold is None:
            assert counts.named <= 0.1, cell.title
        else:
            assert counts.held is not None and counts.held >= 0.93, cell.title


def test_a_steeper_relation_has_narrower_limits() -> None:
    steep, slow = (
        count_named(PairCell("", rising(slope, 0.6), 0.6, pairs=120), 15).width for slope in (40, 5)
    )
    assert steep is not None and slow is not None and steep < slow
