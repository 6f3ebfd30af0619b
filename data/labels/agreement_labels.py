"""Labels that count, row by row: those of one criterion or of one rater, not of a whole large study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, select

from data import schema
from data.labels.counted import counted_ratings, counted_verdicts
from data.record.rater_identities import rater_identities
from scoring.agreement.labels.label_data import Arm


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label (None: cannot rate) of one rater or judge."""

    criterion: str
    unit_id: int
    position: int
    who: int
    label: str | None


def human_labels(
    connection: Connection, study_id: int, arm: Arm, units_of: int | None = None, criterion: str | None = None
) -> list[LabelRow]:
    """Return people's labels that count in an arm, one row per rater, unit and criterion.

    A confirmed imported rater has the number of the person. `units_of`: only units revealed to this rater;
    `criterion`: only this one; None for all.
    """
    rating = schema.rating
    statement = counted_ratings(study_id, arm).with_only_columns(
        rating.c.criterion, rating.c.unit_id, schema.unit.c.position, rating.c.rater_id, rating.c.label
    )
    if criterion is not None:
        statement = statement.where(rating.c.criterion == criterion)
    persons = rater_identities(connection, study_id)
    return [
        LabelRow(row.criterion, row.unit_id, row.position, persons.get(row.rater_id, row.rater_id), row.label)
        for row in connection.execute(_only(statement, rating.c.unit_id, units_of))
    ]


def judge_labels(
    connection: Connection, study_id: int, judge_id: int, units_of: int | None = None
) -> list[LabelRow]:
    """Return the judge's labels that count, one row per unit and criterion; failures are left out.

    `units_of`: only units on which the judge was revealed to this rater; None for all.
    """
    table = schema.judgement
    statement = (
        select(table.c.criterion, table.c.unit_id, schema.unit.c.position, table.c.judge_id, table.c.label)
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(
            table.c.study_id == study_id,
            table.c.judge_id == judge_id,
            table.c.status == "ok",
            *counted_verdicts(),
        )
    )
    return [
        LabelRow(*row) for row in connection.execute(_only(statement, table.c.unit_id, units_of, judge_id))
    ]


def failures(
    connection: Connection, study_id: int, judge_id: int, units_of: int | None = None
) -> dict[str, int]:
    """Return kind of failure -> number of the judge's answers that count and are no label.

    `units_of`: only units on which the judge was revealed to this rater; None for all.
    """
    table = schema.judgement
    statement = (
        select(table.c.status, func.count())
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(
            table.c.study_id == study_id,
            table.c.judge_id == judge_id,
            table.c.status != "ok",
            *counted_verdicts(),
        )
        .group_by(table.c.status)
    )
    return dict(connection.execute(_only(statement, table.c.unit_id, units_of, judge_id)).all())


def _only(
    statement: Select[Any], unit_column: ColumnElement[int], units_of: int | None, judge_id: int | None = None
) -> Select[Any]:
    if units_of is None:
        return statement
    shown = schema.exposure
    revealed = and_(shown.c.rater_id == units_of, shown.c.unit_id == unit_column)
    return statement.where(
        exists().where(revealed if judge_id is None else and_(revealed, shown.c.judge_id == judge_id))
    )


def rating_count(connection: Connection, study_id: int) -> int:
    """Return the number of ratings of a study, of every kind."""
    return int(
        connection.execute(
            select(func.count()).select_from(schema.rating).where(schema.rating.c.study_id == study_id)
        ).scalar()
        or 0
    )
