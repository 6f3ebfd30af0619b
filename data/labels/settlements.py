"""Settlements that hold: the label that a named person decided on, and whether they had seen the judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Select, func, select

from data import schema
from data.labels.counted import counted_ratings
from data.record.units import Unit
from data.store import content
from data.store.errors import NotFound

Trigger = Literal["human_human", "human_judge", "escalation"]
CAUSES = {
    "confirmed": "as the clinicians saw it",
    "judge_error": "the judge is wrong",
    "rater_slip": "a rater slipped",
    "rubric_ambiguous": "the rubric can be read in two ways",
    "context_missing": "something needed is not in the conversation",
    "legitimate_difference": "both readings may stand",
}
BOTH_STAND = "legitimate_difference"


@dataclass(frozen=True)
class Settlement:
    """A settlement that holds: the last of its criterion and unit. `reopened`: blind labels came since, so it
    waits in the queue again.
    """

    id: int
    unit_id: int
    position: int
    criterion: str
    trigger: Trigger
    label: str | None
    cause: str
    judge_seen: bool
    rater_id: int
    by: str
    at: str
    reopened: bool

    @property
    def is_reference(self) -> bool:
        """Whether the label may stand as the truth beside labels that people gave blind.

        Only what settled people's own disagreement by somebody who had not seen the judge: settling the
        disagreements with the judge would move the truth toward the judge.
        """
        return (
            self.trigger == "human_human"
            and not self.judge_seen
            and self.label is not None
            and not self.reopened
        )


@dataclass(frozen=True)
class RubricNote:
    """What somebody who settled a label would change in the rubric."""

    criterion: str
    position: int
    text: str
    by: str
    at: str


def settled(connection: Connection, study_id: int) -> list[Settlement]:
    """Return the settlements in force, by position and criterion; not all of them are reference labels."""
    return _read(connection, study_id)


def current(connection: Connection, unit_id: int, criterion: str) -> Settlement | None:
    """Return the settlement in force of one criterion of a unit; None if there is none.

    Raise NotFound ("not_in_study") for an unknown unit.
    """
    study_id = connection.execute(select(schema.unit.c.study_id).where(schema.unit.c.id == unit_id)).scalar()
    if study_id is None:
        raise NotFound("not_in_study")
    return next(iter(_read(connection, study_id, unit_id, criterion)), None)


def of_unit(connection: Connection, unit: Unit) -> list[Settlement]:
    """Return the settlements in force of one unit, by criterion."""
    return _read(connection, unit.study_id, unit.id)


def has_settled(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Tell whether this person has ever settled anything of the unit, replaced settlements included."""
    table = schema.adjudication
    own = select(table.c.id).where(table.c.unit_id == unit.id, table.c.rater_id == rater_id).limit(1)
    return connection.execute(own).first() is not None


def reason(connection: Connection, settled_id: int) -> str | None:
    """Return the reason of a settlement; None where there is no such settlement or its words were erased."""
    table = schema.adjudication
    return content.get(
        connection,
        connection.execute(select(table.c.reason_content).where(table.c.id == settled_id)).scalar(),
    )


def rubric_notes(connection: Connection, study_id: int) -> list[RubricNote]:
    """Return what people would change in the rubric, by criterion, latest first.

    Notes of replaced settlements are included; erased ones are not.
    """
    table = schema.adjudication
    rows = connection.execute(
        select(
            table.c.criterion, schema.unit.c.position, schema.content.c.text, schema.rater.c.name, table.c.at
        )
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .join(schema.rater, schema.rater.c.id == table.c.rater_id)
        .join(schema.content, schema.content.c.id == table.c.rubric_note_content)
        .where(table.c.study_id == study_id, schema.content.c.text.is_not(None))
        .order_by(table.c.criterion, table.c.id.desc())
    )
    return [RubricNote(*row) for row in rows]


def _read(
    connection: Connection, study_id: int, unit_id: int | None = None, criterion: str | None = None
) -> list[Settlement]:
    table, rating = schema.adjudication, schema.rating
    latest = latest_settlements(study_id)
    if unit_id is not None:
        latest = latest.where(table.c.unit_id == unit_id)
    if criterion is not None:
        latest = latest.where(table.c.criterion == criterion)
    rows = connection.execute(
        select(table, schema.unit.c.position, schema.rater.c.name)
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .join(schema.rater, schema.rater.c.id == table.c.rater_id)
        .where(table.c.id.in_(latest))
        .order_by(schema.unit.c.position, table.c.criterion)
    ).all()
    if not rows:
        return []
    newest = connection.execute(
        counted_ratings(study_id, "blind", None if unit_id is None else (unit_id,))
        .with_only_columns(rating.c.unit_id, rating.c.criterion, func.max(rating.c.trail))
        .where(rating.c.label.is_not(None))
        .group_by(rating.c.unit_id, rating.c.criterion)
    )
    last = {(unit, name): trail for unit, name, trail in newest}
    return [
        Settlement(
            row.id,
            row.unit_id,
            row.position,
            row.criterion,
            row.trigger,
            row.label,
            row.cause,
            bool(row.judge_seen),
            row.rater_id,
            row.name,
            row.at,
            last.get((row.unit_id, row.criterion), 0) > row.trail,
        )
        for row in rows
    ]


def latest_settlements(study_id: int) -> Select[Any]:
    """Return a statement that selects, as "id", the last settlement of each unit and criterion."""
    table = schema.adjudication
    return (
        select(func.max(table.c.id).label("id"))
        .where(table.c.study_id == study_id)
        .group_by(table.c.unit_id, table.c.criterion)
    )
