"""What models were asked beside the judgements of units (the tries stand in data/record/ledger.py).

What is pending is not stored: it is what has no readable answer yet, and no failure that is its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from data import schema
from data.record import ledger
from data.record.ledger import is_of_model
from data.schema.vocabulary import AttemptPurpose
from data.store.trail import TrailEntry

KEYS_AT_ONCE = 500


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
    """Return the id of the model with this identity (prompt and parameters); it is created if it is new."""
    model_id = find_model(connection, sha256)
    if model_id is not None:
        return model_id
    body = json.dumps(identity, sort_keys=True)
    return entry.write(schema.asked_model, {"name": name, "identity": body, "sha256": sha256})


def find_model(connection: Connection, sha256: str) -> int | None:
    """Return the id of the model whose identity has this SHA-256, or None."""
    table = schema.asked_model
    model_id: int | None = connection.execute(select(table.c.id).where(table.c.sha256 == sha256)).scalar()
    return model_id


def answered(connection: Connection, sha256: str) -> bool:
    """Tell whether the model of this identity ever gave a readable answer."""
    model_id = find_model(connection, sha256)
    return model_id is not None and ledger.answered(connection, is_of_model(model_id))


def states(connection: Connection, sha256: str, keys: Sequence[str]) -> dict[str, RequestState]:
    """Return request key -> what came of it, for requests that are settled with the model of this identity.

    Failures for which the service or the settings were to blame are not settled.
    """
    table = schema.attempt
    states: dict[str, RequestState] = {}
    model_id = find_model(connection, sha256)
    for start in range(0, len(keys) if model_id else 0, KEYS_AT_ONCE):
        rows = connection.execute(
            select(table.c.key, table.c.status, table.c.answer)
            .where(table.c.asked_model_id == model_id, table.c.key.in_(keys[start : start + KEYS_AT_ONCE]))
            .where(ledger.settles_call())
            .order_by(table.c.id)
        )
        for row in rows:
            before = states.get(row.key)
            if before is None or before.answer is None:
                states[row.key] = RequestState(row.status, row.answer)
    return states


def find_replies(connection: Connection, sha256: str, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Return what `ledger.find_replies` does for the model of this identity, the oldest of several; {}
    without it.
    """
    model_id = find_model(connection, sha256)
    return (
        {} if model_id is None else ledger.find_replies(connection, is_of_model(model_id), keys, newest=False)
    )


def costs(connection: Connection, study_id: int, purpose: AttemptPurpose) -> RequestCosts:
    """Return the number of tries for a purpose in a study, and their cost by currency."""
    table = schema.attempt
    rows = connection.execute(
        select(table.c.currency, func.count(), func.sum(table.c.cost_nano))
        .where(table.c.study_id == study_id, table.c.purpose == purpose)
        .group_by(table.c.currency)
        .order_by(table.c.currency)
    ).all()
    return RequestCosts(
        sum(row[1] for row in rows), {row[0]: int(row[2]) for row in rows if row[0] and row[2] is not None}
    )
