"""The ledger of what models were asked beside the judgements of units: every try is a row.

What is pending is not stored: it is what has no readable answer yet, and no failure that is its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, func, select

from data import schema
from data.record import conversations
from data.record.call_records import CallRecord, row_of_call
from data.schema.vocabulary import RequestPurpose
from data.store import content
from data.store.trail import TrailEntry

KEYS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RequestAttempt(CallRecord):
    """One try. `conversation_id`: whose words it holds. `answer`: the verdict of an entailment that was
    readable; None of all else.
    """

    conversation_id: int
    asked_model_id: int
    purpose: RequestPurpose
    answer: str | None


@dataclass(frozen=True)
class RequestState:
    """What came of a request that is settled: `answer` of an entailment that was readable; else `status` is
    that of a failure of its own.
    """

    status: str
    answer: str | None


@dataclass(frozen=True)
class RequestCosts:
    """Billionths of each currency. `attempts`: tries in all."""

    attempts: int
    costs: Mapping[str, int]


def register_model(
    connection: Connection, entry: TrailEntry, name: str, identity: Mapping[str, Any], sha256: str
) -> int:
    """The number of a model with its prompt and parameters; two identities never share one."""
    model_id = find_model(connection, sha256)
    if model_id is not None:
        return model_id
    body = json.dumps(identity, sort_keys=True)
    return entry.write(schema.asked_model, {"name": name, "identity": body, "sha256": sha256})


def find_model(connection: Connection, sha256: str) -> int | None:
    table = schema.asked_model
    model_id: int | None = connection.execute(select(table.c.id).where(table.c.sha256 == sha256)).scalar()
    return model_id


def write_attempts(
    connection: Connection, entry: TrailEntry, study_id: int, attempts: Sequence[RequestAttempt]
) -> None:
    """Where the words of the conversation were erased while a call was in flight, its reply is not kept."""
    gone = conversations.find_erased(connection, {attempt.conversation_id for attempt in attempts})
    attempts = [
        replace(attempt, reply=None) if attempt.conversation_id in gone else attempt for attempt in attempts
    ]
    stored_texts = iter(
        content.put_many(connection, [attempt.reply for attempt in attempts if attempt.reply])
    )
    rows = [{**row_of_call(attempt, stored_texts), "study_id": study_id} for attempt in attempts]
    if rows:
        entry.write_many(schema.request_attempt, rows)


def states(connection: Connection, asked_model_id: int, keys: Sequence[str]) -> dict[str, RequestState]:
    """By the key of the request, of those that are settled. What the service or the settings were to blame
    for is pending, as if it had not been tried.
    """
    table = schema.request_attempt
    settled = (
        (table.c.status == "ok")
        | table.c.status.in_(("blocked_prompt", "blocked_output"))
        | (table.c.status.in_(("truncated", "invalid")) & (table.c.repair == 1))
    )
    states: dict[str, RequestState] = {}
    for start in range(0, len(keys), KEYS_AT_ONCE):
        rows = connection.execute(
            select(table.c.key, table.c.status, table.c.answer)
            .where(
                table.c.asked_model_id == asked_model_id,
                table.c.key.in_(keys[start : start + KEYS_AT_ONCE]),
                settled,
            )
            .order_by(table.c.id)
        )
        for row in rows:
            before = states.get(row.key)
            if before is None or before.answer is None:
                states[row.key] = RequestState(row.status, row.answer)
    return states


def replies(connection: Connection, asked_model_id: int, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
    """By key, the try that was answered readably and its words; none where they were erased."""
    table, words = schema.request_attempt, schema.content
    rows = connection.execute(
        select(table.c.key, table.c.id, words.c.text)
        .join(words, words.c.id == table.c.reply_content)
        .where(
            table.c.asked_model_id == asked_model_id,
            table.c.key.in_(keys),
            table.c.status == "ok",
            words.c.text.is_not(None),
        )
        .order_by(table.c.id.desc())
    )
    return {row.key: (row.id, row.text) for row in rows}


def costs(connection: Connection, study_id: int, purpose: RequestPurpose) -> RequestCosts:
    table = schema.request_attempt
    rows = connection.execute(
        select(table.c.currency, func.count(), func.sum(table.c.cost_nano))
        .where(table.c.study_id == study_id, table.c.purpose == purpose)
        .group_by(table.c.currency)
        .order_by(table.c.currency)
    ).all()
    return RequestCosts(
        sum(row[1] for row in rows), {row[0]: int(row[2]) for row in rows if row[0] and row[2] is not None}
    )
