"""On which day each unit was labelled, as columns of whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Integer, Select, Table, case, cast, func, literal, select

from data import schema
from data.record.judgements import of_the_study
from data.store.column_texts import joined, numbers
from data.store.kept_parts import grow_part
from scoring.arrays import IntArray, small_column
from scoring.drift.periods import UNKNOWN, day_of

WRITTEN = 29  # characters of a moment as the store writes it
EPOCH_JULIAN = 2440587.5


@dataclass(frozen=True, eq=False)
class LabelDays:
    """(N,) each, in the order of raters and units: the first known day on which a rater labelled a unit, in
    days since 1970-01-01 in UTC. Rater 0: a judge.
    """

    rater: IntArray = small_column()
    unit: IntArray = small_column()
    day: IntArray = small_column()

    def join(self, other: LabelDays) -> LabelDays:
        """Return the first known day of each rater and unit in either of the two."""
        return first_days(
            *(
                np.concatenate(pair)
                for pair in ((self.rater, other.rater), (self.unit, other.unit), (self.day, other.day))
            )
        )


def first_days(rater: IntArray, unit: IntArray, day: IntArray) -> LabelDays:
    """Return the first known day of each rater and unit, sorted by rater, then unit.

    The rows may be in any order; those whose day is UNKNOWN (-1) are left out.
    """
    known = day > UNKNOWN
    rater, unit, day = rater[known], unit[known], day[known]
    order = np.lexsort((day, unit, rater))
    rater, unit, day = rater[order], unit[order], day[order]
    first = np.ones(len(day), dtype=bool)
    first[1:] = (rater[1:] != rater[:-1]) | (unit[1:] != unit[:-1])
    return LabelDays(rater[first], unit[first], day[first])


def read_rated_days(connection: Connection, study_id: int) -> LabelDays:
    """Return the day of each commit, and the day that a file gave for an imported rating.

    An imported rating without a day in its file is left out: the moment of the import is no such day.
    """
    commit, rating, rater, trail = schema.commit, schema.rating, schema.rater, schema.trail

    def read_commits(after: int) -> LabelDays:
        behind = (commit.c.id > after,) if after else ()
        return _read_days(
            connection,
            select()
            .join_from(commit, rater, rater.c.id == commit.c.rater_id)
            .where(rater.c.study_id == study_id, *behind),
            commit.c.at,
            (commit.c.rater_id, commit.c.unit_id),
        )

    def read_imported(after: int) -> LabelDays:
        # "+ 0" keeps SQLite from the index of all the study's ratings, where a few of them are wanted.
        within = (rating.c.study_id + 0 == study_id, rating.c.id > after) if after else ()
        return _read_days(
            connection,
            select()
            .join_from(rating, trail, trail.c.seq == rating.c.trail)
            .where(
                *(within or (rating.c.study_id == study_id,)),
                rating.c.source == "imported",
                _states_moment(rating),
            ),
            rating.c.at,
            (rating.c.rater_id, rating.c.unit_id),
        )

    return grow_part(connection, study_id, "days of commits", commit, read_commits, LabelDays.join).join(
        grow_part(connection, study_id, "days of files", rating, read_imported, LabelDays.join)
    )


def stated_moment(table: Table, is_imported: ColumnElement[bool]) -> ColumnElement[str | None]:
    """Return when the answer of a row was given; null for an imported one whose file does not say it. The row
    must be joined with its entry of the trail.
    """
    return case((is_imported & ~_states_moment(table), None), else_=table.c.at)


def _states_moment(table: Table) -> ColumnElement[bool]:
    """Return the SQL condition that the file of an imported row states its time: without one, the row has the
    time of its entry in the trail.
    """
    return table.c.at != schema.trail.c.at


def read_judged_days(connection: Connection, study_id: int, judge_id: int) -> LabelDays:
    """Return the day of a judge's first answer to each unit, with rater 0.

    A judge asked by this program answered when the answer was written; an imported one when its file says
    so.
    """
    table, trail, tried = schema.judgement, schema.trail, schema.attempt
    is_asked = connection.execute(
        select(select(tried.c.id).where(tried.c.judge_id == judge_id).exists())
    ).scalar()

    def read_answers(after: int) -> LabelDays:
        behind = (table.c.id > after,) if after else ()
        answers = select().where(
            table.c.study_id == study_id, table.c.judge_id == judge_id, of_the_study(), *behind
        )
        if not is_asked:
            answers = answers.join_from(table, trail, trail.c.seq == table.c.trail).where(
                _states_moment(table)
            )
        return _read_days(connection, answers, table.c.at, (literal(0), table.c.unit_id))

    return grow_part(
        connection,
        study_id,
        ("days of a judge", judge_id, bool(is_asked)),
        table,
        read_answers,
        LabelDays.join,
    )


def _read_days(
    connection: Connection,
    rows: Select[Any],
    at: ColumnElement[str],
    rater_and_unit: Sequence[ColumnElement[int]],
) -> LabelDays:
    """Of rows without an object for any of those whose moment is written as the store writes it."""
    day = func.substr(at, 1, 10)
    is_plain = (func.length(at) == WRITTEN) & at.like("%+00:00") & (func.date(day) == day)
    plain = connection.execute(
        rows.add_columns(
            *map(joined, (*rater_and_unit, cast(func.julianday(day) - EPOCH_JULIAN, Integer)))
        ).where(is_plain)
    ).one()
    rater, unit, days = map(numbers, plain)
    others = [
        (who, of_unit, day_of(moment))
        for who, of_unit, moment in connection.execute(
            rows.add_columns(*rater_and_unit, at).where(~func.coalesce(is_plain, False))
        )
    ]
    other = np.array(others, dtype=np.int64).reshape(-1, 3)
    return first_days(
        np.concatenate([rater, other[:, 0]]),
        np.concatenate([unit, other[:, 1]]),
        np.concatenate([np.maximum(days, UNKNOWN), other[:, 2]]),
    )
