"""Whose labels count in a headline and in a verdict, and whether the judge looks like a copy of somebody."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.labels.label_data import Arm, LabelData
from scoring.agreement.labels.labels import Labels, numbered
from scoring.agreement.labels.pairs import pair_raters, pair_with_judge
from scoring.agreement.verdicts.criterion_agreement import coefficients_of_two, headline, verdicts_of
from scoring.arrays import IntArray, Mask

MIN_UNITS_OF_RATER, PART_OF_MEDIAN = 10, 5  # units; a rater with fewer than a fifth of the median
MAX_RATERS = 20  # who are left out in turn; of more, those with most labels
HASTE = 1 / 3  # of the others' median time
COPY_UNITS, COPY_SHARE, COPY_CHANCE = 30, 0.98, 0.001
COPY_DISTANCE = (
    0.10  # how much closer the judge is than the others: two who are nearly always right are as close
)


def units_of_raters(material: LabelData) -> dict[int, int]:
    """Return rater -> number of units they labelled blind, over all questions; raters without labels are
    absent.
    """
    unit, rater = material.blind.unit, material.blind.rater
    if not len(unit):
        return {}
    most = int(unit.max()) + 1
    raters = numbered(rater * most + unit)[0] // most
    names, counts = np.unique(raters, return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def thin_raters(units: dict[int, int]) -> dict[int, int]:
    """Return rater -> number of units, for raters who labelled too few to count in a headline.

    Too few is less than a fifth of the median rater, or less than 10 where the median is at least 10. Empty
    where only one rater, or none, would be left.
    """
    if not units:
        return {}
    median = float(np.median(list(units.values())))
    least = max(median / PART_OF_MEDIAN, MIN_UNITS_OF_RATER if median >= MIN_UNITS_OF_RATER else 0)
    thin = {rater: count for rater, count in units.items() if count < least}
    return thin if len(units) - len(thin) > 1 else {}


def find_raters_left_out(
    material: LabelData, set_aside: Collection[int]
) -> tuple[frozenset[int], dict[int, int]]:
    """Return the raters whose labels no headline and no verdict counts.

    Args:
        set_aside: raters set aside by a study lead.

    Returns:
        The raters of `material` who are set aside; and, of the others, those who labelled too few units, with
        how many (`thin_raters`).
    """
    aside = frozenset(set_aside) & frozenset(material.raters)
    units = units_of_raters(material)
    return aside, thin_raters({rater: count for rater, count in units.items() if rater not in aside})


def hasty_raters(medians: Mapping[int, float]) -> frozenset[int]:
    """Return the raters who take less than a third of the median of the others' median times.

    `medians`: rater -> median minutes per unit, only raters whose time is known. A single rater is never
    hasty.
    """
    hasty = set()
    for rater, own in medians.items():
        others = [time for other, time in medians.items() if other != rater]
        if others and own < HASTE * float(np.median(others)):
            hasty.add(rater)
    return frozenset(hasty)


def find_uninformative_raters(material: LabelData, number: int, arm: Arm = "blind") -> tuple[int, ...]:
    """Return the raters whose labels are not shown to agree with the others' beyond chance on a question,
    while two others remain.

    The rater with the lowest coefficient goes first, and the others are compared anew without them: one who
    labels at random takes everybody else's agreement down too. Nobody is left out where no rater is shown
    to agree with the others, because then it is the clinicians who differ. Of more than MAX_RATERS (20)
    raters, the others are not tested: one of so many hardly moves a mean.
    """
    question = material.questions[number]
    labels = material.collapsed_labels(number, arm)
    raters = list(choose_raters(labels))
    pairs = verdicts_of(question, pair_raters(labels))
    statistic = coefficients_of_two(question)[headline(question)]
    names = int(labels.rater.max(initial=0)) + 1
    left_out: list[int] = []
    while len(raters) > 2:
        inside = pairs.where(np.isin(pairs.side // names, raters) & np.isin(pairs.side % names, raters))
        with_others = {
            rater: average(
                statistic,
                inside.where((inside.side // names == rater) | (inside.side % names == rater)).by_side(),
            ).estimate()
            for rater in raters
        }
        doubtful = [rater for rater in raters if not is_above_zero(with_others[rater])]
        if not doubtful or len(doubtful) == len(raters):
            break
        worst = min(doubtful, key=lambda rater: (_value_or_zero(with_others[rater]), rater))
        raters.remove(worst)
        left_out.append(worst)
    return tuple(sorted(left_out))


def is_above_zero(estimate: Estimate) -> bool:
    """Tell whether the whole interval lies above 0; False without an interval."""
    return estimate.low is not None and estimate.low > 0


def _value_or_zero(estimate: Estimate) -> float:
    return estimate.value or 0.0


def choose_raters(labels: Labels) -> tuple[int, ...]:
    """Return the raters of `labels`, ascending, at most the MAX_RATERS (20) with the most labels."""
    raters, counts = np.unique(labels.rater, return_counts=True)
    most = np.argsort(-counts, kind="stable")[:MAX_RATERS]
    return tuple(sorted(raters[most].tolist()))


@dataclass(frozen=True)
class CopiedRater:
    """The judge gave the label of `rater` on `same` of `labels` labels in `units` units; to the other raters,
    that rater is far less close:
    `others_same` of `others` labels.
    """

    rater: int
    same: int
    labels: int
    units: int
    others_same: int
    others: int


def find_copies(material: LabelData, questions: Sequence[int]) -> dict[int, CopiedRater]:
    """Return the raters whom the judge equals nearly everywhere though others do not: a copy or a leak, or
    two who are both right. Raters whose labels say nothing on a question are left out there: beside them
    everybody else would look like the judge's copy.
    """
    most = int(material.given.rater.max(initial=0)) + 1
    judge, people = np.zeros((2, most), dtype=np.int64), np.zeros((2, most), dtype=np.int64)
    units = [np.zeros(0, dtype=np.int64)]
    for number in questions:
        apart = frozenset(find_uninformative_raters(material, number))
        labels = material.labels_without_rule(number).leave_out(apart)
        pairs = pair_with_judge(labels, material.judge_labels(number))
        judge += _counts(pairs.side, pairs.first == pairs.second, most)
        units.append(pairs.unit * most + pairs.side)
        shared, rest = pair_raters(labels), int(labels.rater.max(initial=0)) + 1
        for side in (shared.side // rest, shared.side % rest):
            people += _counts(side, shared.first == shared.second, most)
    shared_units = np.bincount(numbered(np.concatenate(units))[0] % most, minlength=most)
    candidates = {
        rater: _copy(rater, judge[:, rater].tolist(), people[:, rater].tolist(), int(shared_units[rater]))
        for rater in np.flatnonzero(judge[1]).tolist()
    }
    return {rater: copy for rater, copy in candidates.items() if copy is not None}


def _counts(raters: IntArray, same: Mask, most: int) -> IntArray:
    """(2, raters): pairs with the same label, and pairs."""
    return np.stack([np.bincount(raters[same], minlength=most), np.bincount(raters, minlength=most)])


def _copy(rater: int, judge: list[int], people: list[int], units: int) -> CopiedRater | None:
    (same, labels), (others_same, others) = judge, people
    if (
        units < COPY_UNITS
        or same < COPY_SHARE * labels
        or not others
        or same / labels - others_same / others < COPY_DISTANCE
    ):
        return None
    chance = (
        scipy.special.bdtrc(same - 1, labels, others_same / others) if same else 1.0
    )  # of so many, were the judge as close as colleagues are
    return CopiedRater(rater, same, labels, units, others_same, others) if chance < COPY_CHANCE else None
