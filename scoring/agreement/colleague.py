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

from scoring.agreement.estimate import Estimate, undefined_estimate
from scoring.agreement.jackknife import Statistic, around
from scoring.agreement.labels import Array, Labels, Whole
from scoring.agreement.mean_of_raters import RaterMean, average
from scoring.agreement.pairs import LabelPairs, SideTables, pair_raters, pair_with_judge
from scoring.agreement.rarity import FEWEST, FEWEST_CARRYING, rarity_of_tables, too_few, too_few_carrying

IMAGINED = (
    2 / 3
    # how much an imagined conversation counts: found by simulation, so that a judge at the margin passes in
    # at most 5 %
)


@dataclass(frozen=True)
class Ceiling:
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
    """Of the units that two people or more and the judge labelled."""
    judged = np.isin(labels.unit, judge.unit)
    names, place, count = np.unique(labels.unit[judged], return_inverse=True, return_counts=True)
    chosen = np.zeros(len(labels), dtype=bool)
    chosen[judged] = count[place] > 1 if len(names) else False
    shared = labels.where(chosen)
    units = int((count > 1).sum())
    return SharedPairs(
        pair_raters(shared), pair_with_judge(shared, judge), len(shared) / units if units else 0.0
    )


def compare_with_colleagues(statistic: Statistic, pairs: SharedPairs) -> Ceiling:
    """`statistic`: of tables (..., k, k)."""
    people, judge = pairs.people.by_side(), pairs.judge.by_side()
    of_people, of_judge = average(statistic, people), average(statistic, judge)
    parts = np.union1d(people.parts, judge.parts)
    times, tables = np.ones(len(parts), dtype=np.int64), np.zeros((len(parts), *people.tables.shape[1:]))
    for side in (people, judge):
        at = np.searchsorted(parts, side.parts)
        times[at] = side.times
        np.add.at(tables, at[side.part], side.tables)
    carrying = int(times[rarity_of_tables(tables, times).carrying].sum()) if len(parts) else 0
    return Ceiling(
        statistic.name,
        of_people.estimate(),
        of_judge.estimate(),
        _difference(of_judge, of_people, _imagine(judge, people, tables, times, pairs.raters), carrying),
        carrying,
    )


def _difference(
    judge: RaterMean, people: RaterMean, imagined: tuple[SideTables, SideTables] | None, carrying: int
) -> Estimate:
    """Judge less people, over the conversations of both."""
    statistic, n = judge.statistic, judge.n + people.n
    name = f"difference of {statistic.name}"
    for side in (judge, people):
        if np.isnan(side.value):
            return undefined_estimate(side.reason, n, name)
    value, parts = judge.value - people.value, np.union1d(judge.parts, people.parts)
    conversations = _conversations(parts, judge, people)
    coefficient = statistic.kind == "coefficient"
    if coefficient and people.shared < FEWEST:
        return Estimate(value, n, name, no_interval=too_few(people.shared), conversations=conversations)
    if not coefficient and people.shared < FEWEST and carrying < FEWEST_CARRYING:
        return Estimate(value, n, name, no_interval=too_few_carrying(carrying), conversations=conversations)
    assert imagined is not None  # there are pairs, or a value would be missing
    first, second = (average(statistic, side) for side in imagined)
    lefts, times, every = [], np.ones(len(parts) + 2, dtype=np.int64), np.union1d(first.parts, second.parts)
    for side in (first, second):
        left, at = np.full(len(every), side.value), np.searchsorted(every, side.parts)
        left[at], times[at] = side.without, side.times
        lefts.append(left)
    amount = Statistic(name, lambda x: x, lambda _: "", low=-2.0, high=2.0, all_agree=None, kind="amount")
    around_both = around(
        first.value - second.value,
        lefts[0] - lefts[1],
        n,
        amount,
        every,
        times=times,
        shared=people.shared if coefficient else carrying,
    )
    if around_both.low is None or around_both.high is None:
        return replace(around_both, value=value, conversations=conversations)
    invented = around_both.hinge is not None and around_both.hinge > parts[-1]
    return replace(
        around_both,
        value=value,
        low=min(value, around_both.low),
        high=max(value, around_both.high),
        conversations=conversations,
        hinge=None if invented else around_both.hinge,
        hinge_share=None if invented else around_both.hinge_share,
    )


def _conversations(parts: Whole, *sides: RaterMean) -> int:
    times = np.ones(len(parts), dtype=np.int64)
    for side in sides:
        times[np.searchsorted(parts, side.parts)] = side.times
    return int(times.sum())


def _imagine(
    judge: SideTables, people: SideTables, tables: Array, times: Whole, raters: float
) -> tuple[SideTables, SideTables] | None:
    """The same with the two imagined conversations. Labels: the commonest and the second commonest of all,
    either way round.
    """
    if not len(people.sides) or not len(judge.sides):
        return None
    totals = np.tensordot(times, tables, axes=1)
    order = np.argsort(-(totals.sum(axis=0) + totals.sum(axis=1)), kind="stable")[:2]
    same_label, apart = np.zeros(totals.shape), np.zeros(totals.shape)
    for label, other in (order, order[::-1]):
        same_label[label, label] += 0.5
        apart[label, other] += 0.5
    last = int(max(people.parts[-1], judge.parts[-1]))
    of_pairs, of_raters = 2 / raters, 1 / raters  # the share of pairs that one clinician alone sets apart
    return (
        _with(
            judge,
            last,
            (apart, (1 - of_raters) * same_label + of_raters * apart),
            IMAGINED * raters / len(judge.sides),
        ),
        _with(
            people,
            last,
            (same_label, (1 - of_pairs) * same_label + of_pairs * apart),
            IMAGINED * raters * (raters - 1) / 2 / len(people.sides),
        ),
    )


def _with(sides: SideTables, last: int, imagined: tuple[Array, Array], size: float) -> SideTables:
    """Two parts more, `last` + 1 and `last` + 2, in each of which every side has `size` pairs."""
    count, many = len(sides.sides), len(sides.parts)
    every = np.arange(count)
    return SideTables(
        sides.sides,
        sides.pairs + 2 * size,
        np.concatenate([sides.side, every, every]),
        np.concatenate([sides.parts, [last + 1, last + 2]]),
        np.concatenate([sides.part, np.full(count, many), np.full(count, many + 1)]),
        np.concatenate(
            [sides.tables, *(np.broadcast_to(size * table, (count, *table.shape)) for table in imagined)]
        ),
        np.concatenate([sides.pairs_here, np.full(2 * count, size)]),
        np.concatenate([sides.times, [1, 1]]),
        sides.units + 2,
    )
