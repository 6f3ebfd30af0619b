"""Judge and clinicians on replies of two sides, of the judge's own family of models and of others: how far
apart they are on each, with intervals that leave out one conversation or person at a time (jackknife) and
t with the degrees of freedom of the smaller side. What follows of it: self_preference.py.

Sides are compared within each clinician and criterion. Where a strict clinician labels one family and a
lenient colleague the other, the judge is further from clinicians on one side whatever it prefers, so labels
of somebody who labelled one side alone say nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals import symmetric
from scoring.agreement.jackknife import TOLERANCE, Statistic, around
from scoring.agreement.label_data import LabelData, Question
from scoring.agreement.labels import numbered
from scoring.arrays import Array, IntArray, Mask

FEWEST = 10  # conversations or persons of each side; below, nothing is said
CELLS_AT_ONCE = 4_000_000  # of tables without one part each
NOT_BOTH = "no clinician labelled replies of its own family and of others"
OTHER, OWN, UNKNOWN = 0, 1, -1  # what is known of who wrote a unit's replies
PAIRS, JUDGE = (
    0,
    1,
)  # the last axis of sums: what pairs weigh, and the same times what the judge's label counts


@dataclass(frozen=True)
class SideCounts:
    """`parts`: conversations, or persons where one has several; `pairs`: of a clinician's label and the
    judge's. `gap`: judge less clinicians, the mean over clinicians and criteria that both sides have; None
    without one.
    """

    parts: int
    pairs: int
    gap: float | None


@dataclass(frozen=True)
class FamilyDifference:
    """`own`, `others`: both sides. `difference`: of differences, above 0 where the judge prefers its own;
    `alike`: the same among replies that clinicians gave one label; `clinicians`: how much higher they label
    replies of its own family; `follows`: the slope of the judge's labels on those of clinicians, within
    clinician, criterion and side.
    """

    own: SideCounts
    others: SideCounts
    difference: Estimate
    alike: Estimate
    clinicians: Estimate
    follows: Estimate


def scale_values(question: Question) -> Array:
    """What the codes of a table count: an ordinal scale's levels, or failing and not."""
    return np.array(question.scale if question.ordinal else (0.0, 1.0))


def _codes(question: Question, code: IntArray) -> IntArray:
    """A nominal label fails (0) or does not (1); "does not apply" is -1, unless that is invalid and fails."""
    if not question.ordinal:
        codes = np.array(
            [
                0 if number in question.failing else -1 if level == question.not_applicable else 1
                for number, level in enumerate(question.domain)
            ]
        )
    else:
        codes = np.array(
            [
                -1 if level == question.not_applicable else number
                for number, level in enumerate(question.domain)
            ]
        )
    return np.asarray(codes[code], dtype=np.int64)


