"""Forms in which questions depend on answers: how often judge and clinicians were asked the same questions.

A pair of labels exists only where both were asked; this counts the rest. Asked means: gave a label, or said
that it cannot be rated, or failed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.agreement.labels.label_data import LabelData
from scoring.arrays import IntArray, Mask


@dataclass(frozen=True)
class AskedCounts:
    """How often the judge and a clinician were asked one question: both, only one of them, or neither.

    Each clinician counts separately on each unit that the judge answered too. `question`: its number.
    """

    question: int
    both: int
    clinician: int
    judge: int
    neither: int


@dataclass(frozen=True)
class AskedPaths:
    """How often the judge and a clinician were asked the same questions.

    `pairs`: one per unit and clinician, where the judge answered the unit too. `same`: how many of them were
    asked exactly the same questions. `questions`: the counts of each question, in order.
    """

    pairs: int
    same: int
    questions: tuple[AskedCounts, ...]


def compare_paths(data: LabelData) -> AskedPaths:
    """Compare which questions the judge and each clinician were asked, from blind answers."""
    given, refused = data.blind, data.refused
    arm = refused.arm == 0 if refused is not None else np.zeros(0, dtype=bool)
    nothing = np.zeros(0, dtype=np.int64)
    refused_columns = (
        (refused.unit[arm], refused.rater[arm], refused.question[arm])
        if refused is not None
        else (nothing, nothing, nothing)
    )
    unit, rater, question = (
        np.concatenate(columns)
        for columns in zip((given.unit, given.rater, given.question), refused_columns, strict=True)
    )
    failed = np.array([call[:2] for call in data.judge.failed], dtype=np.int64).reshape(-1, 2)
    judged_unit = np.concatenate([data.judge.unit, failed[:, 1]])
    judged_question = np.concatenate([data.judge.question, failed[:, 0]])
    units = np.intersect1d(unit, judged_unit)
    keep = np.isin(unit, units)
    pairs, at = np.unique(np.stack([unit[keep], rater[keep]], axis=1), axis=0, return_inverse=True)
    size = len(data.questions)
    people = _asked(at.reshape(-1), question[keep], len(pairs), size)
    judged = np.isin(judged_unit, units)
    judge = _asked(np.searchsorted(units, judged_unit[judged]), judged_question[judged], len(units), size)
    judge = judge[np.searchsorted(units, pairs[:, 0])]
    return AskedPaths(
        len(pairs),
        int((people == judge).all(axis=1).sum()),
        tuple(
            AskedCounts(
                number,
                int((people[:, number] & judge[:, number]).sum()),
                int((people[:, number] & ~judge[:, number]).sum()),
                int((~people[:, number] & judge[:, number]).sum()),
                int((~people[:, number] & ~judge[:, number]).sum()),
            )
            for number in range(size)
        ),
    )


def _asked(row: IntArray, question: IntArray, rows: int, questions: int) -> Mask:
    asked = np.zeros((rows, questions), dtype=bool)
    asked[row, question] = True
    return asked
