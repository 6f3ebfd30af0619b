"""Anchors: conversations whose labels were settled, frozen in numbered sets, and what judges answered to them, time after time.

Every label is asked ANSWERS times in a round, because one answer of a judge that changes its mind tells little. Round r holds replicates
r * ANSWERS and those after it, so that the first round begins with the verdict itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from data import schema
from data.errors import Refused
from data.judgements import current_verdict
from data.studies import Study
from data.trail import Entry
from data.units import readable
from scoring.drift.on_anchors import ANSWERS, Answer
from scoring.drift.periods import EPOCH, UNKNOWN

NONE_YET = "This study has no anchors yet. A study lead freezes some on the Drift page, under \"The judge\"."
Labels = Mapping[tuple[int, str], str]  # (unit, criterion) -> label


@dataclass(frozen=True)
class AnchorSet:
    """`labels` as they were settled when the set was frozen."""

    id: int
    number: int
    at: str
    labels: Labels

    @property
    def unit_ids(self) -> list[int]:
        return sorted({unit_id for unit_id, _ in self.labels})


def freeze(connection: Connection, entry: Entry, study: Study, labels: Labels) -> int:
    """Keep a new set; its number. The same labels again change nothing. Raises Refused where there is none, or for a unit of another study."""
    if not labels:
        raise Refused("No label of this study is settled yet, so there is nothing to freeze. It takes labels that two clinicians gave alike "
                      "blind, or that were settled between people.")
    mine = set(connection.execute(select(schema.unit.c.id).where(schema.unit.c.study_id == study.id)).scalars())
    if {unit_id for unit_id, _ in labels} - mine:
        raise Refused("An anchor has to be a unit of this study.")
    before = newest(connection, study.id)
    if before is not None and dict(before.labels) == dict(labels):
        return before.number
    number = before.number + 1 if before else 1
    made = entry.write(schema.anchor_set, {"study_id": study.id, "number": number})
    entry.write_many(schema.anchor, [{"set_id": made, "unit_id": unit_id, "criterion": criterion, "label": label}
                                     for (unit_id, criterion), label in sorted(labels.items())])
    return number


def newest(connection: Connection, study_id: int) -> AnchorSet | None:
    table, one = schema.anchor_set, schema.anchor
    found = connection.execute(select(table).where(table.c.study_id == study_id).order_by(table.c.number.desc()).limit(1)).first()
    if found is None:
        return None
    rows = connection.execute(select(one.c.unit_id, one.c.criterion, one.c.label).where(one.c.set_id == found.id)).all()
    return AnchorSet(found.id, found.number, found.at, {(row.unit_id, row.criterion): row.label for row in rows})


def answers(connection: Connection, anchors: AnchorSet, judge_id: int) -> list[Answer]:
    """All that a judge answered to the anchors, in the order of the rounds; a failure that was asked again counts as its last answer."""
    table, said, unit, trail = schema.anchor, schema.judgement, schema.unit, schema.trail
    rows = connection.execute(
        select(unit.c.conversation_id, unit.c.position, table.c.unit_id, table.c.criterion, table.c.label.label("settled"), said.c.replicate,
               said.c.label, said.c.at, said.c.source, trail.c.at.label("kept_at"))
        .join(said, (said.c.unit_id == table.c.unit_id) & (said.c.criterion == table.c.criterion)).join(unit, unit.c.id == table.c.unit_id)
        .join(trail, trail.c.seq == said.c.trail)
        .where(table.c.set_id == anchors.id, said.c.judge_id == judge_id, current_verdict())
        .order_by(said.c.replicate, unit.c.position, table.c.criterion))
    return [Answer(row.conversation_id, row.position, row.criterion, row.settled, row.replicate // ANSWERS, row.label,
                   _day(row.at, row.source, row.kept_at)) for row in rows]


def _day(at: str, source: str, kept_at: str) -> int:
    """When a judge answered. An imported answer without a moment of its own has that of its import, and that is not when it was given."""
    if at == kept_at and not source.startswith("run "):
        return UNKNOWN
    try:
        return (datetime.fromisoformat(at).date() - EPOCH).days
    except ValueError:  # versions before this one kept what an imported file said as it stood
        return UNKNOWN


def round_to_ask(connection: Connection, anchors: AnchorSet, judge_id: int | None) -> int:
    """The last round that this judge began where something of it is open, else the one after it. What was erased is not open."""
    said, unit = schema.judgement, schema.unit
    there = set(connection.execute(select(unit.c.id).where(unit.c.id.in_(anchors.unit_ids), readable(unit.c.id))).scalars())
    asked = {key for key in anchors.labels if key[0] in there}
    rows = connection.execute(
        select(said.c.unit_id, said.c.criterion, said.c.replicate).where(said.c.judge_id == judge_id, said.c.unit_id.in_(anchors.unit_ids)).distinct()).all()
    known = {(row.unit_id, row.criterion, row.replicate) for row in rows if (row.unit_id, row.criterion) in asked}
    last = max((replicate // ANSWERS for _, _, replicate in known), default=0)
    open_ = len(asked) * ANSWERS - sum(replicate // ANSWERS == last for _, _, replicate in known)
    return last if open_ else last + 1


def sets(connection: Connection, study_id: int) -> int:
    """How many sets were frozen."""
    return connection.execute(select(func.count()).select_from(schema.anchor_set).where(schema.anchor_set.c.study_id == study_id)).scalar_one()