@dataclass(frozen=True)
class FamilyTables:
    """Labels of clinicians who labelled both sides, by stratum: a clinician and a question. `weight` (N,) of
    each pair: a unit counts its weight however many clinicians labelled it. `cell` (N,): its place in a table
    (S, k, 2) of stratum, clinician's label and side; `judge` (N,): the judge's label, from 0. `part` (N,):
    whose each is, from 0. `question` (S,): the place of each stratum's question. `one_sided`: whether
    anybody's labels are left out because they are of one side alone.
    """

    part: IntArray
    cell: IntArray
    judge: IntArray
    weight: Array
    question: IntArray
    levels: int
    one_sided: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return len(self.question), self.levels, 2

    @property
    def side(self) -> IntArray:
        return self.cell % 2

    def of_question(self, place: int) -> FamilyTables:
        size = 2 * self.levels
        chosen = self.question[self.cell // size] == place
        strata, stratum = numbered(self.cell[chosen] // size)
        return FamilyTables(
            numbered(self.part[chosen])[1],
            stratum * size + self.cell[chosen] % size,
            self.judge[chosen],
            self.weight[chosen],
            self.question[strata],
            self.levels,
            self.one_sided,
        )

    def total(self, values: Array) -> Array:
        """Sums (S, k, 2, 2), the last axis PAIRS and JUDGE. `values` (k,): what the labels count."""
        return np.asarray(self._summed(values, np.arange(len(self.cell)), self.cell, 1)[0])

    def without_each(self, values: Array, of: Callable[[Array], Array]) -> Array:
        """What a function of the sums, (..., S, k, 2, 2) to (..., F), is without one part after the other:
        (P, F). A table has as many cells as clinicians and questions have labels, so that they are made for
        some parts at a time.
        """
        total, size = self.total(values), int(np.prod(self.shape))
        parts, order = int(self.part.max(initial=-1)) + 1, np.argsort(self.part, kind="stable")
        part, at_once = self.part[order], max(1, CELLS_AT_ONCE // max(size, 1))
        results = []
        for first in range(0, parts, at_once):
            last = min(first + at_once, parts)
            here = order[np.searchsorted(part, first) : np.searchsorted(part, last)]
            cells = (self.part[here] - first) * size + self.cell[here]
            results.append(of(total - self._summed(values, here, cells, last - first)))
        return np.concatenate(results)

    def _summed(self, values: Array, rows: IntArray, cells: IntArray, tables: int) -> Array:
        """The sums of some rows in so many tables of the same shape, one behind the other."""
        weight, shape = self.weight[rows], (tables, *self.shape)
        return np.stack(
            [
                np.bincount(cells, amounts, int(np.prod(shape))).reshape(shape)
                for amounts in (weight, weight * values[self.judge[rows]])
            ],
            axis=-1,
        )


def family_tables(data: LabelData, questions: Sequence[int], side: IntArray) -> FamilyTables:
    """Of questions on one scale. `side` (U,): OWN, OTHER or UNKNOWN of each of the data's units."""
    columns: list[tuple[IntArray, ...]] = []
    weights: list[Array] = []
    one_sided = False
    for place, number in enumerate(questions):
        pairs, question = data.pairs(number), data.questions[number]
        people, judge = _codes(question, pairs.first), _codes(question, pairs.second)
        of_side = side[data.units.at(pairs.unit)]
        valid = (people >= 0) & (judge >= 0) & (of_side != UNKNOWN)
        keep = valid & _on_both_sides(pairs.side, of_side, valid)
        one_sided |= bool((valid & ~keep).any())
        _, unit = numbered(pairs.unit[keep])
        raters = np.bincount(unit)
        weight = np.ones(len(unit)) if pairs.weight is None else pairs.weight[keep]
        weights.append(weight / raters[unit])
        columns.append(
            (
                pairs.part[keep],
                np.full(len(unit), place, dtype=np.int64),
                pairs.side[keep],
                people[keep],
                judge[keep],
                of_side[keep],
            )
        )
    part, place_of, rater, *labels = (np.concatenate(column) for column in zip(*columns, strict=True))
    _, rater_number = numbered(rater)
    strata, stratum = numbered(rater_number * len(questions) + place_of)
    k = len(scale_values(data.questions[questions[0]]))
    people, judge, of_side = labels
    return FamilyTables(
        numbered(part)[1],
        (stratum * k + people) * 2 + of_side,
        judge,
        np.concatenate(weights),
        strata % len(questions),
        k,
        one_sided,
    )


def _on_both_sides(rater: IntArray, side: IntArray, valid: Mask) -> Mask:
    """Labels of those whose valid labels are of both sides."""
    both = set(rater[valid & (side == OWN)].tolist()) & set(rater[valid & (side == OTHER)].tolist())
    return np.isin(rater, np.array(sorted(both), dtype=np.int64))


def family_difference(tables: FamilyTables, values: Array) -> FamilyDifference:
    """`values` (k,): what the labels of the scale count."""
    total = tables.total(values)
    own, others = _sides(tables, total, values)
    fewest, n = min(own.parts, others.parts), own.pairs + others.pairs
    statistics = [_statistic(name, of, values) for name, of in AMOUNTS.items()]
    if fewest < FEWEST:
        reason = _too_few(own, others, tables.one_sided)
        return FamilyDifference(
            own, others, *(undefined_estimate(reason, n, statistic.name) for statistic in statistics)
        )

    def measure(sums: Array) -> Array:
        return np.stack([statistic.of(sums) for statistic in statistics], axis=-1)

    estimates = [
        undefined_estimate("clinicians gave the same label to all", n, statistic.name)
        if np.isnan(value)
        else _with_t(around(value, without, n, statistic), fewest - 1)
        for statistic, value, without in zip(
            statistics, measure(total).tolist(), tables.without_each(values, measure).T, strict=True
        )
    ]
    return FamilyDifference(own, others, *estimates)


def _statistic(name: str, of: Callable[[Array, Array], Array], values: Array) -> Statistic:
    return Statistic(
        name,
        lambda sums: of(sums, values),
        lambda _: "",
        low=-np.inf,
        high=np.inf,
        all_agree=None,
        kind="amount",
    )


def _too_few(own: SideCounts, others: SideCounts, one_sided: bool) -> str:
    fewest = min(own.parts, others.parts)
    if not fewest and one_sided:
        return NOT_BOTH
    smaller_side = "its own family" if own.parts <= others.parts else "other families"
    by_whom = "both, of clinicians who labelled replies of both sides" if one_sided else "both"
    return (
        f"only {fewest} of at least {FEWEST} conversations or persons have replies of {smaller_side} with "
        f"labels of {by_whom}"
    )


def _sides(tables: FamilyTables, total: Array, values: Array) -> tuple[SideCounts, SideCounts]:
    """Its own family and others; each stratum counts as much on both."""
    weight = _pairs(total)
    matched, apart = _matched_weight(weight), _judge(total) - _people(total, values)

    def side(number: int) -> SideCounts:
        both = matched > 0
        gap = (
            (matched[both] * apart[both, number] / weight[both, number]).sum() / matched.sum()
            if both.any()
            else None
        )
        here = tables.side == number
        parts = len(np.unique(tables.part[here]))
        return SideCounts(parts, int(here.sum()), None if gap is None else float(gap))

    return side(OWN), side(OTHER)


def _with_t(estimate: Estimate, df: int) -> Estimate:
    if estimate.value is None or estimate.error is None:
        return estimate
    low, high = symmetric(estimate.value, estimate.error, df)
    return replace(estimate, low=low, high=high, method=f"{estimate.method}, jackknife with t, {df} df")


def _matched_weight(weights: Array) -> Array:
    """What strata count in a difference of two groups, (..., K, 2) to (..., K): n m / (n + m), with which it
    is told most precisely; 0 for a stratum that has one group alone.
    """
    total = weights.sum(axis=-1)
    return np.asarray(weights.prod(axis=-1) / np.where(total > 0, total, 1.0))


def _matched(sums: Array, weights: Array) -> Array:
    """The mean difference, own less others, over strata that have both: (..., K, 2) to (...)."""
    strata = _matched_weight(weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums / weights
        difference = np.where(strata > 0, means[..., OWN] - means[..., OTHER], 0.0)
        return np.asarray((strata * difference).sum(axis=-1) / strata.sum(axis=-1))


def _pairs(sums: Array) -> Array:
    """What pairs weigh: sums (..., S, k, 2, 2) to (..., S, 2)."""
    return np.asarray(sums[..., PAIRS].sum(axis=-2))


def _people(sums: Array, values: Array) -> Array:
    """Clinicians' labels added up: (..., S, k, 2, 2) to (..., S, 2)."""
    return np.asarray((sums[..., PAIRS] * values[:, None]).sum(axis=-2))


def _judge(sums: Array) -> Array:
    """The judge's labels added up: (..., S, k, 2, 2) to (..., S, 2)."""
    return np.asarray(sums[..., JUDGE].sum(axis=-2))


def _gap(sums: Array, values: Array) -> Array:
    return _matched(_judge(sums) - _people(sums, values), _pairs(sums))


def _alike(sums: Array, values: Array) -> Array:
    strata = sums.reshape((*sums.shape[:-4], -1, 2, 2))
    return _matched(strata[..., JUDGE], strata[..., PAIRS])


def _clinicians(sums: Array, values: Array) -> Array:
    return _matched(_people(sums, values), _pairs(sums))


def _slope(sums: Array, values: Array) -> Array:
    """Least squares within clinician, question and side."""
    n, people, judge, level = _pairs(sums), _people(sums, values), _judge(sums), values[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        both = (sums[..., JUDGE] * level).sum(axis=-2) - np.where(n > 0, people * judge / n, 0)
        squares = (sums[..., PAIRS] * level**2).sum(axis=-2) - np.where(n > 0, people**2 / n, 0)
        spread = squares.sum(axis=(-2, -1))
        return np.asarray(
            np.where(spread > TOLERANCE, both.sum(axis=(-2, -1)) / spread, np.nan), dtype=np.float64
        )


# In the order of the fields of FamilyDifference.
AMOUNTS: dict[str, Callable[[Array, Array], Array]] = {
    "difference of differences": _gap,
    "difference among the same labels of clinicians": _alike,
    "difference between families as clinicians see it": _clinicians,
    "slope of the judge's labels on those of clinicians": _slope,
}
