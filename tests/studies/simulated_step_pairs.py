"""Pairs of steps that were rated, with a planted relation between their score and the answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.step_pair_choice import LOWEST
from scoring.step_pair_ratings import RatedPair, estimate_threshold

Chance = Callable[[float, float], float]  # of "right", given the score and what a conversation adds


@dataclass(frozen=True)
class PairCell:
    """`threshold`: the planted score from which on a pair is rather right, None where there is none. `pairs`
    in all, `of_each` conversation; `spread` of what conversations add, in logits. `raters` of each pair, who
    `slip` and say the other thing. `partly`: the share of right answers that are "in part". `apart`: every
    second conversation has high scores and the others low ones, and by so much more its pairs are right.
    """

    title: str
    chance: Chance
    threshold: float | None
    pairs: int = 60
    of_each: int = 6
    spread: float = 0.0
    raters: int = 1
    slip: float = 0.0
    partly: float = 0.0
    apart: float = 0.0


@dataclass(frozen=True)
class ThresholdCounts:
    """Shares of the studies: a threshold was `named`; of these, its limits `held` the planted one; and their
    mean `width`.
    """

    named: float
    held: float | None
    width: float | None


def even(dice: float, shift: float) -> float:
    return 0.5


def step_at(threshold: float, low: float = 0.0) -> Chance:
    return lambda dice, _: 1 - low if dice >= threshold else low


def rising(slope: float, threshold: float) -> Chance:
    return lambda dice, shift: 1 / (1 + math.exp(-(slope * (dice - threshold) + shift)))


def cells() -> list[PairCell]:
    listed = []
    for pairs, of_each, spread in ((60, 6, 0.0), (60, 2, 0.0), (120, 6, 1.0), (300, 6, 0.0)):
        size = {"pairs": pairs, "of_each": of_each}
        listed += [
            PairCell("right from 0.6 on, wrong below", step_at(0.6), 0.6, **size),
            PairCell("right in 85 of 100 from 0.6 on, in 15 below", step_at(0.6, 0.15), 0.6, **size),
            PairCell("rises steeply at 0.6", rising(20, 0.6), 0.6, spread=spread, **size),
            PairCell("rises at 0.6", rising(10, 0.6), 0.6, spread=spread, **size),
            PairCell("rises at 0.75", rising(10, 0.75), 0.75, spread=spread, **size),
            PairCell("rises slowly at 0.6", rising(5, 0.6), 0.6, spread=spread, **size),
            PairCell("no relation, half are right", even, None, **size),
            PairCell("no relation, 80 of 100 are right", lambda *_: 0.8, None, **size),
            PairCell("right below 0.6, wrong from there on", lambda dice, _: float(dice < 0.6), None, **size),
            PairCell("always right", lambda *_: 1.0, None, **size),
            PairCell("right where a talk scores high, nothing within", even, None, apart=0.6, **size),
        ]
    listed.append(
        PairCell("rises at 0.6, two raters who slip in 1 of 10", rising(20, 0.6), 0.6, raters=2, slip=0.1)
    )
    listed.append(
        PairCell("rises at 0.6, three raters who slip in 1 of 10", rising(20, 0.6), 0.6, raters=3, slip=0.1)
    )
    return listed


def draw_pairs(cell: PairCell, generator: np.random.Generator) -> list[RatedPair]:
    pairs = []
    for part in range(cell.pairs // cell.of_each):
        shift = float(generator.normal()) * cell.spread
        for _ in range(cell.of_each):
            dice = _dice(generator)
            if cell.apart:
                dice = (LOWEST + 1) / 2 + (dice - LOWEST) / 2 if part % 2 else (LOWEST + dice) / 2
                right = generator.random() < 0.5 + (0.5 if part % 2 else -0.5) * cell.apart
            else:
                right = generator.random() < cell.chance(dice, shift)
            answers = [right != (generator.random() < cell.slip) for _ in range(cell.raters)]
            partly = [answer and generator.random() < cell.partly for answer in answers]
            pairs.append(
                RatedPair(part, dice, (sum(answers) - sum(partly)) / cell.raters, sum(partly) / cell.raters)
            )
    return pairs


def _dice(generator: np.random.Generator) -> float:
    """Of two steps of 6 to 17 words, at least LOWEST."""
    while True:
        model, gold = generator.integers(6, 18, 2)
        dice = 2 * int(generator.integers(0, min(model, gold) + 1)) / int(model + gold)
        if dice >= LOWEST:
            return dice


def count_named(cell: PairCell, studies: int, seed: int = 7) -> ThresholdCounts:
    generator = np.random.default_rng(seed)
    estimates = [estimate_threshold(draw_pairs(cell, generator), "wrong").threshold for _ in range(studies)]
    limits = [
        (estimate.low, estimate.high)
        for estimate in estimates
        if estimate.low is not None and estimate.high is not None
    ]
    if not limits:
        return ThresholdCounts(0.0, None, None)
    truth = cell.threshold
    return ThresholdCounts(
        len(limits) / studies,
        # Candidates lie 0.01 apart, and scores between them.
        None if truth is None else sum(a - 0.0051 <= truth <= b + 0.0051 for a, b in limits) / len(limits),
        sum(high - low for low, high in limits) / len(limits),
    )
