"""Labels of a study as columns of whole numbers, without an object for any of a million rows. What was read
once is kept for the next reader, to which only the rows are added that came since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import ColumnElement, Connection, case, select

from data import schema
from data.labels.counted import ARMS as EXPOSURES
from data.record.judgements import first_labels_only
from data.record.known_words import was_unseen
from data.store.column_texts import joined, numbers, places
from data.store.kept_parts import grow_part, keep_part
from scoring.agreement.labels.label_data import ARMS
from scoring.arrays import IntArray, Mask, choose_rows, join_tables, small_column

REFUSED = -2  # instead of a label: it cannot be rated


@dataclass(frozen=True, eq=False)
class RatingColumns:
    """All that people answered, no label that a rule filled in. `label`: its place among all labels, REFUSED
    for "cannot rate", -1 for one that is not there; `criterion` and `arm` by their places. `reveals_before`:
    how many reveals the rater had seen.
    """

    id: IntArray = small_column()
    unit: IntArray = small_column()
    rater: IntArray = small_column()
    label: IntArray = small_column()
    criterion: IntArray = small_column()
    arm: IntArray = small_column()
    reveals_before: IntArray = small_column()

    def where(self, rows: Mask) -> RatingColumns:
        return self if rows.all() else choose_rows(self, rows)

    def join(self, other: RatingColumns) -> RatingColumns:
        return join_tables([self, other])


@dataclass(frozen=True, eq=False)
class VerdictColumns:
    """The first verdicts of a judge, and what has none: (criterion, unit, status) of each, in the order of
    the units.
    """

    unit: IntArray = small_column()
    label: IntArray = small_column()
    criterion: IntArray = small_column()
    failed: tuple[tuple[int, int, str], ...] = ()


def read_ratings(
    connection: Connection,
    study_id: int,
    criteria: Sequence[str],
    labels: Sequence[str],
    since: str = "",
    until: str = "",
) -> RatingColumns:
    """`criteria`, `labels`: their names, in the order of their places. `since`, `until`: moments as the store
    writes them.
    """
    rating = schema.rating
    within = [*([rating.c.at >= since] if since else ()), *([rating.c.at < until] if until else ())]
    if within:
        return _read_ratings(connection, study_id, criteria, labels, within)
    return grow_part(
        connection,
        study_id,
        ("ratings", *criteria, *labels),
        rating,
        lambda after: _read_ratings(
            connection, study_id, criteria, labels, (rating.c.id > after,) if after else ()
        ),
        RatingColumns.join,
        (schema.seen_elsewhere,),
    )


def read_verdicts(
    connection: Connection, study_id: int, judge_id: int, criteria: Sequence[str], labels: Sequence[str]
) -> VerdictColumns:
    return keep_part(
        connection,
        study_id,
        ("verdicts", judge_id, *criteria, *labels),
        (schema.judgement,),
        lambda: _read_verdicts(connection, study_id, judge_id, criteria, labels),
    )


def _read_ratings(
    connection: Connection,
    study_id: int,
    criteria: Sequence[str],
    labels: Sequence[str],
    within: Sequence[ColumnElement[bool]],
) -> RatingColumns:
    rating = schema.rating
    ids, unit, rater, label, criterion, arm = _read_in_groups(
        connection,
        (
            {name: place for place, name in enumerate(criteria)},
            {exposure: place for place, arm in enumerate(ARMS) for exposure in EXPOSURES[arm]},
        ),
        (rating.c.criterion, rating.c.exposure),
        (
            rating.c.id,
            rating.c.unit_id,
            rating.c.rater_id,
            case((rating.c.label.is_(None), REFUSED), else_=_code(rating.c.label, labels)),
        ),
        (_of_study(study_id, bool(within)), rating.c.source != "rule", was_unseen(rating), *within),
    )
    reveals_before = _reveals_before(connection, study_id, ids, within)
    return RatingColumns(ids, unit, rater, label, criterion, arm, reveals_before)


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


def _read_verdicts(
    connection: Connection, study_id: int, judge_id: int, criteria: Sequence[str], labels: Sequence[str]
) -> VerdictColumns:
    table, names = schema.judgement, {name: place for place, name in enumerate(criteria)}
    mine = [table.c.study_id == study_id, table.c.judge_id == judge_id, first_labels_only()]
    unit, label, criterion = _read_in_groups(
        connection,
        (names,),
        (table.c.criterion,),
        (table.c.unit_id, _code(table.c.label, labels)),
        (*mine, table.c.status == "ok"),
    )
    failed = tuple(
        (names[row.criterion], row.unit_id, row.status)
        for row in connection.execute(
            select(table.c.criterion, table.c.unit_id, table.c.status)
            .where(*mine, table.c.status != "ok")
            .order_by(table.c.unit_id, table.c.criterion)
        )
        if row.criterion in names
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
