"""What the ledger of judge calls tells a reader: failures that stand, counts, the tries about a unit, and
what was asked again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from data import schema
from data.record.judgements import current_verdict
from data.record.ledger import replicated, verdicts
from data.store import content
from data.store.kept_parts import keep_part


def tries_by_kind(connection: Connection, run_id: int) -> dict[tuple[str, str], int]:
    """Return (status, criterion) -> number of tries of a run that did not end in a readable answer."""
    table = schema.attempt
    rows = connection.execute(
        select(table.c.status, table.c.criterion, func.count())
        .where(table.c.run_id == run_id, table.c.status != "ok")
        .group_by(table.c.status, table.c.criterion)
    )
    return {(row[0], row[1]): row[2] for row in rows}


@dataclass(frozen=True)
class UnresolvedFailure:
    """A failure that stands: the unit has no label of this judge for this criterion."""

    unit_id: int
    position: int
    criterion: str
    anchor_round: int
    replicate: int
    status: str
    detail: str | None


def standing_failures(
    connection: Connection, judge_id: int, at_most: int | None = None
) -> list[UnresolvedFailure]:
    """Return the failures of a judge that no later answer replaced, by unit, criterion, round and
    replicate.

    At most `at_most`, or all if None.
    """
    table = schema.judgement
    rows = connection.execute(
        select(
            table.c.unit_id,
            schema.unit.c.position,
            table.c.criterion,
            table.c.anchor_round,
            table.c.replicate,
            table.c.status,
            table.c.reasoning_content,
        )
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(table.c.judge_id == judge_id, table.c.status != "ok", current_verdict())
        .order_by(schema.unit.c.position, table.c.criterion, table.c.anchor_round, table.c.replicate)
        .limit(at_most)
    ).all()
    texts = content.get_many(connection, [row.reasoning_content for row in rows])
    return [
        UnresolvedFailure(
            row.unit_id,
            row.position,
            row.criterion,
            row.anchor_round,
            row.replicate,
            row.status,
            texts.get(row.reasoning_content),
        )
        for row in rows
    ]


def counts_by_criterion(connection: Connection, judge_id: int) -> dict[str, dict[str, int]]:
    """Return criterion -> status -> number of the judge's current first verdicts; "ok" for labels."""
    table = schema.judgement
    rows = connection.execute(
        select(table.c.criterion, table.c.status, func.count())
        .where(
            table.c.judge_id == judge_id, table.c.anchor_round == 0, table.c.replicate == 0, current_verdict()
        )
        .group_by(table.c.criterion, table.c.status)
    )
    counts: dict[str, dict[str, int]] = {}
    for criterion, status, count in rows:
        counts.setdefault(criterion, {})[status] = count
    return counts


def counts_by_status(connection: Connection, study_id: int, judge_id: int) -> Counter[str]:
    """Return status -> number of the judge's current first verdicts over all criteria; "ok" for labels."""
    by_criterion = keep_part(
        connection,
        study_id,
        ("counts of verdicts", judge_id),
        (schema.judgement,),
        lambda: counts_by_criterion(connection, judge_id),
    )
    total: Counter[str] = Counter()
    for counts in by_criterion.values():
        total.update(counts)
    return total


@dataclass(frozen=True)
class AttemptDetail:
    """An attempt as it is shown; `reply` None where there was none or it was erased."""

    at: str
    criterion: str
    anchor_round: int
    replicate: int
    tried: int
    repair: bool
    status: str
    detail: str
    served: str | None
    prompt_sha256: str
    tokens_in: int | None
    tokens_out: int | None
    cost_nano: int | None
    latency_ms: int
    reply: str | None
    batched: bool


def tries(connection: Connection, judge_id: int, unit_id: int) -> list[AttemptDetail]:
    """Return all tries of a judge on a unit, oldest first."""
    table = schema.attempt
    rows = connection.execute(
        select(table).where(table.c.unit_id == unit_id, table.c.judge_id == judge_id).order_by(table.c.id)
    ).all()
    texts = content.get_many(connection, [row.reply_content for row in rows])
    return [
        AttemptDetail(
            row.at,
            row.criterion,
            row.anchor_round,
            row.replicate,
            row.tried,
            bool(row.repair),
            row.status,
            row.detail,
            row.served,
            row.prompt_sha256,
            row.tokens_in,
            row.tokens_out,
            row.cost_nano,
            row.latency_ms,
            texts.get(row.reply_content),
            bool(row.batched),
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class ReplicatedLabel:
    """A label that was drawn to be asked several times, and what was answered; None in place of a failure."""

    conversation_id: int
    unit_id: int
    criterion: str
    first: str | None
    later: tuple[str | None, ...]


def asked_again(connection: Connection, judge_id: int, arm: str) -> list[ReplicatedLabel]:
    """Return the labels that were drawn to be asked several times, with all answers; None for a failure."""
    drawn = replicated(connection, judge_id, arm)
    wanted = sorted({unit_id for unit_id, _ in drawn})
    answers: dict[tuple[int, str], dict[int, str | None]] = {}
    conversations: dict[int, int] = {}
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        for (unit_id, criterion, replicate), (_, label) in verdicts(connection, judge_id, some).items():
            answers.setdefault((unit_id, criterion), {})[replicate] = label
        rows = connection.execute(
            select(schema.unit.c.id, schema.unit.c.conversation_id).where(schema.unit.c.id.in_(some))
        )
        conversations |= {row.id: row.conversation_id for row in rows}
    labels = []
    for unit_id, criterion in drawn:
        label_by_replicate = answers.get((unit_id, criterion), {})
        later = tuple(label for replicate, label in sorted(label_by_replicate.items()) if replicate > 0)
        labels.append(
            ReplicatedLabel(conversations[unit_id], unit_id, criterion, label_by_replicate.get(0), later)
        )
    return labels
