"""Which pairs of steps are asked about: over the whole range of the score, the same ones each time, in an
order that tells nothing.
"""

from __future__ import annotations

import numpy as np

from scoring.rank_correlation import rank_correlation
from scoring.step_f1 import best_partners
from scoring.step_pair_choice import LOWEST, MAX_PAIRS, choose_pairs

WORDS = [f"word{number}" for number in range(10)]
GOLD = [" ".join(f"{word}x{number}" for word in WORDS) for number in range(30)]


def step(number: int, shared: int) -> str:
    """A step that has so many of ten words of gold step `number`."""
    gold = GOLD[number].split()
    return " ".join([*gold[:shared], *(f"own{number}x{place}" for place in range(10 - shared))])


MODEL = [step(number, 1 + number % 10) for number in range(30)]


def test_they_lie_over_the_whole_range_also_below_the_threshold_in_use() -> None:
    pairs = choose_pairs(MODEL, GOLD, "a")
    assert len(pairs) == MAX_PAIRS
    dice = [pair.dice for pair in pairs]
    assert {min(6, int((value - LOWEST) * 10 + 1e-9)) for value in dice} == set(range(7))
    assert sum(value < 0.6 for value in dice) >= 3


def test_what_is_below_the_lowest_is_never_asked_about() -> None:
    assert choose_pairs([step(0, 2)], [GOLD[0]], "a") == []
    assert [pair.dice for pair in choose_pairs([step(0, 3)], [GOLD[0]], "a")] == [LOWEST]
    assert choose_pairs([], GOLD, "a") == choose_pairs(MODEL, [], "a") == []


def test_where_there_are_few_all_are_asked_about() -> None:
    pairs = choose_pairs(MODEL[2:9], GOLD, "a")
    assert {(pair.model, pair.gold) for pair in pairs} == {
        (pair.model, pair.gold) for pair in best_partners(MODEL[2:9], GOLD, LOWEST)
    }


def test_they_are_the_same_each_time_and_others_for_another_conversation() -> None:
    assert choose_pairs(MODEL, GOLD, "a") == choose_pairs(MODEL, GOLD, "a")
    assert choose_pairs(MODEL, GOLD, "a") != choose_pairs(MODEL, GOLD, "b")


def test_the_order_tells_nothing_of_the_score() -> None:
    """Over 400 conversations the mean rank correlation of place and score lies where chance leaves it."""
    correlations = []
    for number in range(400):
        pairs = choose_pairs(MODEL, GOLD, str(number))
        rho = rank_correlation(list(range(len(pairs))), [pair.dice for pair in pairs]).value
        assert rho is not None
        correlations.append(rho)
    assert abs(np.mean(correlations)) < 3 * np.std(correlations) / np.sqrt(len(correlations))
