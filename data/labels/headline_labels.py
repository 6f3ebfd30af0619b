"""Which stored labels the headline of a study compares: blind ratings of the raters who count, each with the
label of the judge in use.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from data.labels.agreement_material import read
from data.labels.label_table import REFUSED, read_label_table
from data.record.adoptions import judge_in_use
from data.record.set_aside import raters_set_aside
from data.record.studies import Study
from scoring.agreement.labels.label_data import ARMS, LabelData
from scoring.agreement.verdicts.raters import find_raters_left_out
from scoring.arrays import IntArray


@dataclass(frozen=True, eq=False)
class HeadlineLabels:
    """What the headline compares; arrays of ids ascend.

    `judge_id`: the judge in use, None without one. `set_aside`: rater -> reason. `thin`: rater -> number of
    units, of raters with too few. `answers`: the last blind answers of everybody, "cannot rate" included.
    `refused`: those of them that are "cannot rate". `ratings`: those of them that are compared with the
    judge. `judged`: criterion -> units on which the judge's label is compared. `selected`: units that had a
    chance to be selected, None where all had one.
    """

    judge_id: int | None
    set_aside: Mapping[int, str]
    thin: Mapping[int, int]
    answers: IntArray
    refused: IntArray
    ratings: IntArray
    judged: Mapping[str, IntArray]
    selected: IntArray | None


def read_headline_labels(connection: Connection, study: Study) -> HeadlineLabels:
    """Return which labels the agreement report of the study compares by default."""
    judge_id = judge_in_use(connection, study.id)
    everyone = read(connection, study, judge_id)
    reasons = raters_set_aside(connection, study.id)
    aside, thin = find_raters_left_out(everyone, reasons)
    material = everyone.leave_out(aside.union(thin))
    table = read_label_table(connection, study)
    blind = table.where(table.arm == ARMS.index("blind"))
    size = int(max(blind.rater.max(initial=0), material.given.rater.max(initial=0))) + 1
    compared = np.zeros(len(blind.id), dtype=bool)
    judged: dict[str, IntArray] = {}
    for number, question in enumerate(material.questions):
        pairs = material.pairs(number)
        keys = pairs.unit.astype(np.int64) * size + pairs.side
        compared |= (blind.criterion == number) & np.isin(
            blind.unit.astype(np.int64) * size + blind.rater, keys
        )
        judged[question.id] = np.unique(pairs.unit)
    compared &= blind.label >= 0
    return HeadlineLabels(
        judge_id,
        {rater: reasons[rater] for rater in aside},
        thin,
        np.sort(blind.id),
        np.sort(blind.id[blind.label == REFUSED]),
        np.sort(blind.id[compared]),
        judged,
        _find_selected(material),
    )


def choose_members(ids: Collection[int], among: IntArray) -> frozenset[int]:
    """Return those of a few `ids` that the ascending array `among` contains."""
    few = np.fromiter(ids, dtype=np.int64)
    places = np.searchsorted(among, few)
    inside = places < len(among)
    inside[inside] = among[places[inside]] == few[inside]
    return frozenset(few[inside].tolist())


def _find_selected(material: LabelData) -> IntArray | None:
    units = material.units
    return None if units.weight is None else units.id[units.counts(units.id)]
