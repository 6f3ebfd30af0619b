"""Agreement of two raters and a judge on a million ratings, from arrays of labels: five coefficients with
intervals on each of 12 criteria.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bench.scale import sized
from bench.table import Line, median, ms, show
from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.coefficients.spread import of_pairs
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import pair_with_judge
from scoring.arrays import Array, IntArray

CONVERSATIONS, CRITERIA, RATERS = sized(41_667, 60), 12, 2
DOMAIN = ("0", "1", "2")
SCALE = (0.0, 1.0, 2.0)
ROUNDS = sized(7, 1)


@dataclass(frozen=True, eq=False)
class CriterionPairs:
    """`first`, `second`, `part`: the same pairs as plain arrays, which is what the floor begins with."""

    people: Labels
    judge: Labels
    first: IntArray
    second: IntArray
    part: IntArray


def run() -> None:
    criteria = [_criterion(number) for number in range(CRITERIA)]
    times: dict[str, list[float]] = {"ours": [], "floor": [], "pairs": [], "alpha": []}
    sides: Sequence[tuple[str, Callable[[CriterionPairs], object]]] = (
        ("ours", _all),
        ("floor", _floor),
        ("pairs", _beside_judge),
        ("alpha", _alpha),
    )
    for number in range(ROUNDS):
        for name, act in sides if number % 2 else sides[::-1]:  # in turns, so that a busy minute hits all
            began = time.perf_counter()
            for criterion in criteria:
                act(_fresh(criterion))
            times[name].append(time.perf_counter() - began)
    ours, floor = median(times["ours"]), median(times["floor"])
    lines = [
        Line(
            "percent, kappa, quadratic kappa, AC1 and alpha, with intervals (floor: percent, counted "
            "already paired)",
            ms(ours),
            ms(floor),
            ours / floor,
            "1 s",
            ours <= 1,
        ),
        Line("pairing with the judge, and the first four", ms(median(times["pairs"]))),
        Line("alpha of raters and judge", ms(median(times["alpha"]))),
    ]
    show(
        f"agreement: {CONVERSATIONS * CRITERIA * RATERS:,} ratings of {CONVERSATIONS:,} conversations, "
        f"{CRITERIA} criteria, {RATERS} raters and a judge, "
        f"median of {ROUNDS}",
        lines,
    )


def _all(criterion: CriterionPairs) -> list[Estimate]:
    return [*_beside_judge(criterion), _alpha(criterion)]


def _beside_judge(criterion: CriterionPairs) -> list[Estimate]:
    pairs = pair_with_judge(criterion.people, criterion.judge)
    tables, n = pairs.by_part(), len(pairs)
    return [
        *(
            jackknife(statistic, tables, n)
            for statistic in (PERCENT, cohen("none", len(DOMAIN)), cohen("quadratic", len(DOMAIN)))
        ),
        jackknife(gwet("none", SCALE), of_pairs(tables), n),
    ]


def _alpha(criterion: CriterionPairs) -> Estimate:
    people, judge = criterion.people, criterion.judge
    everybody = Labels(
        DOMAIN,
        np.concatenate([people.unit, judge.unit]),
        np.concatenate([people.rater, judge.rater]),
        np.concatenate([people.part, judge.part]),
        np.concatenate([people.code, judge.code]),
    )
    units = everybody.units
    return jackknife(krippendorff("nominal", SCALE), units.by_part(coincidences(units)), len(everybody))


def _floor(criterion: CriterionPairs) -> Estimate:
    k = len(DOMAIN)
    tables: Array = (
        np.bincount(
            (criterion.part * k + criterion.first) * k + criterion.second, minlength=CONVERSATIONS * k * k
        )
        .reshape(-1, k, k)
        .astype(float)
    )
    return jackknife(PERCENT, tables, len(criterion.first))


def _fresh(criterion: CriterionPairs) -> CriterionPairs:
    """Without what the labels have counted before and keep."""
    people, judge = (
        Labels(side.domain, side.unit, side.rater, side.part, side.code)
        for side in (criterion.people, criterion.judge)
    )
    return CriterionPairs(people, judge, criterion.first, criterion.second, criterion.part)


def _criterion(number: int) -> CriterionPairs:
    """Labels in no order, about 70 in 100 of them the label that the conversation deserves; units of a
    criterion are numbered on from the last one's.
    """
    chance = np.random.default_rng(number)
    deserved = chance.choice(3, CONVERSATIONS, p=(0.1, 0.2, 0.7))
    part = np.tile(np.arange(CONVERSATIONS), RATERS)
    rater = np.repeat(np.arange(RATERS), CONVERSATIONS)
    labels, judged = (
        np.where(chance.random(len(at)) < 0.7, deserved[at], chance.choice(3, len(at)))
        for at in (part, np.arange(CONVERSATIONS))
    )
    order, turned = chance.permutation(len(part)), chance.permutation(CONVERSATIONS)
    part, rater, labels = part[order], rater[order], labels[order]
    first_unit = number * CONVERSATIONS
    people = Labels(DOMAIN, first_unit + part, rater, part, labels)
    judge = Labels(DOMAIN, first_unit + turned, np.full(CONVERSATIONS, RATERS), turned, judged[turned])
    return CriterionPairs(people, judge, labels, judged[part], part)
