"""What a conversation is measured against: gold steps, a plan of care, critical entities.

Each is kept for one conversation, for a condition (the conversations whose facts name it) or for the whole
study; the nearest one counts, in its highest version. A changed text is a new version, never an edit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, select

from data import schema
from data.record.studies import Study
from data.store import content
from data.store.trail import TrailEntry

Kind = Literal["gold_steps", "target_plan", "critical_entities"]
KINDS: dict[Kind, str] = {
    "gold_steps": "gold steps",
    "target_plan": "target plans",
    "critical_entities": "critical entities",
}
STUDY = "study"


@dataclass(frozen=True)
class Reference:
    """`body`: the plan as a text, or the steps or entities as a list of texts. `scope`: whom it was given
    for. `source`: its file or name.
    """

    kind: Kind
    scope: str
    version: int
    body: Any
    source: str = ""

    @property
    def level(self) -> str:
        """Return "conversation", "condition" or "study"."""
        return self.scope.partition(":")[0]

    @property
    def label(self) -> str:
        """Return which text this is in words, without ids and file names, which may reveal a model or
        condition.
        """
        whom = {"conversation": "this conversation", "condition": self.scope.replace(":", " ", 1)}.get(
            self.level, "the study"
        )
        return f"version {self.version}, for {whom}"


def conversation_scope(key: str) -> str:
    """Return the scope of a conversation's reference: "conversation:KEY"."""
    return f"conversation:{key}"


def condition_scope(name: str) -> str:
    """Return the scope of a condition's reference: "condition:NAME"."""
    return f"condition:{name}"


def put(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    kind: Kind,
    scope: str,
    body: Any,
    source: str,
    conversation_id: int | None = None,
) -> bool:
    """Write a reference as the next version of its scope; return False if the same text is the present
    version.
    """
    table, text = schema.reference, json.dumps(body, ensure_ascii=False)
    last = connection.execute(
        select(table.c.version, table.c.body_content, table.c.body_mac)
        .where(table.c.study_id == study.id, table.c.kind == kind, table.c.scope == scope)
        .order_by(table.c.version.desc())
        .limit(1)
    ).first()
    if last is not None and content.same(connection, last.body_content, last.body_mac, text):
        return False
    body_content, body_mac = content.put(connection, text, conversation_id)
    entry.write(
        table,
        {
            "study_id": study.id,
            "kind": kind,
            "scope": scope,
            "conversation_id": conversation_id,
            "version": last.version + 1 if last else 1,
            "body_content": body_content,
            "body_mac": body_mac,
            "source": source,
        },
    )
    return True


def scopes_of(conversation_key: str, condition: str | None) -> list[str]:
    """Return the scopes in which a reference of a conversation is looked up, nearest first."""
    return [conversation_scope(conversation_key), *([condition_scope(condition)] if condition else []), STUDY]


def has_any(connection: Connection, study_id: int) -> bool:
    """Tell whether the study has any reference."""
    return (
        connection.execute(
            select(schema.reference.c.id).where(schema.reference.c.study_id == study_id).limit(1)
        ).first()
        is not None
    )


class References:
    """The present references of a study, or of some scopes of it, read once."""

    def __init__(self, connection: Connection, study_id: int, scopes: Sequence[str] | None = None) -> None:
        table = schema.reference
        newest = (
            select(func.max(table.c.id))
            .where(table.c.study_id == study_id)
            .group_by(table.c.kind, table.c.scope)
        )
        if scopes is not None:
            newest = newest.where(table.c.kind.in_(KINDS), table.c.scope.in_(scopes))
        rows = connection.execute(
            select(table.c.kind, table.c.scope, table.c.version, table.c.source, schema.content.c.text)
            .join(schema.content, schema.content.c.id == table.c.body_content)
            .where(table.c.id.in_(newest))
        )
        self._found = {
            (row.kind, row.scope): Reference(
                row.kind, row.scope, row.version, json.loads(row.text), row.source
            )
            for row in rows
            if row.text is not None
        }

    def of(self, kind: Kind, conversation_key: str, condition: str | None) -> Reference | None:
        """Return the reference of a conversation: its own, else its condition's, else the study's, else
        None.
        """
        scopes = scopes_of(conversation_key, condition)
        return next((self._found[kind, scope] for scope in scopes if (kind, scope) in self._found), None)

    def kinds(self) -> set[Kind]:
        """Return the kinds with at least one reference."""
        return {kind for kind, _ in self._found}

    def __bool__(self) -> bool:
        return bool(self._found)
