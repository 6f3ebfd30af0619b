"""The labels of a study as columns of whole numbers, without an object for any of a million rows: those that
count. The rules are those of data/labels/counted.py; which answer is the last one is decided here again,
on columns.

What was read once is kept for the next reader, and only what came since is read and decided anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sqlalchemy import ColumnElement, Connection, case, select

from data import schema
from data.labels.counted import ARMS as EXPOSURES
from data.labels.counted import counted_units
from data.labels.scale_places import place_on_scale
from data.record.judgements import first_labels_only
from data.record.known_words import was_unseen
from data.record.rater_identities import rater_identities
from data.record.studies import Study, select_rater_ids
from data.store.column_texts import joined, numbers, places
from data.store.kept_parts import grow_part, keep_part
from scoring.agreement.labels.label_data import ARMS
from scoring.arrays import Array, IntArray, Mask, choose_rows, join_tables, kept_column, shrink, small_column

# What decides besides the ratings which of them count.
RESTS_ON = (schema.gold_label, schema.calibration_unit, schema.rater_identity, schema.seen_elsewhere)
REFUSED = -2  # instead of a label: it cannot be rated


@dataclass(frozen=True)
class LabelNames:
    """The criteria of a study, and all labels of their scales: a column holds their places in these."""

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


@dataclass(frozen=True, eq=False)
class LabelTable:
    """(N,) each: answers of people, no label that a rule filled in. `label`: its place among all labels,
    REFUSED for "cannot rate", -1 for one that is on no scale; `criterion` and `arm` by their places.
    `reveals_before`: how many reveals the rater had seen.
    """

    id: IntArray = small_column()
    unit: IntArray = small_column()
    rater: IntArray = small_column()
    label: IntArray = small_column()
    criterion: IntArray = small_column()
    arm: IntArray = small_column()
    reveals_before: IntArray = small_column()

    def where(self, rows: Mask) -> LabelTable:
        return self if rows.all() else choose_rows(self, rows)

    def join(self, other: LabelTable) -> LabelTable:
        return join_tables([self, other])

    def in_order(self) -> LabelTable:
        """Return the table sorted by criterion, unit, rater and arm; each combination occurs once."""
        key = self.criterion
        for column, size in (
            (self.unit, _size(self.unit)),
            (self.rater, _size(self.rater)),
            (self.arm, len(ARMS)),
        ):
            key = key * size + column
        return choose_rows(self, np.argsort(key, kind="stable"))


def _size(column: IntArray) -> int:
    return int(column.max(initial=0)) + 1


@dataclass(frozen=True, eq=False)
class _Counted:
    """`units`: those whose labels were decided anew, where not all were."""

    table: LabelTable
    units: IntArray

    def join(self, newer: _Counted) -> _Counted:
        """`newer` in the place of what is here of the same units."""
        kept = self.table.where(~np.isin(self.table.unit, newer.units))
        return _Counted(kept.join(newer.table).in_order(), self.units)


@dataclass(frozen=True, eq=False)
class VerdictColumns:
    """The first verdicts of a judge, and what has none: (criterion, unit, status) of each, in the order of
    the units.
    """

    unit: IntArray = small_column()
    label: IntArray = small_column()
    criterion: IntArray = small_column()
    failed: tuple[tuple[int, int, str], ...] = ()


def read_label_table(
    connection: Connection, study: Study, unit_id: int | None = None, since: str = "", until: str = ""
) -> LabelTable:
    """Read the labels that count, of all arms, with the person who gave each as its rater.

    Args:
        unit_id: of this unit only.
        since, until: moments as the store writes them; only ratings from the one on and before the other.
    """
    rating, names = schema.rating, label_names(study)
    within = [*([rating.c.at >= since] if since else ()), *([rating.c.at < until] if until else ())]
    if unit_id is not None:  # by rater and unit there is an index
        within += [rating.c.unit_id == unit_id, rating.c.rater_id.in_(select_rater_ids(study.id))]
    if within:
        return _choose_counted(connection, study, _read_ratings(connection, study.id, names, within))

    def read(after: int) -> _Counted:
        ratings = _keep_ratings(connection, study.id, names)
        if not after:
            return _Counted(_choose_counted(connection, study, ratings), np.zeros(0, dtype=np.int64))
        units = np.unique(ratings.unit[ratings.id > after])
        ratings = ratings.where(np.isin(ratings.unit, units))
        return _Counted(_choose_counted(connection, study, ratings), units)

    key = ("labels that count", names)
    return grow_part(connection, study.id, key, rating, read, _Counted.join, RESTS_ON).table


def _keep_ratings(connection: Connection, study_id: int, names: LabelNames) -> LabelTable:
    rating = schema.rating
    return grow_part(
        connection,
        study_id,
        ("ratings", names),
        rating,
        lambda after: _read_ratings(connection, study_id, names, (rating.c.id > after,) if after else ()),
        LabelTable.join,
        (schema.seen_elsewhere,),
    )


def _choose_counted(connection: Connection, study: Study, ratings: LabelTable) -> LabelTable:
    unit = schema.unit
    counted = connection.execute(
        select(joined(unit.c.id)).where(unit.c.study_id == study.id, *counted_units())
    ).scalar()
    ratings = ratings.where(np.isin(ratings.unit, numbers(counted)))
    persons = rater_identities(connection, study.id)
    person, is_imported = ratings.rater, np.isin(ratings.rater, list(persons))
    if is_imported.any():
        person = person.copy()
        person[is_imported] = [persons[rater_id] for rater_id in person[is_imported].tolist()]
    return replace(
        choose_rows(ratings, last := _find_last_answers(ratings, person, ~is_imported)), rater=person[last]
    )


def _find_last_answers(ratings: LabelTable, person: IntArray, given_here: Mask) -> IntArray:
    """Where the answers stand that hold, by criterion, unit, person and arm: the last one, "cannot rate" too.
    What was given here goes before what a file said of the same person.
    """
    asked, unit, arm, number = (kept_column(ratings, name) for name in ("criterion", "unit", "arm", "id"))
    who = shrink(person)
    order = np.lexsort((number, given_here, arm, who, unit, asked))
    same = np.ones(len(order), dtype=bool)
    for column in (asked, unit, who, arm):
        ordered = column[order]
        same[:-1] &= ordered[1:] == ordered[:-1]
    if len(same):
        same[-1] = False
    return np.asarray(order[~same])


def read_verdicts(connection: Connection, study_id: int, judge_id: int, names: LabelNames) -> VerdictColumns:
    return keep_part(
        connection,
        study_id,
        ("verdicts", judge_id, names),
        (schema.judgement,),
        lambda: _read_verdicts(connection, study_id, judge_id, names),
    )


def _read_ratings(
    connection: Connection, study_id: int, names: LabelNames, within: Sequence[ColumnElement[bool]]
) -> LabelTable:
    rating = schema.rating
    ids, unit, rater, label, criterion, arm = _read_in_groups(
        connection,
        (
            {name: place for place, name in enumerate(names.criteria)},
            {exposure: place for place, arm in enumerate(ARMS) for exposure in EXPOSURES[arm]},
        ),
        (rating.c.criterion, rating.c.exposure),
        (
            rating.c.id,
            rating.c.unit_id,
            rating.c.rater_id,
            case((rating.c.label.is_(None), REFUSED), else_=_code(rating.c.label, names.labels)),
        ),
        (_of_study(study_id, bool(within)), rating.c.source != "rule", was_unseen(rating), *within),
    )
    reveals_before = _reveals_before(connection, study_id, ids, within)
    return LabelTable(ids, unit, rater, label, criterion, arm, reveals_before)


def _of_study(study_id: int, few: bool) -> ColumnElement[bool]:
    """ "+ 0" keeps SQLite from the index of all the study's ratings, where a few of them are wanted."""
    column = schema.rating.c.study_id
    return column + 0 == study_id if few else column == study_id


