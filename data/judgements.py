"""Judges by identity, their judgements and failures, and what a rater answers to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select

from data import exposures, schema
from data.store import content, event_ids
from data.store.errors import NotFound, Refused
from data.store.kept_parts import keep_part
from data.store.trail import TrailEntry, canonical
from data.units import Unit
from scoring.judges.statuses import FAILURES

__all__ = ["FAILURES", "REASONING", "Judge", "JudgeIdentity", "Judgement"]
REASONING = {
    "supported": "supported",
    "partly": "partly supported",
    "unsupported": "unsupported",
    "contradicted": "contradicted by the transcript",
}


@dataclass(frozen=True)
class JudgeIdentity:
    """Who judged. Two identities never share a row; what is not known says so."""

    name: str
    provider: str = "unknown"
    model: str = "unknown"
    prompt: str = "unknown"
    instrument: str = "unknown"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parser: str = "imported"

    def fields(self) -> dict[str, Any]:
        return {
            "provider": self.provider,
            "model": self.model,
            "prompt": self.prompt,
            "instrument": self.instrument,
            "parameters": dict(self.parameters),
            "parser": self.parser,
            "name": self.name,
        }

    def digest(self) -> str:
        return hashlib.sha256(canonical(self.fields())).hexdigest()


@dataclass(frozen=True)
class Judgement:
    """One label with its reasoning, or a failure: then `label` is None and `status` says which."""

    judge_id: int
    criterion: str
    status: str
    label: str | None
    reasoning: str | None
    cited: tuple[int, ...]
    replicate: int
    erased: bool = False  # there were reasons, and they were forgotten


@dataclass(frozen=True)
class Judge:
    id: int
    name: str
    identity: dict[str, Any]


def register(connection: Connection, entry: TrailEntry, study_id: int, identity: JudgeIdentity) -> int:
    """The judge of this identity in this study, made where it is new."""
    digest = identity.digest()
    table = schema.judge
    judge_id = find(connection, study_id, digest)
    if judge_id is not None:
        return judge_id
    row = {
        "study_id": study_id,
        "key": digest[:12],
        "name": identity.name,
        "identity": json.dumps(identity.fields(), sort_keys=True),
        "sha256": digest,
    }
    return entry.write(table, row)


def find(connection: Connection, study_id: int, digest: str) -> int | None:
    """The judge of this identity, or None where it never judged here."""
    table = schema.judge
    found: int | None = connection.execute(
        select(table.c.id).where(table.c.study_id == study_id, table.c.sha256 == digest)
    ).scalar()
    return found


def judges(connection: Connection, study_id: int) -> list[Judge]:
    """Those who said something or were at least asked; one that was refused before its first call is none."""
    table, said, asked = schema.judge, schema.judgement, schema.judge_attempt
    known = or_(
        exists().where(said.c.study_id == study_id, said.c.judge_id == table.c.id),
        exists().where(asked.c.judge_id == table.c.id),
    )
    rows = connection.execute(select(table).where(table.c.study_id == study_id, known).order_by(table.c.id))
    return [Judge(row.id, row.name, json.loads(row.identity)) for row in rows]


def shown(connection: Connection, unit: Unit, rater_id: int) -> list[Judgement]:
    """The judgements of a unit for a rater to whom they were revealed, the first verdict where there are
    replicates.

    Raises Refused for anyone else.

    This is the only way in which a judgement reaches the review page.
    """
    if not exposures.revealed(connection, rater_id, unit.id):
        raise Refused("These labels of the judge were not revealed to this rater.")
    unseen = exposures.unseen_judges(connection, unit, rater_id)
    rows = connection.execute(
        select(schema.judgement)
        .where(
            schema.judgement.c.unit_id == unit.id,
            schema.judgement.c.judge_id.not_in(unseen),
            first_labels_only(),
        )
        .order_by(schema.judgement.c.judge_id, schema.judgement.c.criterion, schema.judgement.c.replicate)
    ).all()
    texts = content.get_many(connection, [row.reasoning_content for row in rows])
    return [
        Judgement(
            row.judge_id,
            row.criterion,
            row.status,
            row.label,
            texts.get(row.reasoning_content),
            tuple(json.loads(row.cited)),
            row.replicate,
            row.reasoning_content is not None and row.reasoning_content not in texts,
        )
        for row in rows
    ]


def first_labels(
    connection: Connection, study_id: int, conversation_ids: list[int]
) -> dict[int, dict[int, dict[str, str | None]]]:
    """unit -> judge -> criterion -> label of the first verdict; None for a failure. For computing, not for
    showing.
    """
    table, unit = schema.judgement, schema.unit
    rows = connection.execute(
        select(table.c.unit_id, table.c.judge_id, table.c.criterion, table.c.label)
        .where(
            table.c.unit_id.in_(select(unit.c.id).where(unit.c.conversation_id.in_(conversation_ids))),
            # "+ 0" keeps SQLite from the index of all the study's labels, where those of a few are wanted.
            table.c.study_id + 0 == study_id,
            first_labels_only(),
        )
        .order_by(table.c.id)
    )
    labels_by_unit: dict[int, dict[int, dict[str, str | None]]] = {}
    for row in rows:
        labels_by_unit.setdefault(row.unit_id, {}).setdefault(row.judge_id, {})[row.criterion] = row.label
    return labels_by_unit


def judged_conversations(connection: Connection, study_id: int) -> set[int]:
    """Those of which any judge gave labels, or failed."""
    return keep_part(
        connection,
        study_id,
        "judged conversations",
        (schema.judgement, schema.unit),
        lambda: _read_judged_conversations(connection, study_id),
    )


def _read_judged_conversations(connection: Connection, study_id: int) -> set[int]:
    table, unit = schema.judgement, schema.unit
    judged = exists().where(table.c.unit_id == unit.c.id, table.c.study_id == study_id, first_labels_only())
    query = select(unit.c.conversation_id).where(unit.c.study_id == study_id, judged).distinct()
    return set(connection.execute(query).scalars())


def reasoning(connection: Connection, study_id: int, judge_id: int) -> dict[tuple[int, str], str]:
    """(unit, criterion) -> what one judge wrote with its first verdict. For exports, not for showing."""
    table = schema.judgement
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, schema.content.c.text)
        .join(schema.content, schema.content.c.id == table.c.reasoning_content)
        .where(table.c.study_id == study_id, table.c.judge_id == judge_id, first_labels_only())
    )
    return {(row.unit_id, row.criterion): row.text for row in rows if row.text is not None}


def said(
    connection: Connection, judge_id: int, unit_ids: list[int]
) -> dict[tuple[int, str], tuple[str, str, tuple[int, ...]]]:
    """(unit, criterion) -> (label, reasoning, cited turns) of the first verdicts that have both. For exports,
    not for showing.
    """
    table = schema.judgement
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, table.c.label, table.c.cited, schema.content.c.text)
        .join(schema.content, schema.content.c.id == table.c.reasoning_content)
        .where(
            table.c.unit_id.in_(unit_ids),
            table.c.judge_id == judge_id,
            table.c.status == "ok",
            first_labels_only(),
        )
    )
    return {
        (row.unit_id, row.criterion): (row.label, row.text, tuple(json.loads(row.cited)))
        for row in rows
        if row.text is not None
    }


@cache
def first_labels_only() -> ColumnElement[bool]:
    """Condition on `judgement`: no replicate of a lower number is there, and no later row replaces a failure.

    Replicates measure flips and decide nothing; answers to anchors are no verdicts of the study at all.
    Part of many statements, so it is made once.
    """
    table, other = schema.judgement, schema.judgement.alias()
    return of_the_study() & ~exists().where(
        other.c.unit_id == table.c.unit_id,
        other.c.judge_id == table.c.judge_id,
        other.c.criterion == table.c.criterion,
        other.c.anchor_round == 0,
        or_(
            other.c.replicate < table.c.replicate,
            and_(other.c.replicate == table.c.replicate, other.c.id > table.c.id),
        ),
    )


def of_the_study() -> ColumnElement[bool]:
    """Condition on `judgement`: no answer to an anchor (data/anchors.py)."""
    return schema.judgement.c.anchor_round == 0


def current_verdict() -> ColumnElement[bool]:
    """Condition on `judgement`: of a failure that was asked again, the last answer; replicates beside it."""
    table, later = schema.judgement, schema.judgement.alias()
    return ~exists().where(
        later.c.unit_id == table.c.unit_id,
        later.c.judge_id == table.c.judge_id,
        later.c.criterion == table.c.criterion,
        later.c.anchor_round == table.c.anchor_round,
        later.c.replicate == table.c.replicate,
        later.c.id > table.c.id,
    )


def respond(
    connection: Connection,
    entry: TrailEntry,
    unit: Unit,
    rater_id: int,
    event: str,
    judge_id: int,
    criterion: str,
    kind: str,
    value: str | None = None,
) -> None:
    """Keep what a rater answers to a judgement: keep, change, or how far its reasoning is supported.

    The same event again changes nothing. Raises Refused before the reveal and for an event that is kept with
    another answer, and NotFound where the judge said nothing about the criterion.
    """
    answer = {
        "rater_id": rater_id,
        "unit_id": unit.id,
        "judge_id": judge_id,
        "criterion": criterion,
        "kind": kind,
        "value": value,
    }
    if event_ids.is_kept(connection, schema.response, event, answer):
        return
    if not exposures.revealed(connection, rater_id, unit.id):
        raise Refused("These labels of the judge were not revealed to this rater.")
    if kind == "reasoning" and value not in REASONING:
        raise Refused(f"The reasoning is one of: {', '.join(REASONING)}.")
    response = connection.execute(
        select(schema.judgement.c.id).where(
            schema.judgement.c.unit_id == unit.id,
            schema.judgement.c.judge_id == judge_id,
            schema.judgement.c.criterion == criterion,
        )
    ).first()
    if response is None:
        raise NotFound("This judge said nothing about this criterion.")
    entry.write(schema.response, {"event": event, **answer})


def decide(
    connection: Connection,
    entry: TrailEntry,
    unit: Unit,
    rater_id: int,
    event: str,
    judge_ids: Iterable[int],
    criterion: str,
    kind: str,
) -> None:
    """Keep that a rater kept or changed their label beside what these judges gave: a response for each, under
    the event's id and the judge's.

    The same event again changes nothing. Raises as `respond` does, and Refused for an event that was about
    other judges.
    """
    table, judges_by_event = schema.response, {f"{event}:{judge_id}": judge_id for judge_id in judge_ids}
    earlier_events = set(
        connection.execute(
            select(table.c.event).where(table.c.event > f"{event}:", table.c.event < f"{event};")
        ).scalars()
    )  # ";" follows ":"
    if earlier_events and earlier_events != set(judges_by_event):
        raise Refused(event_ids.REUSED)
    for name, judge_id in judges_by_event.items():
        respond(connection, entry, unit, rater_id, name, judge_id, criterion, kind)


def responses(connection: Connection, rater_id: int, unit_id: int) -> dict[tuple[int, str, str], str | None]:
    """The latest answer by (judge, criterion, "decision" or "reasoning"); a decision is keep or change."""
    rows = connection.execute(
        select(schema.response)
        .where(schema.response.c.rater_id == rater_id, schema.response.c.unit_id == unit_id)
        .order_by(schema.response.c.id)
    )
    return {
        (row.judge_id, row.criterion, "reasoning" if row.kind == "reasoning" else "decision"): row.value
        if row.kind == "reasoning"
        else row.kind
        for row in rows
    }
