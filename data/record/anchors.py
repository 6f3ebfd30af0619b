"""Anchors: conversations whose labels were settled, frozen in numbered sets, and what judges answered to
them, time after time.

Every label is asked ANSWERS times in a round, because one answer of a judge that changes its mind tells
little. These answers are no verdicts of the study: they have a round, and nothing but this file reads them.
What a judge said of the same label in the study stands before them as round 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, or_, select

from data import schema
from data.record.judgements import current_verdict
from data.record.studies import Study
from data.record.units import readable
from data.schema.vocabulary import JudgementOrigin
from data.store.errors import Refused
from data.store.trail import TrailEntry
from scoring.drift.anchor_answers import ANSWERS, AnchorAnswer
from scoring.drift.periods import UNKNOWN, day_of

Labels = Mapping[tuple[int, str], str]  # (unit, criterion) -> label


@dataclass(frozen=True)
class AnchorSet:
    """`labels` as they were settled when the set was frozen; `trail`: the entry that it was frozen under."""

    id: int
    number: int
    at: str
    trail: int
    labels: Labels

    @property
    def unit_ids(self) -> list[int]:
        return sorted({unit_id for unit_id, _ in self.labels})


def freeze(
    connection: Connection, entry: TrailEntry, study: Study, labels: Labels, at: str | None = None
) -> int:
    """Save the labels as a new anchor set; return its number. The same labels as the newest set change
    nothing.

    `at`: when an imported set was frozen, by its file; None for now. Raise Refused for no labels, or a unit
    of another study.
    """
    if not labels:
        raise Refused("nothing_to_fix")
    mine = set(
        connection.execute(select(schema.unit.c.id).where(schema.unit.c.study_id == study.id)).scalars()
    )
    if {unit_id for unit_id, _ in labels} - mine:
        raise Refused("anchor_elsewhere", noun=study.noun)
    before = newest(connection, study.id)
    if before is not None and dict(before.labels) == dict(labels):
        return before.number
    number = before.number + 1 if before else 1
    set_id = entry.write(schema.anchor_set, {"study_id": study.id, "number": number, "at": at})
    entry.write_many(
        schema.anchor,
        [
            {"set_id": set_id, "unit_id": unit_id, "criterion": criterion, "label": label}
            for (unit_id, criterion), label in sorted(labels.items())
        ],
    )
    return number


def newest(connection: Connection, study_id: int) -> AnchorSet | None:
    """Return the study's newest anchor set; None if there is none."""
    table = schema.anchor_set
    row = connection.execute(
        select(table).where(table.c.study_id == study_id).order_by(table.c.number.desc()).limit(1)
    ).first()
    return None if row is None else _with_labels(connection, row)


def every_set(connection: Connection, study_id: int) -> list[AnchorSet]:
    """Return the study's anchor sets, oldest first."""
    table = schema.anchor_set
    rows = connection.execute(
        select(table).where(table.c.study_id == study_id).order_by(table.c.number)
    ).all()
    return [_with_labels(connection, row) for row in rows]


def _with_labels(connection: Connection, row: Any) -> AnchorSet:
    anchor = schema.anchor
    labels = connection.execute(
        select(anchor.c.unit_id, anchor.c.criterion, anchor.c.label).where(anchor.c.set_id == row.id)
    ).all()
    return AnchorSet(
        row.id,
        row.number,
        row.at,
        row.trail,
        {(label.unit_id, label.criterion): label.label for label in labels},
    )


def answers(connection: Connection, anchors: AnchorSet, judge_id: int) -> list[AnchorAnswer]:
    """Return all answers of a judge to the anchors of a set, in the order of the rounds.

    Of a failure that was asked again only the last answer counts.
    """
    table, judgement, unit, trail = schema.anchor, schema.judgement, schema.unit, schema.trail
    rows = connection.execute(
        select(
            unit.c.conversation_id,
            unit.c.position,
            table.c.unit_id,
            table.c.criterion,
            table.c.label.label("settled"),
            judgement.c.anchor_round,
            judgement.c.label,
            judgement.c.at,
            judgement.c.origin,
            trail.c.at.label("kept_at"),
        )
        .join(
            judgement, (judgement.c.unit_id == table.c.unit_id) & (judgement.c.criterion == table.c.criterion)
        )
        .join(unit, unit.c.id == table.c.unit_id)
        .join(trail, trail.c.seq == judgement.c.trail)
        .where(
            table.c.set_id == anchors.id,
            judgement.c.judge_id == judge_id,
            or_(judgement.c.anchor_round > 0, judgement.c.replicate == 0),
            current_verdict(),
        )
        .order_by(judgement.c.anchor_round, judgement.c.replicate, unit.c.position, table.c.criterion)
    )
    return [
        AnchorAnswer(
            row.conversation_id,
            row.position,
            row.criterion,
            row.settled,
            row.anchor_round,
            row.label,
            UNKNOWN if row.at == row.kept_at and row.origin == JudgementOrigin.IMPORT else day_of(row.at),
        )
        for row in rows
    ]


def round_to_ask(
    connection: Connection,
    anchors: AnchorSet,
    judge_id: int | None,
    retry_failures: bool = False,
    criteria: frozenset[str] | None = None,
    left_out: frozenset[int] = frozenset(),
) -> int:
    """Return the last round that this judge began on this set if anything of it is open, else the next
    number.

    Erased units are not open, and failures only with `retry_failures`. A round of an earlier set is not
    continued.

    Args:
        connection, anchors: the store and the set.
        judge_id: None for a judge that was never asked.
        retry_failures: whether failures are to be asked again.
        criteria: those that the judge answers, None for all.
        left_out: conversations that the judge skips.
    """
    judgement, asked = schema.judgement, asked_of(connection, anchors, criteria, left_out)
    rows = connection.execute(
        select(
            judgement.c.unit_id,
            judgement.c.criterion,
            judgement.c.anchor_round,
            judgement.c.status,
            judgement.c.trail,
        ).where(
            judgement.c.judge_id == judge_id,
            judgement.c.unit_id.in_(anchors.unit_ids),
            judgement.c.anchor_round > 0,
            current_verdict(),
        )
    ).all()
    last = max((row.anchor_round for row in rows), default=1)
    if rows and not any(row.anchor_round == last and row.trail > anchors.trail for row in rows):
        return last + 1
    answered = sum(
        (row.unit_id, row.criterion) in asked
        and row.anchor_round == last
        and not (retry_failures and row.status != "ok")
        for row in rows
    )
    return last if answered < len(asked) * ANSWERS else last + 1


def asked_of(
    connection: Connection,
    anchors: AnchorSet,
    criteria: frozenset[str] | None = None,
    left_out: frozenset[int] = frozenset(),
) -> set[tuple[int, str]]:
    """Return the anchors that a judge can be asked about, as (unit, criterion); `criteria` and `left_out` as
    in `round_to_ask`.
    """
    unit = schema.unit
    silent = set(connection.execute(select(unit.c.id).where(unit.c.conversation_id.in_(left_out))).scalars())
    open_units = readable_of(connection, anchors) - silent
    return {
        key for key in anchors.labels if key[0] in open_units and (criteria is None or key[1] in criteria)
    }


def readable_of(connection: Connection, anchors: AnchorSet) -> set[int]:
    """Return the ids of the units of a set whose words still exist."""
    unit = schema.unit
    return set(
        connection.execute(
            select(unit.c.id).where(unit.c.id.in_(anchors.unit_ids), readable(unit.c.id))
        ).scalars()
    )
