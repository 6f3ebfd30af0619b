"""The ledger of judge calls: every try is a row, and the label that came of it is written in the same
transaction.

What is pending is not stored: it is what has no judgement yet. Only a readable answer under the same key, of
the same judge, stands for a call; a failure never does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, func, select

from data import schema
from data.record import units
from data.record.call_records import CallRecord, row_of_call
from data.record.judgements import current_verdict
from data.record.quotation_counts import count_quotations
from data.schema.vocabulary import JudgementOrigin
from data.store import content
from data.store.trail import TrailEntry

WHOLE_UNIT = "*"  # the criterion of a call about all questions of a unit


@dataclass(frozen=True, slots=True)
class Attempt(CallRecord):
    """One try about a unit. `anchor_round` from 1, 0 for a question of the study."""

    run_id: int
    judge_id: int
    unit_id: int
    criterion: str
    anchor_round: int
    replicate: int


@dataclass(frozen=True, slots=True)
class LedgerLabel:
    """A label, or a failure that is the last word of a run: then `label` is None. `anchor_round` from 1, 0
    for a question of the study.
    """

    judge_id: int
    unit_id: int
    criterion: str
    anchor_round: int
    replicate: int
    status: str
    label: str | None
    reasoning: str | None
    cited: tuple[int, ...]


def write(
    connection: Connection,
    entry: TrailEntry,
    study_id: int,
    run_id: int,
    attempts: Sequence[Attempt],
    labels: Sequence[LedgerLabel],
    origin: JudgementOrigin = JudgementOrigin.RUN,
) -> None:
    """Keep tries of a run and what came of them, all or nothing. A label that is there already stays; nothing
    is said over it.

    Where the words were erased while a call was in flight, its words are not kept either.
    """
    gone = units.erased(
        connection, list({each.unit_id for each in attempts} | {label.unit_id for label in labels})
    )
    attempts = [replace(each, reply=None) if each.unit_id in gone else each for each in attempts]
    fresh = [
        replace(label, reasoning=None) if label.unit_id in gone else label
        for label in _not_yet_labelled(connection, labels)
    ]
    texts = [a.reply for a in attempts if a.reply] + [label.reasoning for label in fresh if label.reasoning]
    stored_texts = iter(content.put_many(connection, texts))
    rows = [row_of_call(attempt, stored_texts) for attempt in attempts]
    if rows:
        entry.write_many(schema.judge_attempt, rows)
    judged = []
    for label in fresh:
        reasoning_content, reasoning_mac = next(stored_texts) if label.reasoning else (None, None)
        judged.append(
            {
                "study_id": study_id,
                "unit_id": label.unit_id,
                "judge_id": label.judge_id,
                "criterion": label.criterion,
                "status": label.status,
                "label": label.label,
                "cited": json.dumps(label.cited),
                "anchor_round": label.anchor_round,
                "replicate": label.replicate,
                "reasoning_content": reasoning_content,
                "reasoning_mac": reasoning_mac,
                "origin": origin,
                "run_id": run_id,
            }
        )
    if judged:
        first, *_ = entry.write_many(schema.judgement, judged)
        count_quotations(connection, after=first - 1)


# Built once: making a statement takes longer than running it, and every commit of a run runs this one.
_LABELLED = select(
    schema.judgement.c.unit_id,
    schema.judgement.c.judge_id,
    schema.judgement.c.criterion,
    schema.judgement.c.anchor_round,
    schema.judgement.c.replicate,
).where(
    schema.judgement.c.unit_id.in_(bindparam("units", expanding=True)),
    schema.judgement.c.judge_id.in_(bindparam("judges", expanding=True)),
    schema.judgement.c.status == "ok",
)


def _not_yet_labelled(connection: Connection, labels: Sequence[LedgerLabel]) -> list[LedgerLabel]:
    if not labels:
        return []
    rows = connection.execute(
        _LABELLED,
        {
            "units": list({label.unit_id for label in labels}),
            "judges": list({label.judge_id for label in labels}),
        },
    )
    labelled = {tuple(row) for row in rows}
    return [
        label
        for label in labels
        if (label.unit_id, label.judge_id, label.criterion, label.anchor_round, label.replicate)
        not in labelled
    ]


def verdicts(
    connection: Connection, judge_id: int, unit_ids: Sequence[int], anchor_round: int = 0
) -> dict[tuple[int, str, int], tuple[str, str | None]]:
    """(unit, criterion, replicate) -> (status, label), as it stands now, of the study's own questions or of a
    round of anchors.
    """
    table = schema.judgement
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, table.c.replicate, table.c.status, table.c.label).where(
            table.c.unit_id.in_(unit_ids),
            table.c.judge_id == judge_id,
            table.c.anchor_round == anchor_round,
            current_verdict(),
        )
    )
    return {(row.unit_id, row.criterion, row.replicate): (row.status, row.label) for row in rows}


def recorded(connection: Connection, judge_id: int, keys: Iterable[str]) -> dict[str, str]:
    """The readable reply that this judge gave to each of these requests, where it gave one and it was not
    erased.
    """
    table = schema.judge_attempt
    rows = connection.execute(
        select(table.c.key, schema.content.c.text)
        .join(schema.content, schema.content.c.id == table.c.reply_content)
        .where(table.c.judge_id == judge_id, table.c.key.in_(list(keys)), table.c.status == "ok")
        .order_by(table.c.id)
    )
    return {row.key: row.text for row in rows if row.text is not None}


def keep_prompt(
    connection: Connection, entry: TrailEntry, key: str, version: str, body: str, sha256: str
) -> None:
    """Keep the text of a prompt file, once, so that any call can be shown as it was made."""
    table = schema.judge_prompt
    if connection.execute(select(table.c.id).where(table.c.sha256 == sha256)).first() is None:
        entry.write(table, {"key": key, "version": version, "body": body, "sha256": sha256})


def prompt_body(connection: Connection, sha256_begin: str) -> str | None:
    """The text of the prompt file whose hash begins so."""
    table = schema.judge_prompt
    found: str | None = connection.execute(
        select(table.c.body).where(table.c.sha256.startswith(sha256_begin))
    ).scalar()
    return found


def keep_replicated(
    connection: Connection,
    entry: TrailEntry,
    judge_id: int,
    arm: str,
    times: int,
    drawn: Sequence[tuple[int, str]],
) -> None:
    """Record which (unit, criterion) are asked several times, and by which draw. What is recorded already
    stays.
    """
    drawn_before = set(replicated(connection, judge_id, arm))
    fresh = [pair for pair in drawn if pair not in drawn_before]
    if fresh:
        entry.write_many(
            schema.replicated,
            [
                {"judge_id": judge_id, "unit_id": unit_id, "criterion": criterion, "arm": arm, "times": times}
                for unit_id, criterion in fresh
            ],
        )


def replicated(connection: Connection, judge_id: int, arm: str) -> list[tuple[int, str]]:
    table = schema.replicated
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion)
        .where(table.c.judge_id == judge_id, table.c.arm == arm)
        .order_by(table.c.id)
    )
    return [(row.unit_id, row.criterion) for row in rows]


def answered(connection: Connection, judge_id: int) -> bool:
    """Whether this judge ever gave a readable answer."""
    table = schema.judge_attempt
    return (
        connection.execute(
            select(table.c.id).where(table.c.judge_id == judge_id, table.c.status == "ok").limit(1)
        ).first()
        is not None
    )


def answered_as(connection: Connection, judge_id: int) -> dict[str, int]:
    """The names under which a model gave this judge's readable answers, and how many each."""
    table = schema.judge_attempt
    rows = connection.execute(
        select(table.c.served, func.count())
        .where(table.c.judge_id == judge_id, table.c.status == "ok", table.c.served.is_not(None))
        .group_by(table.c.served)
    )
    return dict(rows.all())


def settled(
    connection: Connection, judge_id: int, run_id: int, origin: JudgementOrigin, whole_units: bool
) -> tuple[int, int]:
    """How many calls ended with labels or failures of this run and origin, and how many of them with a
    failure.
    """
    table = schema.judgement
    rows = connection.execute(
        select(
            table.c.unit_id, table.c.criterion, table.c.anchor_round, table.c.replicate, table.c.status
        ).where(
            table.c.study_id
            == select(schema.judge.c.study_id).where(schema.judge.c.id == judge_id).scalar_subquery(),
            table.c.judge_id == judge_id,
            table.c.run_id == run_id,
            table.c.origin == origin,
        )
    ).all()
    calls = {
        (row.unit_id, "" if whole_units else row.criterion, row.anchor_round, row.replicate) for row in rows
    }
    failed = {
        (row.unit_id, "" if whole_units else row.criterion, row.anchor_round, row.replicate)
        for row in rows
        if row.status != "ok"
    }
    return len(calls), len(failed)
