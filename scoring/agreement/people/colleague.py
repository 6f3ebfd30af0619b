"""Is the judge as close to clinicians as they are to each other? Both on the same units, and the difference.

With few disagreements the error of the difference is itself a matter of luck: a judge who in this sample
never stood alone would seem to be surely better. So the interval is made as if there were two more
conversations of one unit, each counted two thirds: in one the judge stands alone, in the other one of the
clinicians does, which is Bonett and Price's (2012) remedy for two paired shares, for any number of raters and
any coefficient. The value itself is that of the labels that were given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic, around
from scoring.agreement.intervals.mean_of_raters import RaterMean, average
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import LabelPairs, SideTables, pair_raters, pair_with_judge
from scoring.agreement.labels.rarity import (
    MIN_CARRYING,
    MIN_RARER,
    rarity_of_tables,
    too_few,
    too_few_carrying,
)
from scoring.arrays import Array, IntArray

# How much an imagined conversation counts: found by simulation, so that a judge at the margin passes in at
# most 5 %.
IMAGINED_WEIGHT = 2 / 3


@dataclass(frozen=True)
class ColleagueComparison:
    """On the units that two people or more and the judge labelled: people with each other, people with the
    judge, and judge less people.
    `carrying`: conversations in which anybody, the judge too, gave a rarer label.
    """

    name: str
    people: Estimate
    judge: Estimate
    difference: Estimate
    carrying: int


@dataclass(frozen=True, eq=False)
class SharedPairs:
    """On the same units: every two `people`, and every one of them beside the judge. `raters`: how many
    people labelled a unit, on average.
    """

    people: LabelPairs
    judge: LabelPairs
    raters: float


def shared_pairs(labels: Labels, judge: Labels) -> SharedPairs:
    """Return the pairs among people, and of people with the judge, on units that both two people and the
    judge labelled.
    """
    judged = np.isin(labels.unit, judge.unit)
    names, place, count = np.unique(labels.unit[judged], return_inverse=True, return_counts=True)
    chosen = np.zeros(len(labels), dtype=bool)
    chosen[judged] = count[place] > 1 if len(names) else False
    shared = labels.where(chosen)
    units = int((count > 1).sum())
    return SharedPairs(
        pair_raters(shared), pair_with_judge(shared, judge), len(shared) / units if units else 0.0
    )


def compare_with_colleagues(statistic: Statistic, pairs: SharedPairs) -> ColleagueComparison:
    """Return agreement among people, of people with the judge, and the judge's less the people's.

    `statistic` takes tables (..., k, k). The difference is None where either side has no pairs or no value;
    it has no interval where too few conversations hold a rarer label.
    """
    people, judge = pairs.people.by_side(), pairs.judge.by_side()
    of_people, of_judge = average(statistic, people), average(statistic, judge)
    parts = np.union1d(people.parts, judge.parts)
    times = _times_of(parts, people, judge)
    tables = np.zeros((len(parts), *people.tables.shape[1:]))
    for side in (people, judge):
        np.add.at(tables, np.searchsorted(parts, side.parts)[side.part], side.tables)
    carrying = int(times[rarity_of_tables(tables, times).carrying].sum()) if len(parts) else 0
    totals = np.tensordot(times, tables, axes=1)
    imagined = _add_imagined(judge, people, totals, pairs.raters)
    return ColleagueComparison(
        statistic.name,
        of_people.estimate(),
        of_judge.estimate(),
        _difference(of_judge, of_people, imagined, carrying),
        carrying,
    )


def _difference(
    judge: RaterMean, people: RaterMean, imagined: tuple[SideTables, SideTables] | None, carrying: int
) -> Estimate:
    """Judge less people, over the conversations of both. `imagined`: judge and people with the two imagined
    conversations, None where either has no pairs.
    """
    name, n = f"difference of {judge.statistic.name}", judge.n + people.n
    for side in (judge, people):
        if np.isnan(side.value):
            return undefined_estimate(side.reason, n, name)
    value, parts = judge.value - people.value, np.union1d(judge.parts, people.parts)
    conversations = int(_times_of(parts, judge, people).sum())
    if (reason := _why_no_interval(judge.statistic, people.shared, carrying)) is not None:
        return Estimate(value, n, name, no_interval=reason, conversations=conversations)
    assert imagined is not None  # there are pairs, or a value would be missing
    interval = _interval_with_imagined(judge.statistic, imagined, name, n, people.shared, carrying)
    if interval.low is None or interval.high is None:
        return replace(interval, value=value, conversations=conversations)
    rests_on_imagined = interval.influential_part is not None and interval.influential_part > parts[-1]
    return replace(
        interval,
        value=value,
        low=min(value, interval.low),
        high=max(value, interval.high),
        conversations=conversations,
        influential_part=None if rests_on_imagined else interval.influential_part,
        influence=None if rests_on_imagined else interval.influence,
    )


def _why_no_interval(statistic: Statistic, shared: int, carrying: int) -> str | None:
    """A coefficient takes conversations in which two gave a rarer label; a share is content with those in
    which anybody did.
    """
    if shared >= MIN_RARER:
        return None
    if statistic.kind == "coefficient":
        return too_few(shared)
    return None if carrying >= MIN_CARRYING else too_few_carrying(carrying)


def _interval_with_imagined(
    statistic: Statistic,
    imagined: tuple[SideTables, SideTables],
    name: str,
    n: int,
    shared: int,
    carrying: int,
) -> Estimate:
    """Of judge less people, both with the imagined conversations: around that difference."""
    judge, people = (average(statistic, tables) for tables in imagined)
    parts = np.union1d(judge.parts, people.parts)
    difference = Statistic(name, lambda x: x, lambda _: "", low=-2.0, high=2.0, all_agree=None, kind="amount")
    return around(
        judge.value - people.value,
        _value_without_each(judge, parts) - _value_without_each(people, parts),
        n,
        difference,
        parts,
        times=_times_of(parts, judge, people),
        shared=shared if statistic.kind == "coefficient" else carrying,
    )


def _value_without_each(mean: RaterMean, parts: IntArray) -> Array:
    """(len(parts),): leaving out a part in which nobody of these is leaves the value as it is."""
    without = np.full(len(parts), mean.value)
    without[np.searchsorted(parts, mean.parts)] = mean.without
    return without


def _times_of(parts: IntArray, *sides: RaterMean | SideTables) -> IntArray:
    """How many conversations each of `parts` stands for. Every part of the sides is among them."""
    times = np.ones(len(parts), dtype=np.int64)
    for side in sides:
        times[np.searchsorted(parts, side.parts)] = side.times
    return times


def _add_imagined(
    judge: SideTables, people: SideTables, totals: Array, raters: float
) -> tuple[SideTables, SideTables] | None:
    """Both with the two imagined conversations. `totals` (k, k): all labels of both. `raters`: how many
    people labelled a unit, on average.
    """
    if not len(people.sides) or not len(judge.sides):
        return None
    same_label, apart = _imagined_pairs(totals)
    last = int(max(people.parts[-1], judge.parts[-1]))
    of_pairs, of_raters = 2 / raters, 1 / raters  # the share of pairs that one clinician alone sets apart
    judge_alone = (apart, (1 - of_raters) * same_label + of_raters * apart)
    clinician_alone = (same_label, (1 - of_pairs) * same_label + of_pairs * apart)
    judge_weight = IMAGINED_WEIGHT * raters / len(judge.sides)
    people_weight = IMAGINED_WEIGHT * raters * (raters - 1) / 2 / len(people.sides)
    return (
        _add_two_parts(judge, last, judge_alone, judge_weight),
        _add_two_parts(people, last, clinician_alone, people_weight),
    )


def _imagined_pairs(totals: Array) -> tuple[Array, Array]:
    """(k, k) each, of one pair: with the same label, and with two. Labels: the commonest and the second
    commonest of all, either way round.
    """
    order = np.argsort(-(totals.sum(axis=0) + totals.sum(axis=1)), kind="stable")[:2]
    same_label, apart = np.zeros(totals.shape), np.zeros(totals.shape)
    for label, other in (order, order[::-1]):
        same_label[label, label] += 0.5
        apart[label, other] += 0.5
    return same_label, apart


def _add_two_parts(sides: SideTables, last: int, imagined: tuple[Array, Array], size: float) -> SideTables:
    """Add two parts, `last` + 1 and `last` + 2; every side has `size` pairs in each."""
    count, part_count = len(sides.sides), len(sides.parts)
    all_sides = np.arange(count)
    return SideTables(
        sides.sides,
        sides.pairs + 2 * size,
        np.concatenate([sides.side, all_sides, all_sides]),
        np.concatenate([sides.parts, [last + 1, last + 2]]),
        np.concatenate([sides.part, np.full(count, part_count), np.full(count, part_count + 1)]),
        np.concatenate(
            [sides.tables, *(np.broadcast_to(size * table, (count, *table.shape)) for table in imagined)]
        ),
        np.concatenate([sides.pairs_here, np.full(2 * count, size)]),
        np.concatenate([sides.times, [1, 1]]),
        sides.units + 2,
    )
