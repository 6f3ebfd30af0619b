"""What raters say of pairs of steps before their score was shown to them. Nothing here is ever updated: the
last row counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select

from data import schema
from data.record.set_aside import raters_set_aside
from data.record.units import Unit
from data.schema.vocabulary import StepVerdict, UnitKind
from data.store import event_ids
from data.store.errors import Refused
from data.store.trail import TrailEntry

Places = tuple[int, int]  # of the model step and of the gold step, from 0


@dataclass(frozen=True)
class RatedStepPair:
    """`inputs`: the digest of the steps. `shared`, `words`: different words that both have, and have in
    all.
    """

    inputs: str
    model_step: int
    gold_step: int
    shared: int
    words: int

    @property
    def places(self) -> Places:
        return self.model_step, self.gold_step


@dataclass(frozen=True)
class StepPairRating:
    """The last word of a rater on a pair of a conversation."""

    conversation_id: int
    rater_id: int
    pair: RatedStepPair
    verdict: StepVerdict


@dataclass(frozen=True)
class StepExposures:
    """The digests of all steps whose pairs were shown to a rater, and their conversations."""

    inputs: frozenset[str]
    conversations: frozenset[int]


@dataclass(frozen=True)
class StoredVerdict:
    id: int
    verdict: StepVerdict


def rate(
    connection: Connection,
    entry: TrailEntry,
    unit: Unit,
    rater_id: int,
    event: str,
    pair: RatedStepPair,
    verdict: StepVerdict,
) -> bool:
    """Save a rater's verdict on a pair; return whether something was saved.

    The same event, or the same verdict, changes nothing. Raise Refused once the scores were shown to the
    rater, and for an event saved with something else.
    """
    table = schema.step_pair_rating
    subject = {
        "rater_id": rater_id,
        "unit_id": unit.id,
        "inputs": pair.inputs,
        "model_step": pair.model_step,
        "gold_step": pair.gold_step,
    }
    if event_ids.is_kept(connection, table, event, {**subject, "verdict": verdict.value}):
        return False
    if scores_shown(connection, rater_id, unit.id, pair.inputs):
        raise Refused("step_scores_shown")
    before = current(connection, rater_id, unit.id, pair.inputs).get(pair.places)
    if before and before.verdict == verdict:
        return False
    entry.write(
        table,
        {
            "event": event,
            **subject,
            "shared": pair.shared,
            "words": pair.words,
            "verdict": verdict.value,
            "replaces": before.id if before else None,
        },
    )
    return True


def show_scores(
    connection: Connection, entry: TrailEntry, unit: Unit, rater_id: int, event: str, inputs: str
) -> bool:
    """Record that a rater is shown the scores of the steps of a unit, before they are. Returns whether it was
    not recorded yet.
    """
    subject = {"rater_id": rater_id, "unit_id": unit.id, "inputs": inputs}
    if event_ids.is_kept(connection, schema.step_exposure, event, subject):
        return False
    if scores_shown(connection, rater_id, unit.id, inputs):
        return False
    entry.write(schema.step_exposure, {"event": event, **subject})
    return True


def scores_shown(connection: Connection, rater_id: int, unit_id: int, inputs: str) -> bool:
    """Tell whether this rater was shown scores of the same steps, or of any steps of the unit's
    conversation.

    Of a hidden repeat only its own scores count: it looks as it did the first time, and its answers count
    nowhere.
    """
    table, unit = schema.step_exposure, schema.unit
    asked = connection.execute(select(unit.c.kind, unit.c.conversation_id).where(unit.c.id == unit_id)).one()
    same = table.c.unit_id == unit_id
    if asked.kind == UnitKind.LISTED:
        same = or_(table.c.inputs == inputs, unit.c.conversation_id == asked.conversation_id)
    row = connection.execute(
        select(table.c.id).join(unit, unit.c.id == table.c.unit_id).where(table.c.rater_id == rater_id, same)
    )
    return row.first() is not None


def exposures_of(connection: Connection, rater_id: int) -> StepExposures:
    """Return which steps and conversations a rater was shown scores of."""
    table, unit = schema.step_exposure, schema.unit
    rows = connection.execute(
        select(table.c.inputs, unit.c.conversation_id)
        .join(unit, unit.c.id == table.c.unit_id)
        .where(table.c.rater_id == rater_id)
    ).all()
    return StepExposures(
        frozenset(row.inputs for row in rows), frozenset(row.conversation_id for row in rows)
    )


def current(connection: Connection, rater_id: int, unit_id: int, inputs: str) -> dict[Places, StoredVerdict]:
    """Return (model step, gold step) -> the rater's last verdict."""
    table = schema.step_pair_rating
    rows = connection.execute(
        select(table.c.id, table.c.model_step, table.c.gold_step, table.c.verdict)
        .where(table.c.rater_id == rater_id, table.c.unit_id == unit_id, table.c.inputs == inputs)
        .order_by(table.c.id)
    )
    return {(row.model_step, row.gold_step): StoredVerdict(row.id, StepVerdict(row.verdict)) for row in rows}


def of_study(connection: Connection, study_id: int) -> list[StepPairRating]:
    """Return the last verdict of each rater on each pair, oldest first.

    Raters who are set aside and hidden repeats are left out.
    """
    table, unit = schema.step_pair_rating, schema.unit
    newest = (
        select(func.max(table.c.id))
        .join(unit, unit.c.id == table.c.unit_id)
        .where(unit.c.study_id == study_id, unit.c.kind == UnitKind.LISTED)
        .group_by(table.c.rater_id, table.c.unit_id, table.c.inputs, table.c.model_step, table.c.gold_step)
    )
    rows = connection.execute(
        select(table, unit.c.conversation_id)
        .join(unit, unit.c.id == table.c.unit_id)
        .where(table.c.id.in_(newest))
        .order_by(table.c.id)
    )
    aside = raters_set_aside(connection, study_id)
    return [
        StepPairRating(
            row.conversation_id,
            row.rater_id,
            RatedStepPair(row.inputs, row.model_step, row.gold_step, row.shared, row.words),
            StepVerdict(row.verdict),
        )
        for row in rows
        if row.rater_id not in aside
    ]