def _reveals_before(
    connection: Connection, study_id: int, ids: IntArray, within: Sequence[ColumnElement[bool]]
) -> IntArray:
    """Of ratings by id. The index of the study's ratings does not hold this column: to look up each row of it
    takes longer than to read them all.
    """
    table = schema.rating
    some, reveals = map(
        numbers,
        connection.execute(
            select(joined(table.c.id), joined(table.c.reveals_before)).where(
                _of_study(study_id, True), table.c.reveals_before > 0, *within
            )
        ).one(),
    )
    counts = np.zeros(len(ids), dtype=np.int64)
    at, rated_before = places(some, ids)
    counts[rated_before] = reveals[at]
    return counts


def _read_verdicts(connection: Connection, study_id: int, judge_id: int, names: LabelNames) -> VerdictColumns:
    table, criteria = schema.judgement, {name: place for place, name in enumerate(names.criteria)}
    mine = [table.c.study_id == study_id, table.c.judge_id == judge_id, first_labels_only()]
    unit, label, criterion = _read_in_groups(
        connection,
        (criteria,),
        (table.c.criterion,),
        (table.c.unit_id, _code(table.c.label, names.labels)),
        (*mine, table.c.status == "ok"),
    )
    failed = tuple(
        (criteria[row.criterion], row.unit_id, row.status)
        for row in connection.execute(
            select(table.c.criterion, table.c.unit_id, table.c.status)
            .where(*mine, table.c.status != "ok")
            .order_by(table.c.unit_id, table.c.criterion)
        )
        if row.criterion in criteria
    )
    return VerdictColumns(unit, label, criterion, failed)


def _code(column: ColumnElement[str], known: Sequence[str]) -> ColumnElement[int]:
    return case({name: number for number, name in enumerate(known)}, value=column, else_=-1)


def _read_in_groups(
    connection: Connection,
    names: Sequence[Mapping[str, int]],
    groups: Sequence[ColumnElement[str]],
    columns: Sequence[ColumnElement[int]],
    conditions: Sequence[ColumnElement[bool]],
) -> list[IntArray]:
    """Columns of whole numbers, after them what each group of rows is called by `names`; rows called
    otherwise are left out.

    The names of a million rows are few, and an index holds the rows by them: told apart by group they need
    not be compared row by row.
    """
    columns_read: list[list[IntArray]] = [[np.zeros(0, dtype=np.int64)] for _ in (*columns, *groups)]
    for row in connection.execute(
        select(*groups, *map(joined, columns)).where(*conditions).group_by(*groups)
    ):
        called = [codes.get(name) for codes, name in zip(names, row, strict=False)]
        if None not in called:
            read = [numbers(text) for text in row[len(groups) :]]
            for column, values in zip(
                columns_read,
                (*read, *(np.full(len(read[0]), code, dtype=np.int64) for code in called)),
                strict=True,
            ):
                column.append(values)
    return [np.concatenate(column) for column in columns_read]
