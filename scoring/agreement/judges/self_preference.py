"""Does a judge label replies of its own family of models higher than those of other families, where
clinicians do not? (Panickssery, Bowman and Feng 2024, with clinicians as the yardstick.)

Families often answered different cases, and judges find some cases harder than others. So replies are
compared within one case only, between labels that the same clinician gave on the same criterion: judge less
clinician on the judge's own family, minus the same on the other families.

The number alone is no proof of a preference: a judge that sees less of quality than clinicians do shows a
difference against the better family (Lord 1967), and one that sees more of it, or is stricter or more
lenient, may show one as well. Nothing is estimated of a judge whose labels do not clearly rise with those of
clinicians.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import ROUNDING_ERROR, Statistic, around
from scoring.agreement.labels.label_data import LabelData, Question
from scoring.arrays import Array, IntArray

MIN_CASES = 10
OTHER, OWN, UNKNOWN = 0, 1, -1  # whose family wrote a unit's replies
DIFFERENT_CASES = "the model families had different cases"
NO_LABELS = (
    "no label of this judge can be compared with a clinician's blind label on replies whose model is known"
)
NOT_FOLLOWED = (
    "its labels do not clearly rise with clinicians' labels, so it is unclear what the differences mean"
)
NAME = "difference of differences within cases"
AMOUNT = Statistic(NAME, lambda sums: sums, lambda _: "", -np.inf, np.inf, all_agree=None, kind="amount")


@dataclass(frozen=True)
class SelfPreference:
    """`difference`: judge less clinicians on replies of its own family less the same on others, from -1 to 1,
    where 1 is the whole scale, or passing instead of failing. `cases`: how many have replies of both that the
    same clinician labelled.
    """

    difference: Estimate
    cases: int

    @property
    def clear_side(self) -> int:
        """1 where it clearly labels its own family higher than clinicians do, -1 where lower, else 0."""
        return _clear_side(self.difference)


@dataclass(frozen=True)
class _Pairs:
    """One entry per pair of a clinician's label and the judge's: 0 (worst) to 1. `cluster`: what is left out
    together, a case, or a person where there are fewer persons than cases.
    """

    people: Array
    judge: Array
    side: IntArray
    case: IntArray
    cluster: IntArray
    stratum: IntArray  # case, clinician and criterion
    group: IntArray  # clinician, criterion and side


def compare_families(data: LabelData, side: IntArray, case: IntArray) -> SelfPreference:
    """Return how much higher the judge labels its own family than clinicians do, relative to other
    families.

    The value is None, with a reason, where no case has replies of both labelled by the same clinician,
    where there are fewer than MIN_CASES (10) cases (or persons), or where the judge's labels do not clearly
    rise with the clinicians'.

    Args:
        data: labels of clinicians and judge.
        side: (U,), OWN, OTHER or UNKNOWN (-1) for each of the data's units.
        case: (U,), the case that the unit's replies answer, below 0 where unknown.
    """
    pairs = _pairs(data, side, case)
    if not len(pairs.judge):
        return _undefined(NO_LABELS if (case >= 0).any() else DIFFERENT_CASES)
    gap, cases = _gap(pairs), _count_cases(pairs)
    clusters = gap.conversations or 0
    if not cases:
        return _undefined(DIFFERENT_CASES)
    if clusters < MIN_CASES:
        called = "cases" if clusters == cases else "persons"
        return _undefined(
            f"only {clusters} of at least {MIN_CASES} {called} have replies of both, labelled by the same "
            "clinician",
            cases,
        )
    rises = _mean(_centred(pairs.judge, pairs.group) * _centred(pairs.people, pairs.group), pairs.cluster)
    return SelfPreference(gap, cases) if _clear_side(rises) > 0 else _undefined(NOT_FOLLOWED, cases)


def _undefined(reason: str, cases: int = 0) -> SelfPreference:
    return SelfPreference(undefined_estimate(reason, 0, NAME), cases)


def _pairs(data: LabelData, side: IntArray, case: IntArray) -> _Pairs:
    columns: list[tuple[Array | IntArray, ...]] = []
    for number, question in enumerate(data.questions):
        pairs, heights = data.pairs(number), _heights(question)
        at = data.units.at(pairs.unit)
        people, judge = heights[pairs.first], heights[pairs.second]
        keep = ~np.isnan(people) & ~np.isnan(judge) & (side[at] != UNKNOWN) & (case[at] >= 0)
        rows = (people, judge, side[at], case[at], pairs.part, pairs.side, np.full(len(at), number))
        columns.append(tuple(row[keep] for row in rows))
    people, judge, sides, cases, part, rater, criterion = map(np.concatenate, zip(*columns, strict=True))
    fewer_persons = len(np.unique(part)) < len(np.unique(cases))
    return _Pairs(
        people,
        judge,
        sides,
        cases,
        _number(part if fewer_persons else cases),
        _number(cases, rater, criterion),
        _number(rater, criterion, sides),
    )


def _count_cases(pairs: _Pairs) -> int:
    """Cases with replies of both, labelled by the same clinician."""
    both = np.intersect1d(pairs.stratum[pairs.side == OTHER], pairs.stratum[pairs.side == OWN])
    return len(np.unique(pairs.case[np.isin(pairs.stratum, both)]))


def _heights(question: Question) -> Array:
    """How high each label of a scale stands, from 0 to 1; NaN where it does not apply, unless that is invalid
    and fails.
    """
    if not question.ordinal:
        return np.array(
            [
                0.0 if code in question.failing else np.nan if label == question.not_applicable else 1.0
                for code, label in enumerate(question.domain)
            ]
        )
    low, high = min(question.scale), max(question.scale)
    heights = [(value - low) / (high - low) for value in question.scale]
    return np.array(heights + [np.nan] * (len(question.domain) - len(heights)))


def _number(*columns: Array | IntArray) -> IntArray:
    """The number of each row among the different ones, from 0."""
    return np.unique(np.stack(columns), axis=1, return_inverse=True)[1].ravel().astype(np.int64)


def _gap(pairs: _Pairs) -> Estimate:
    """The mean difference, own less others, over strata that have both, each with the weight at which it is
    estimated most precisely: n m / (n + m).
    """
    values, stratum, size = pairs.judge - pairs.people, pairs.stratum, pairs.stratum.max() + 1
    n = np.stack([np.bincount(stratum, pairs.side == each, size) for each in (OTHER, OWN)])
    total = np.stack([np.bincount(stratum, values * (pairs.side == each), size) for each in (OTHER, OWN)])
    both = np.asarray((n > 0).all(axis=0))
    means = total[:, both] / n[:, both]
    of_stratum = np.zeros(size, dtype=np.int64)
    of_stratum[stratum] = pairs.cluster
    return _mean(means[OWN] - means[OTHER], of_stratum[both], (n.prod(axis=0) / n.sum(axis=0))[both])


def _mean(values: Array, cluster: IntArray, weight: Array | None = None) -> Estimate:
    """The weighted mean with an interval that leaves out one cluster at a time (jackknife)."""
    weight = np.ones(len(values)) if weight is None else weight
    if not len(values):
        return undefined_estimate(DIFFERENT_CASES, 0, NAME)
    place = _number(cluster)
    sums, weights = np.bincount(place, weight * values), np.bincount(place, weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (sums.sum() - sums) / (weights.sum() - weights)
    return around(float(sums.sum() / weights.sum()), without, len(values), AMOUNT)


def _centred(values: Array, group: IntArray) -> Array:
    return np.asarray(values - (np.bincount(group, values) / np.bincount(group))[group])


def _clear_side(estimate: Estimate) -> int:
    """1 where the whole interval lies above 0, -1 where it lies below, else 0. An interval of a judge with
    one label for all is 0 up to rounding.
    """
    if estimate.low is None or estimate.high is None:
        return 0
    return int(estimate.low > ROUNDING_ERROR) - int(estimate.high < -ROUNDING_ERROR)
