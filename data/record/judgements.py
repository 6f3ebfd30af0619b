"""Judges by identity, their judgements and their failures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select

from data import schema
from data.store.kept_parts import keep_part
from data.store.trail import TrailEntry, canonical


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
        """Return the identity as a dictionary that can be written as JSON."""
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
        """Return the SHA-256 of the identity, in hexadecimal."""
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

    @property
    def title(self) -> str:
        """Return "NAME, MODEL", or only the name if the model is the same word."""
        model = self.identity.get("model", "unknown")
        if model == "unknown":
            return f"{self.name}, unknown model"
        return self.name if model == self.name else f"{self.name}, {model}"


def register(connection: Connection, entry: TrailEntry, study_id: int, identity: JudgeIdentity) -> int:
    """Return the id of the judge with this identity in this study; it is created if it is new."""
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
    """Return the id of the judge whose identity has this digest in this study, or None."""
    table = schema.judge
    found: int | None = connection.execute(
        select(table.c.id).where(table.c.study_id == study_id, table.c.sha256 == digest)
    ).scalar()
    return found


def judges(connection: Connection, study_id: int) -> list[Judge]:
    """Return the judges that labelled something here or were at least asked, in the order of their ids."""
    table, said, asked = schema.judge, schema.judgement, schema.attempt
    known = or_(
        exists().where(said.c.study_id == study_id, said.c.judge_id == table.c.id),
        exists().where(asked.c.judge_id == table.c.id),
    )
    rows = connection.execute(select(table).where(table.c.study_id == study_id, known).order_by(table.c.id))
    return [Judge(row.id, row.name, json.loads(row.identity)) for row in rows]


def first_labels(
    connection: Connection, study_id: int, conversation_ids: list[int]
) -> dict[int, dict[int, dict[str, str | None]]]:
    """Return unit -> judge -> criterion -> label of the first verdict; None for a failure.

    For computing, not for showing.
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
    """Return the conversations that any judge labelled or failed on."""
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
    """Return (unit, criterion) -> what the judge wrote with its first verdict; without erased or empty
    ones.

    For exports, not for showing.
    """
    table = schema.judgement
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, schema.content.c.text)
        .join(schema.content, schema.content.c.id == table.c.reasoning_content)
        .where(table.c.study_id == study_id, table.c.judge_id == judge_id, first_labels_only())
    )
    return {(row.unit_id, row.criterion): row.text for row in rows if row.text is not None}


def find_labels_with_reasons(
    connection: Connection, judge_id: int, unit_ids: list[int]
) -> dict[tuple[int, str], tuple[str, str, tuple[int, ...]]]:
    """Return (unit, criterion) -> (label, reasoning, cited turns) of the first verdicts that have both.

    For exports, not for showing.
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
    """Return an SQL condition on `judgement`: it is the first verdict.

    That is no answer to an anchor, no replicate where one of a lower number exists, and no failure that a
    later row replaces.
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
    """Return an SQL condition on `judgement`: it is no answer to an anchor."""
    return schema.judgement.c.anchor_round == 0


def current_verdict() -> ColumnElement[bool]:
    """Return an SQL condition on `judgement`: it is the last answer to its question and replicate."""
    table, later = schema.judgement, schema.judgement.alias()
    return ~exists().where(
        later.c.unit_id == table.c.unit_id,
        later.c.judge_id == table.c.judge_id,
        later.c.criterion == table.c.criterion,
        later.c.anchor_round == table.c.anchor_round,
        later.c.replicate == table.c.replicate,
        later.c.id > table.c.id,
    )
