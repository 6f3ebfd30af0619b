"""Agreement with everything that a clinician would defend, beside the strict one, and where the judge misses
what clinicians were sure of.

Where a criterion leaves room, forcing one label makes judges look worse, and may choose the wrong one
(Guerdan et al. 2025). So a clinician may mark further labels as also defensible: the judge agrees with the
set if its label is one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scoring.agreement.coefficients.percent import NO_PAIRS
from scoring.agreement.intervals.additive_counts import over_conversations, ratio
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.labels.label_data import LabelData

SURE = 3
NO_SURE = "no clinician said that they were sure of a label that can be compared with the judge's"
_SET = ratio("same label, or one that the clinician would defend too", NO_PAIRS, all_agree=1.0)
_MISSED = ratio("another label, where the clinician was sure", NO_SURE)


@dataclass(frozen=True)
class Nuance:
    """Of one blind label: `also`, the codes of labels that its rater would defend too; `confidence` from 1 to
    SURE, None where not said.
    """

    question: int
    unit: int
    rater: int
    code: int
    also: frozenset[int]
    confidence: int | None


@dataclass(frozen=True)
class Defensible:
    """Of one question: of `pairs`, `same` carry the same label, `defended` that or one that the clinician
    would defend too. Of `sure` pairs in which the clinician was sure, the judge gave on `missed` a label that
    the clinician would not defend.
    """

    question: int
    pairs: int
    same: int
    defended: int
    share: Estimate
    sure: int
    missed: int
    missed_share: Estimate


def compare_defensible(material: LabelData, nuances: Iterable[Nuance]) -> tuple[Defensible, ...]:
    """Return, for each question with a nuance, agreement that also accepts labels a clinician would defend.

    Questions are in ascending order; those without any nuance are left out. All blind pairs of the question
    count, also those without a nuance.
    """
    by_label: dict[int, dict[tuple[int, int, int], Nuance]] = {}
    for nuance in nuances:
        by_label.setdefault(nuance.question, {})[nuance.unit, nuance.rater, nuance.code] = nuance
    return tuple(_defensible(material, question, by_label[question]) for question in sorted(by_label))


def _defensible(
    material: LabelData, question: int, nuances: dict[tuple[int, int, int], Nuance]
) -> Defensible:
    pairs = material.pairs(question)
    same = defended = sure = missed = 0
    shares: list[tuple[int, tuple[float, float]]] = []
    misses: list[tuple[int, tuple[float, float]]] = []
    weights = np.ones(len(pairs)) if pairs.weight is None else pairs.weight
    columns = (pairs.unit, pairs.side, pairs.part, pairs.first, pairs.second, weights)
    for unit, rater, part, label, judge, weight in zip(*(column.tolist() for column in columns), strict=True):
        nuance = nuances.get((unit, rater, label))
        within = judge == label or (nuance is not None and judge in nuance.also)
        same, defended = same + (judge == label), defended + within
        shares.append((part, (within * weight, weight)))
        if nuance is not None and nuance.confidence == SURE:
            sure, missed = sure + 1, missed + (not within)
            misses.append((part, ((not within) * weight, weight)))
    return Defensible(
        question,
        len(pairs),
        same,
        defended,
        over_conversations(_SET, shares, (2,), len(np.unique(pairs.unit))),
        sure,
        missed,
        over_conversations(_MISSED, misses, (2,), sure),
    )
