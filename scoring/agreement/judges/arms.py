"""Agreement with the judge by what had been shown before: blind ratings beside those given after a reveal,
and by how many reveals the rater had seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.coefficients.percent import NO_PAIRS
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.labels.label_data import ARMS, Arm, LabelData
from scoring.agreement.labels.labels import every_number, numbered, places
from scoring.agreement.labels.pairs import LabelPairs, answers
from scoring.arrays import Array

SEEN = (
    (0, 0, "before any reveal"),
    (1, 10, "after 1 to 10 reveals"),
    (11, None, "after more than 10 reveals"),
)
_SHARE = Statistic(
    "percent agreement",
    lambda counts: share(counts[..., 0], counts[..., 1]),
    lambda _: NO_PAIRS,
    low=0.0,
    kind="share",
)
_DIFFERENCE = Statistic(
    "difference of percent agreement",
    lambda counts: share(counts[..., 0], counts[..., 1]) - share(counts[..., 2], counts[..., 3]),
    lambda _: "one of the two has no labels to compare",
    low=-1.0,
    all_agree=None,
    kind="amount",
)


@dataclass(frozen=True)
class ArmAgreement:
    """Percent agreement with the judge over all criteria; `same` of `pairs`, never weighted. `always`: on how
    many pairs a judge would be the same that always gave the commonest label of a criterion.
    """

    name: str
    same: int
    pairs: int
    percent: Estimate
    always: int


@dataclass(frozen=True)
class ArmComparison:
    """`difference`: shown less blind, over the conversations of both."""

    blind: ArmAgreement
    shown: ArmAgreement
    unknown: ArmAgreement
    difference: Estimate


def shown_beside_blind(material: LabelData) -> ArmComparison:
    """Return the percent agreement with the judge of blind labels, labels after a reveal, and of unknown
    arm.

    Over all criteria; `difference` is shown less blind, with its interval over conversations.
    """
    found: dict[Arm, list[LabelPairs]] = {
        arm: [material.pairs(number, arm) for number in range(len(material.questions))] for arm in ARMS
    }
    blind, shown, unknown = (arm_agreement(arm, found[arm]) for arm in ARMS)
    given, looked = _together(found["blind"], found["shown"])
    difference = jackknife(_DIFFERENCE, np.concatenate([looked, given], axis=1), blind.pairs + shown.pairs)
    return ArmComparison(blind, shown, unknown, difference)


def by_reveals(material: LabelData) -> tuple[ArmAgreement, ...]:
    """Return agreement of blind labels with the judge for each range in SEEN of reveals seen before, in
    order.

    Practice with the judge's labels in view changes raters too.
    """
    pairs_by_place: list[list[LabelPairs]] = [[] for _ in SEEN]
    for number in range(len(material.questions)):
        labels, before = material.labels_with_reveals(number)
        before = before[answers(labels, material.judge_labels(number)) >= 0]
        for place, (least, most, _) in enumerate(SEEN):
            pairs_by_place[place].append(
                material.pairs(number).where(
                    (before >= least) & (before <= (np.inf if most is None else most))
                )
            )
    return tuple(arm_agreement(name, pairs) for (_, _, name), pairs in zip(SEEN, pairs_by_place, strict=True))


def arm_agreement(name: str, found: list[LabelPairs]) -> ArmAgreement:
    """Return percent agreement over `found`, one set of pairs per criterion, under `name`.

    `percent` is weighted where the pairs are, with an interval over conversations; its value is None
    without pairs.
    """
    (counts,) = _together(found)
    pairs, same = sum(len(one) for one in found), sum(int((one.first == one.second).sum()) for one in found)
    always = sum(int(np.bincount(one.first).max(initial=0)) for one in found)
    return ArmAgreement(name, same, pairs, jackknife(_SHARE, counts, pairs, units=_units(found)), always)


def _units(pairs: Sequence[LabelPairs]) -> int:
    """How many labels of how many criteria, each once however many raters gave one."""
    return sum(len(numbered(pairs.unit)[0]) for pairs in pairs)


def of_raters(pair_sets: list[LabelPairs]) -> dict[int, ArmAgreement]:
    """Return rater -> their agreement with the judge, for each rater with a pair, in ascending order.

    `name` is "" in each. `pair_sets`: one per criterion; the rater is `side`.
    """
    raters, parts = (
        every_number([pair_set.side for pair_set in pair_sets]),
        every_number([pair_set.part for pair_set in pair_sets]),
    )
    counts, raw = np.zeros((len(raters), len(parts), 2)), np.zeros((len(raters), 3), dtype=np.int64)
    for pair_set in pair_sets:
        who, same = places(raters, pair_set.side), pair_set.first == pair_set.second
        cell = who * len(parts) + places(parts, pair_set.part)
        for at, chosen in enumerate((same, np.ones_like(same))):
            counts[..., at] += np.bincount(
                cell[chosen],
                weights=None if pair_set.weight is None else pair_set.weight[chosen],
                minlength=counts[..., 0].size,
            ).reshape(counts.shape[:2])
            raw[:, at] += np.bincount(who[chosen], minlength=len(raters))
        labels = int(pair_set.first.max(initial=0)) + 1
        raw[:, 2] += (
            np.bincount(who * labels + pair_set.first, minlength=len(raters) * labels)
            .reshape(len(raters), labels)
            .max(axis=1)
        )
    return {
        rater: ArmAgreement("", same, pairs, jackknife(_SHARE, own, pairs), always)
        for rater, own, (same, pairs, always) in zip(raters.tolist(), counts, raw.tolist(), strict=True)
    }


def _together(*groups: list[LabelPairs]) -> list[Array]:
    """Of each group (C, 2): weighted pairs with the same label, and all, over its criteria, in each
    conversation of any group.
    """
    parts = every_number([pairs.part for group in groups for pairs in group])
    arm_counts = []
    for group in groups:
        counts = np.zeros((len(parts), 2))
        for pairs in group:
            at, same = places(parts, pairs.part), pairs.first == pairs.second
            counts[:, 0] += np.bincount(
                at[same], weights=None if pairs.weight is None else pairs.weight[same], minlength=len(parts)
            )
            counts[:, 1] += np.bincount(at, weights=pairs.weight, minlength=len(parts))
        arm_counts.append(counts)
    return arm_counts
