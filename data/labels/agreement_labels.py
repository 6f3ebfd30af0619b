"""Labels for agreement: who said what of which unit, kept apart by what had been shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, select

from data import schema
from data.record.judgements import first_labels_only
from data.record.rater_identities import counts_once, rater_identities
from data.work.practice import given_for_real
from scoring.agreement.labels.label_data import Arm

ARMS: dict[Arm, tuple[str, ...]] = {
    "blind": ("blind",),
    "shown": ("revealed", "open", "page", "judge_visible"),
    "unknown": ("unknown",),
}


def arm_of(exposure: str) -> Arm | None:
    """The arm in which a rating of this exposure is counted."""
    return next((arm for arm, exposures in ARMS.items() if exposure in exposures), None)


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
    """The last label of each rater in an arm. Labels filled in by rule are nobody's judgement and stay out,
    and so do practice and hidden repeats (data/work/practice.py).

    `units_of` limits to the units that were revealed to that rater.
    """
    rating, later = schema.rating, schema.rating.alias()
    superseded = exists().where(
        later.c.rater_id == rating.c.rater_id,
        later.c.unit_id == rating.c.unit_id,
        later.c.criterion == rating.c.criterion,
        later.c.id > rating.c.id,
        later.c.exposure.in_(ARMS[arm]),
    )
    statement = (
        select(
            rating.c.criterion, rating.c.unit_id, schema.unit.c.position, rating.c.rater_id, rating.c.label
        )
        .join(schema.unit, schema.unit.c.id == rating.c.unit_id)
        .where(
            rating.c.study_id == study_id,
            rating.c.exposure.in_(ARMS[arm]),
            rating.c.source != "rule",
            ~superseded,
            counts_once(rating, ARMS[arm]),
            *given_for_real(rating),
        )
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
    """The judge's first verdict on each unit and criterion; failures are not labels and stay out."""
    table = schema.judgement
    statement = (
        select(table.c.criterion, table.c.unit_id, schema.unit.c.position, table.c.judge_id, table.c.label)
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(
            table.c.study_id == study_id,
            table.c.judge_id == judge_id,
            table.c.status == "ok",
            first_labels_only(),
        )
    )
    return [
        LabelRow(*row) for row in connection.execute(_only(statement, table.c.unit_id, units_of, judge_id))
    ]


def failures(
    connection: Connection, study_id: int, judge_id: int, units_of: int | None = None
) -> dict[str, int]:
    """How many calls of a judge ended without a label, by kind."""
    table = schema.judgement
    statement = (
        select(table.c.status, func.count())
        .where(
            table.c.study_id == study_id,
            table.c.judge_id == judge_id,
            table.c.status != "ok",
            first_labels_only(),
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
    return int(
        connection.execute(
            select(func.count()).select_from(schema.rating).where(schema.rating.c.study_id == study_id)
        ).scalar()
        or 0
    )
