"""Opening a unit to settle its labels, which shows what colleagues said, and what a person counts as having
seen of its judge. Who may open one: data/access/permissions.py.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection, select

from data import schema
from data.access.permissions import Action, Person, read_rater, require
from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.store.trail import TrailEntry
from data.work import conflicts, exposures
from data.work.rated_units import with_repeats

JudgeSight = Literal["open", "unit", "study"]


def original(connection: Connection, unit: Unit) -> Unit:
    """The unit itself, or the one that a repeat shows again."""
    shown = connection.execute(
        select(schema.repeat.c.of_unit_id).where(schema.repeat.c.unit_id == unit.id)
    ).scalar()
    return unit if shown is None else units.get(connection, shown)


def open_unit(connection: Connection, entry: TrailEntry, study: Study, unit: Unit, rater_id: int) -> None:
    """Record that a unit is opened, before it is: its conversation is never given to this person to rate.
    Raises NotPermitted.
    """
    person = Person(read_rater(connection, study, rater_id))
    require(connection, person, Action.SETTLE_UNIT, study, unit)
    if not has_opened(connection, unit, rater_id):
        conflicts.bar_opened(entry, rater_id, unit.conversation_id)


def has_opened(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Whether it is recorded that this person opened the unit's conversation."""
    return unit.conversation_id in conflicts.seen_conversations(connection, rater_id)


def judge_sight(
    connection: Connection, study: Study, unit: Unit, rater_id: int, before: int | None = None
) -> JudgeSight | None:
    """What makes this person count as having seen the unit's judge; None where nothing does. `before`: at
    that place in the trail.

    `open`: the study shows the judge to everybody; `unit`: the judge of this unit was shown; `study`: the
    labels of the whole study were, and which of them were looked at is unknown.
    """
    if study.review == "open":
        return "open"
    if any(
        exposures.revealed(connection, rater_id, unit_id, before)
        for unit_id in with_repeats(connection, unit)
    ):
        return "unit"
    return "study" if exposures.saw_page(connection, rater_id, before) else None
