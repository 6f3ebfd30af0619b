"""Whose labels count in a headline, on whom a verdict rests, and whether the judge looks like a copy of
somebody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.label_data import Arm, LabelData
from scoring.agreement.labels import numbered
from scoring.agreement.pairs import pair_raters
from scoring.agreement.verdict_evidence import gather_evidence
from scoring.agreement.verdict_rule import CriterionVerdict, Margins, TrustVerdict, decide
from scoring.arrays import IntArray, Mask

FEWEST, PART_OF_MEDIAN = 10, 5  # units; a rater with fewer than a fifth of the median
MOST = 20  # raters who are left out in turn; of more, those with most units
HASTE = 1 / 3  # of the others' median time
COPY_UNITS, COPY_SHARE, COPY_CHANCE = 30, 0.98, 0.001
COPY_DISTANCE = (
    0.10  # how much closer the judge is than the others: two who are nearly always right are as close
)


def units_of_raters(material: LabelData) -> dict[int, int]:
    """Rater -> how many units they labelled blind, over all questions."""
    unit, rater = material.blind.unit, material.blind.rater
    if not len(unit):
        return {}
    most = int(unit.max()) + 1
    raters = numbered(rater * most + unit)[0] // most
    names, counts = np.unique(raters, return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def thin_raters(units: dict[int, int]) -> dict[int, int]:
    """Who labelled too few units to count in a headline, with how many: fewer than a fifth of the median
    rater, or fewer than ten where the median rater has that many. Nobody, where fewer than two would be left.
    """
    if not units:
        return {}
    median = float(np.median(list(units.values())))
    least = max(median / PART_OF_MEDIAN, FEWEST if median >= FEWEST else 0)
    thin = {rater: count for rater, count in units.items() if count < least}
    return thin if len(units) - len(thin) > 1 else {}


def hasty_raters(medians: Mapping[int, float]) -> frozenset[int]:
    """Who takes less than a third of the others' median time for a unit. `medians`: rater -> median minutes
    of those whose time is known.
    """
    hasty = set()
    for rater, own in medians.items():
        others = [time for other, time in medians.items() if other != rater]
        if others and own < HASTE * float(np.median(others)):
            hasty.add(rater)
    return frozenset(hasty)


@dataclass(frozen=True)
class RaterInfluence:
    """Without this rater the verdict would be another one."""

    rater: int
    without: CriterionVerdict


def influences(
    material: LabelData, number: int, verdict: CriterionVerdict, margins: Margins, arm: Arm = "blind"
) -> tuple[RaterInfluence, ...]:
    """On whom the verdict on a question rests. Of three raters or more, each is left out in turn.

    That a verdict is lost for want of labels, whoever is left out, rests on nobody; that only one rater's
    absence changes it, does.
    """
    units = {
        rater: count
        for rater, count in units_of_raters(material).items()
        if rater in set(material.labels_without_rule(number, arm).rater.tolist())
    }
    if len(units) < 3 or verdict.verdict is TrustVerdict.CANNOT_TELL:
        return ()
    raters = sorted(units, key=lambda rater: (-units[rater], rater))[:MOST]
    others = [
        RaterInfluence(rater, decide(gather_evidence(material, number, arm, without=rater), margins))
        for rater in sorted(raters)
    ]
    changed = [influence for influence in others if influence.without.verdict is not verdict.verdict]
    lost = [
        influence
        for influence in changed
        if influence.without.verdict in (TrustVerdict.CANNOT_TELL, TrustVerdict.NOT_SHOWN)
    ]
    return tuple(influence for influence in changed if influence not in lost or len(lost) == 1)


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


def copies(material: LabelData, questions: Sequence[int]) -> tuple[CopiedRater, ...]:
    """Raters whom the judge equals nearly everywhere though others do not: a copy or a leak, or two who are
    both right.
    """
    most = int(material.given.rater.max(initial=0)) + 1
    judge, people = np.zeros((2, most), dtype=np.int64), np.zeros((2, most), dtype=np.int64)
    units = [np.zeros(0, dtype=np.int64)]
    for number in questions:
        labels = material.labels_without_rule(number)
        pairs = material.pairs(number)
        judge += _counts(pairs.side, pairs.first == pairs.second, most)
        units.append(pairs.unit * most + pairs.side)
        shared, rest = pair_raters(labels), int(labels.rater.max(initial=0)) + 1
        for side in (shared.side // rest, shared.side % rest):
            people += _counts(side, shared.first == shared.second, most)
    shared_units = np.bincount(numbered(np.concatenate(units))[0] % most, minlength=most)
    return tuple(
        copy
        for rater in np.flatnonzero(judge[1]).tolist()
        if (
            copy := _copy(
                rater, judge[:, rater].tolist(), people[:, rater].tolist(), int(shared_units[rater])
            )
        )
        is not None
    )


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
