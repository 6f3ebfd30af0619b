"""What people labelled blind, as one row a criterion of a unit: how many they were, and how far their labels
are apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.labels.label_table import (
    REFUSED,
    RESTS_ON,
    LabelNames,
    LabelTable,
    label_names,
    read_label_table,
    read_verdicts,
)
from data.record.judgements import first_labels_only, judges
from data.record.studies import Study
from data.record.units import Unit
from data.store.kept_parts import keep_part
from scoring.agreement.labels.label_data import ARMS, question_of
from scoring.agreement.safety.safety_units import failing_levels
from scoring.arrays import Array, IntArray, Mask, choose_rows, small_column

BLIND = ARMS.index("blind")


@dataclass(frozen=True, eq=False)
class LabelGroups:
    """(N,) each. `criterion`, `label`: their places in `label_names`; `label` is the one that all gave, where
    not `differs`. `low`: its place on an ordinal scale, 0 to 1, NaN for a label without one. `apart`: how
    far the labels are from each other, as a share of the scale; a label outside the order, such as "does not
    apply", is as far from every other as can be. `newest`: the id of the newest rating among them.
    `failing`: how many say failure, of a safety criterion; 0 of any other.
    """

    unit: IntArray = small_column()
    criterion: IntArray = small_column()
    raters: IntArray = small_column()
    differs: Mask = small_column()
    label: IntArray = small_column()
    newest: IntArray = small_column()
    failing: IntArray = small_column()
    low: Array = small_column()
    apart: Array = small_column()

    def choose_to_settle(self, drawn: Mask) -> Mask:
        """Return which groups are settled without the judge in view, (N,).

        Those where people differ, and at a safety gate every failure that anybody saw, or of these the
        `drawn` ones (N,), so that the list does not reveal what the judge caught.
        """
        return np.asarray(np.where(self.failing > 0, drawn, self.differs))

    @property
    def is_agreed(self) -> Mask:
        """Return which groups have one label only and no failure at a safety gate, (N,)."""
        return np.asarray(~self.differs & (self.failing == 0))

    def where(self, rows: Mask | IntArray) -> LabelGroups:
        """Return the groups that `rows` (a mask or positions) selects."""
        return choose_rows(self, rows)


@dataclass(frozen=True, eq=False)
class JudgeVerdicts:
    """(N,) each: the first verdicts of all judges of a study, no failures. As `LabelGroups`."""

    unit: IntArray = small_column()
    criterion: IntArray = small_column()
    label: IntArray = small_column()


def count_failures(connection: Connection, study: Study, criterion: str) -> int:
    """Return in how many units any clinician saw a failure on this safety criterion."""
    groups, criteria = read_label_groups(connection, study, None), label_names(study).criteria
    return int((groups.failing[groups.criterion == criteria.index(criterion)] > 0).sum())


def read_label_groups(connection: Connection, study: Study, unit: Unit | None) -> LabelGroups:
    """Return people's labels grouped by unit and criterion, of one unit, or of the study if `unit`
    is None.
    """
    if unit is not None:
        return _group_labels(study, read_label_table(connection, study, unit.id))
    return keep_part(
        connection,
        study.id,
        "label groups",
        (schema.rating, *RESTS_ON),
        lambda: _group_labels(study, read_label_table(connection, study)),
    )


def read_judge_verdicts(connection: Connection, study: Study, unit: Unit | None) -> JudgeVerdicts:
    """Return the first labels of all judges, of one unit, or of the study if `unit` is None."""
    names, table = label_names(study), schema.judgement
    if unit is None:
        columns = [
            read_verdicts(connection, study.id, judge.id, names) for judge in judges(connection, study.id)
        ]
        nothing = np.zeros(0, dtype=np.int64)
        return JudgeVerdicts(
            np.concatenate([nothing, *(verdicts.unit for verdicts in columns)]),
            np.concatenate([nothing, *(verdicts.criterion for verdicts in columns)]),
            np.concatenate([nothing, *(verdicts.label for verdicts in columns)]),
        )
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, table.c.label).where(
            table.c.unit_id == unit.id,
            table.c.study_id == study.id,
            table.c.status == "ok",
            first_labels_only(),
        )
    ).all()
    return JudgeVerdicts(
        np.array([row.unit_id for row in rows], dtype=np.int64),
        _places(names.criteria, [row.criterion for row in rows]),
        _places(names.labels, [row.label for row in rows]),
    )


def _group_labels(study: Study, table: LabelTable) -> LabelGroups:
    names = label_names(study)
    table = table.where((table.arm == BLIND) & (table.label != REFUSED))
    unit, criterion, label = table.unit, table.criterion, table.label
    is_first = np.ones(len(unit), dtype=bool)
    is_first[1:] = (unit[1:] != unit[:-1]) | (criterion[1:] != criterion[:-1])
    first = np.flatnonzero(is_first)
    if not len(first):
        nothing: Any = np.zeros(0, dtype=np.int64)
        return LabelGroups(*[nothing] * 9)
    # The last column is that of a label on no scale.
    place = np.append(names.places(study), np.full((len(names.criteria), 1), np.nan), axis=1)[
        criterion, label
    ]
    fails = _says_failure(study, names)[criterion, label]
    low, high = np.fmin.reduceat(place, first), np.fmax.reduceat(place, first)
    is_ordered = np.logical_and.reduceat(~np.isnan(place), first)
    lowest = np.minimum.reduceat(label, first)
    return LabelGroups(
        unit[first],
        criterion[first],
        np.diff(first, append=len(unit)),
        lowest != np.maximum.reduceat(label, first),
        lowest,
        np.maximum.reduceat(table.id, first),
        np.add.reduceat(fails.astype(np.int64), first),
        low,
        np.where(is_ordered, high - low, 1.0),
    )


def _says_failure(study: Study, names: LabelNames) -> Mask:
    """(criteria, labels and one more): whether the label says failure, of a safety criterion."""
    fails = np.zeros((len(names.criteria), len(names.labels) + 1), dtype=bool)
    for asked in study.instrument.criteria:
        question = question_of(study.instrument, asked)
        if question.gate and question.id in names.criteria:
            labels = [names.labels.index(question.domain[code]) for code in failing_levels(question)]
            fails[names.criteria.index(question.id), labels] = True
    return fails


def _places(names: Sequence[str], values: Sequence[str]) -> IntArray:
    """-1 for a value that is none of the names."""
    place = {name: number for number, name in enumerate(names)}
    return np.array([place.get(value, -1) for value in values], dtype=np.int64)
