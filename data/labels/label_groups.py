"""What people labelled blind, as one row a criterion of a unit: how many they were, and how far their labels
are apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, case, distinct, func, select

from data import schema
from data.labels.counted import counted_ratings
from data.labels.label_columns import read_verdicts
from data.labels.scale_places import label_place, place_on_scale, says_failure
from data.record.judgements import first_labels_only, judges
from data.record.studies import Study
from data.record.units import Unit
from data.store.batch_sizes import ROWS_PER_FETCH
from data.store.kept_parts import grow_part
from scoring.arrays import Array, IntArray, Mask, choose_rows, join_tables, small_column

# What decides besides the ratings which of them count.
RESTS_ON = (schema.gold_label, schema.calibration_unit, schema.rater_identity, schema.seen_elsewhere)


@dataclass(frozen=True, eq=False)
class LabelGroups:
    """(N,) each. `criterion`, `label`: their places in `label_names`; `label` is the one that all gave, where
    `different` is 1. `low`: its place on an ordinal scale, 0 to 1, NaN for a label without one. `apart`: how
    far the labels are from each other, as a share of the scale; a label outside the order, such as "does not
    apply", is as far from every other as can be. `newest`: the entry of the trail of the newest of them.
    `failing`: how many say failure, of a safety criterion; 0 of any other.
    """

    unit: IntArray = small_column()
    criterion: IntArray = small_column()
    raters: IntArray = small_column()
    different: IntArray = small_column()
    label: IntArray = small_column()
    newest: IntArray = small_column()
    failing: IntArray = small_column()
    low: Array = small_column()
    apart: Array = small_column()

    def choose_to_settle(self, drawn: Mask) -> Mask:
        """What is settled with the judge unseen: where people differ, and at a safety gate every failure that
        anybody saw, or of these the `drawn` ones (N,), so that the list does not tell what the judge caught.
        """
        return np.asarray(np.where(self.failing > 0, drawn, self.different > 1))

    @property
    def is_agreed(self) -> Mask:
        """Where all said the same, and no failure at a safety gate."""
        return np.asarray((self.different == 1) & (self.failing == 0))

    def where(self, rows: Mask | IntArray) -> LabelGroups:
        return choose_rows(self, rows)

    def replace_units(self, newer: LabelGroups, units: IntArray) -> LabelGroups:
        """`newer`: the rows of these units, in the place of those that are here."""
        return join_tables([self.where(~np.isin(self.unit, units)), newer])


@dataclass(frozen=True, eq=False)
class _Growth:
    """`units`: those that are in `groups`; None: all of the study."""

    groups: LabelGroups
    units: IntArray | None

    def join(self, newer: _Growth) -> _Growth:
        assert newer.units is not None
        return _Growth(self.groups.replace_units(newer.groups, newer.units), self.units)


@dataclass(frozen=True, eq=False)
class JudgeVerdicts:
    """(N,) each: the first verdicts of all judges of a study, no failures. As `LabelGroups`."""

    unit: IntArray = small_column()
    criterion: IntArray = small_column()
    label: IntArray = small_column()


@dataclass(frozen=True)
class LabelNames:
    """The criteria of a study, and all labels of their scales."""

    criteria: tuple[str, ...]
    labels: tuple[str, ...]

    def places(self, study: Study) -> Array:
        """(criteria, labels): where each label stands on the scale of each criterion, 0 to 1, NaN where it
        has no place in an order.
        """
        return np.array(
            [[place_on_scale(study, name, label) for label in self.labels] for name in self.criteria],
            dtype=float,
        ).reshape(len(self.criteria), len(self.labels))


def label_names(study: Study) -> LabelNames:
    instrument = study.instrument
    criteria = instrument.criteria_for(study.taxonomy.strategies if study.taxonomy is not None else ())
    labels = {label.id for c in criteria for label in instrument.scale_for(c.id).labels()}
    return LabelNames(tuple(c.id for c in criteria), tuple(sorted(labels)))


def count_failures(connection: Connection, study: Study, criterion: str) -> int:
    """In how many units any clinician saw a failure, of a safety criterion."""
    groups, criteria = read_label_groups(connection, study, None), label_names(study).criteria
    return int((groups.failing[groups.criterion == criteria.index(criterion)] > 0).sum())


def read_label_groups(connection: Connection, study: Study, unit: Unit | None) -> LabelGroups:
    """Of one unit, or of all."""
    names, rating = label_names(study), schema.rating
    if unit is not None:
        return _read(connection, study, names, [unit.id])

    def read(after: int) -> _Growth:
        if not after:
            return _Growth(_read(connection, study, names, None), None)
        rows = connection.execute(
            select(rating.c.unit_id).where(rating.c.study_id + 0 == study.id, rating.c.id > after).distinct()
        )
        units = sorted(rows.scalars())
        return _Growth(_read(connection, study, names, units), np.array(units, dtype=np.int64))

    growth = grow_part(
        connection,
        study.id,
        "label groups",
        rating,
        read,
        _Growth.join,
        RESTS_ON,
    )
    return growth.groups


def read_judge_verdicts(connection: Connection, study: Study, unit: Unit | None) -> JudgeVerdicts:
    """Of one unit, or of all."""
    names, table = label_names(study), schema.judgement
    if unit is None:
        columns = [
            read_verdicts(connection, study.id, judge.id, names.criteria, names.labels)
            for judge in judges(connection, study.id)
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


def _read(
    connection: Connection, study: Study, names: LabelNames, unit_ids: Sequence[int] | None
) -> LabelGroups:
    rating = schema.rating
    place = label_place(study, rating.c.criterion, rating.c.label)
    labels = (
        counted_ratings(study.id, "blind", unit_ids)
        .with_only_columns(
            rating.c.unit_id, rating.c.criterion, rating.c.label, rating.c.trail, place.label("place")
        )
        .where(rating.c.label.is_not(None))
        .subquery()
    )
    c = labels.c
    apart = case((func.count(c.place) == func.count(), func.max(c.place) - func.min(c.place)), else_=1.0)
    columns: list[ColumnElement[Any]] = [
        c.unit_id,
        c.criterion,
        func.count().label("raters"),
        func.count(distinct(c.label)).label("different"),
        func.min(c.label).label("label"),
        func.max(c.trail).label("newest"),
        func.sum(case((says_failure(study, c.criterion, c.label), 1), else_=0)).label("failing"),
        func.min(c.place).label("low"),
        apart.label("apart"),
    ]
    rows = connection.execute(
        select(*columns).group_by(c.unit_id, c.criterion), execution_options={"yield_per": ROWS_PER_FETCH}
    )
    parts = [
        _groups_of(names, [list(column) for column in zip(*part, strict=True)]) for part in rows.partitions()
    ]
    return join_tables(parts or [_groups_of(names, [[] for _ in columns])])


def _groups_of(names: LabelNames, columns: Sequence[Sequence[Any]]) -> LabelGroups:
    criterion, label = _places(names.criteria, columns[1]), _places(names.labels, columns[4])
    whole_numbers = [np.array(columns[number], dtype=np.int64) for number in (0, 2, 3, 5, 6)]
    shares = [np.array(columns[number], dtype=float) for number in (7, 8)]  # None becomes NaN
    unit, raters, different, newest, failing = whole_numbers
    return LabelGroups(unit, criterion, raters, different, label, newest, failing, *shares).where(
        criterion >= 0
    )


def _places(names: Sequence[str], values: Sequence[str]) -> IntArray:
    """-1 for a value that is none of the names."""
    place = {name: number for number, name in enumerate(names)}
    return np.array([place.get(value, -1) for value in values], dtype=np.int64)
