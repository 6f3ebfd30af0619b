"""Three judges and more against the reference labels of a study (reference.py): are they right equally often?

Cochran's Q (1950) over the labels. Labels of one conversation are alike, so its p is not taken from chi2 but
from exchanging judges: within each conversation their answers are dealt anew, all of one judge together,
4,999 times with a fixed seed (Pesarin 2001). With one label a conversation that is the permutation form of
Cochran's test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.agreement.judges.reference import reference_labels
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.labels.labels import numbered
from scoring.agreement.significance_tests.cochran_q import cochran_q
from scoring.agreement.significance_tests.significance import Significance, untestable
from scoring.arrays import IntArray

PERMUTATIONS = 4999
SEED = 20261122
METHOD = "Cochran's Q, judges exchanged within conversations"


@dataclass(frozen=True)
class JudgesRight:
    """`right`: of each judge, on how many of the `labels` that all of them and the reference have."""

    right: tuple[int, ...]
    labels: int
    conversations: int
    test: Significance


def compare_judges(materials: Sequence[LabelData]) -> JudgesRight:
    """Count how often each judge gives the reference label, and test whether they are right equally often.

    Only labels that all judges and the reference have count. The permutation test is described at the head
    of this module; its p is None where Cochran's Q is undefined.

    Args:
        materials: the same study, read with each judge in turn; at least one.
    """
    rows, parts = [], []
    for number in range(len(materials[0].questions)):
        truth = reference_labels(materials[0], number)
        answers = [
            dict(zip(labels.unit.tolist(), labels.code.tolist(), strict=True))
            for labels in (material.judge_labels(number) for material in materials)
        ]
        for unit, part, code in zip(
            truth.unit.tolist(), truth.part.tolist(), truth.code.tolist(), strict=True
        ):
            if all(unit in judge for judge in answers):
                rows.append([int(judge[unit] == code) for judge in answers])
                parts.append(part)
    right = np.array(rows, dtype=np.int64).reshape(len(rows), len(materials))
    part = np.array(parts, dtype=np.int64)
    return JudgesRight(
        tuple(right.sum(axis=0).tolist()), len(right), len(numbered(part)[0]), _test(right, part)
    )


def _test(right: IntArray, part: IntArray) -> Significance:
    """`right` (labels, judges)."""
    plain = cochran_q(right.T.tolist())
    if plain.p is None:
        return untestable(str(plain.undefined), METHOD)
    parts, place = numbered(part)
    sums = np.zeros((len(parts), right.shape[1]), dtype=np.int64)
    np.add.at(sums, place, right)
    rng = np.random.default_rng(SEED)
    seen = _spread(sums.sum(axis=0))
    beyond = sum(_spread(rng.permuted(sums, axis=1).sum(axis=0)) >= seen for _ in range(PERMUTATIONS))
    return Significance((1 + beyond) / (1 + PERMUTATIONS), METHOD, plain.statistic, plain.df)


def _spread(totals: IntArray) -> int:
    """Grows with Q, whose other parts no exchange moves; in whole numbers, so that ties are ties."""
    return int(len(totals) * (totals**2).sum() - totals.sum() ** 2)
