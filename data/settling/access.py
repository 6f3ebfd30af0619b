"""Who may open a unit to settle it. Opening shows what colleagues said, so whoever could still rate it blind
may not see it first.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection, select

from data import schema
from data.record import studies, units
from data.record.rater_identities import rater_ids_of_person
from data.record.studies import Study, unit_count
from data.record.units import Unit
from data.schema.vocabulary import UnitKind
from data.store.errors import NotFound, Refused
from data.store.trail import TrailEntry
from data.work import conflicts, exposures, roles, worklist
from data.work.still_to_come import on_list

JudgeSight = Literal["open", "unit", "study"]
OTHER_STUDY = "This belongs to another study."


def original(connection: Connection, unit: Unit) -> Unit:
    """The unit itself, or the one that a repeat shows again."""
    shown = connection.execute(
        select(schema.repeat.c.of_unit_id).where(schema.repeat.c.unit_id == unit.id)
    ).scalar()
    return unit if shown is None else units.get(connection, shown)


def refused_to_open(connection: Connection, study: Study, unit: Unit, rater_id: int) -> str | None:
    """Why this person may not see what was said of this unit, in a sentence; None where they may."""
    if unit.study_id != study.id or unit.kind != UnitKind.LISTED:
        return OTHER_STUDY
    rater = studies.rater(connection, rater_id)
    if rater.study_id != study.id or rater.kind != "person":
        return "Only a person of this study settles its labels: choose your name."
    if _must_not_rate(connection, unit, rater_id):
        return "It is noted that this conversation is not for you; somebody else settles it."
    if worklist.planned(connection, study):
        return (
            "This is on your own list to rate; somebody else settles it."
            if _on_list(connection, unit, rater_id)
            else None
        )
    if roles.is_settler(connection, rater_id):
        return None
    left = unit_count(connection, study.id) - units.rater_progress(connection, rater_id).committed
    if left > 0 and study.review != "open" and not exposures.saw_page(connection, rater_id):
        return f"You have {left:,} left to rate blind, and settling shows what colleagues said."
    return None


def refused_to_settle(connection: Connection, study: Study, unit: Unit, rater_id: int) -> str | None:
    """Why this person may not settle labels of this unit; None where they may."""
    if has_rated(connection, unit, rater_id):
        return "You rated this yourself; somebody else settles it."
    return refused_to_open(connection, study, unit, rater_id)


def open_unit(connection: Connection, entry: TrailEntry, study: Study, unit: Unit, rater_id: int) -> None:
    """Record that a unit is opened, before it is: its conversation is never given to this person to rate.
    Raises Refused.
    """
    refused = refused_to_settle(connection, study, unit, rater_id)
    if refused:
        raise Refused(refused)
    if not has_opened(connection, unit, rater_id):
        conflicts.bar_opened(entry, rater_id, unit.conversation_id)


def has_opened(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Whether it is recorded that this person opened the unit's conversation."""
    return unit.conversation_id in conflicts.seen_conversations(connection, rater_id)


def has_rated(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Whether this person rated the unit, or a repeat of it, here or in a file that is confirmed to be
    theirs.
    """
    first_rating = connection.execute(
        select(schema.rating.c.id)
        .where(
            schema.rating.c.rater_id.in_(rater_ids_of_person(connection, rater_id)),
            schema.rating.c.unit_id.in_(_with_repeats(connection, unit)),
        )
        .limit(1)
    )
    return first_rating.first() is not None


def judge_sight(
    connection: Connection, study: Study, unit: Unit, rater_id: int, before: int | None = None
) -> JudgeSight | None:
    """What makes this person count as having seen the unit's judge; None where nothing does. `before`: at
    that place in the trail.

    `open`: the study shows the judge to everybody; `unit`: the judge of this unit was shown; `study`: the
    labels of the whole study were, and nobody can tell which of them were looked at.
    """
    if study.review == "open":
        return "open"
    if any(
        exposures.revealed(connection, rater_id, unit_id, before)
        for unit_id in _with_repeats(connection, unit)
    ):
        return "unit"
    return "study" if exposures.saw_page(connection, rater_id, before) else None


def _with_repeats(connection: Connection, unit: Unit) -> list[int]:
    return [
        unit.id,
        *connection.execute(
            select(schema.repeat.c.unit_id).where(schema.repeat.c.of_unit_id == unit.id)
        ).scalars(),
    ]


def _on_list(connection: Connection, unit: Unit, rater_id: int) -> bool:
    """Whether the person holds the unit, or a repeat of it, or left it for later."""
    return (
        connection.execute(
            select(schema.unit.c.id)
            .where(schema.unit.c.id.in_(_with_repeats(connection, unit)), on_list(schema.unit.c.id, rater_id))
            .limit(1)
        ).first()
        is not None
    )


def _must_not_rate(connection: Connection, unit: Unit, rater_id: int) -> bool:
    rules = conflicts.stated_rules(connection, rater_id)
    return bool(conflicts.barred_conversations(connection, rules, {unit.conversation_id}))


def person_key(connection: Connection, study: Study, rater_id: int) -> studies.Rater:
    """The rater, if a person of this study. Raises Refused."""
    try:
        rater = studies.rater(connection, rater_id)
    except NotFound as error:
        raise Refused(str(error)) from None
    if rater.study_id != study.id or rater.kind != "person":
        raise Refused("Choose your name: this carries the name of a person of this study.")
    return rater
