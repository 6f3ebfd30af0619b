"""The ledger: every try of a model is a row, and the label that came of it is written in one transaction.

What is pending is not stored: it is what has no judgement yet, or no answer to the request. Only a readable
answer under the same key, of the same judge or model, stands for a call; a failure never does.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, tuple_

from data import schema
from data.record import conversations
from data.record.judgements import current_verdict
from data.record.quotation_counts import count_quotations
from data.schema.vocabulary import AttemptPurpose, JudgementOrigin
from data.store import content
from data.store.trail import TrailEntry
from scoring.judges.statuses import BLOCKED, OK, UNREADABLE

WHOLE_UNIT = "*"  # the criterion of a call about all questions of a unit
Asked = ColumnElement[bool]  # a condition on `attempt`: who was asked, `is_of_judge` or `is_of_model`
_FLAGS = ("repair", "batched", "replayed")
# (status, whether it was the repair) of a try that ends its call with a failure of the call's own.
_FINAL_FAILURES = [
    *[(status, repair) for status in BLOCKED for repair in (0, 1)],
    *[(status, 1) for status in UNREADABLE],
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try, of a judge about a unit in a run, or of another model (`asked_model_id`).

    `conversation_id`: whose words it holds; `reply` may repeat them. `anchor_round` from 1, 0 for a question
    of the study. `answer`: the verdict of an entailment that was readable, None of all else. `key`: of the
    request. `tried`: from 0. `repair`: it was the one repair of an unreadable or cut reply. Costs are
    billionths of the currency of the price list of that date, None where no price is known.
    """

    conversation_id: int
    purpose: AttemptPurpose
    run_id: int | None = None
    judge_id: int | None = None
    unit_id: int | None = None
    criterion: str | None = None
    anchor_round: int | None = None
    replicate: int | None = None
    asked_model_id: int | None = None
    answer: str | None = None
    key: str
    tried: int
    repair: bool
    status: str
    detail: str
    http: int | None
    finish: str | None
    served: str | None
    response_id: str | None
    safety: tuple[str, ...]
    tokens_in: int | None
    tokens_out: int | None
    tokens_thought: int | None
    tokens_cached: int | None
    cost_nano: int | None
    price_date: str | None
    currency: str | None
    latency_ms: int
    adapter: str
    batched: bool
    replayed: bool
    prompt_sha256: str
    reply: str | None


@dataclass(frozen=True, slots=True)
class LedgerLabel:
    """A label, or a failure that is the last word of a run: then `label` is None. `anchor_round` from 1, 0
    for a question of the study. `conversation_id`: of the unit.
    """

    judge_id: int
    conversation_id: int
    unit_id: int
    criterion: str
    anchor_round: int
    replicate: int
    status: str
    label: str | None
    reasoning: str | None
    cited: tuple[int, ...]


_COLUMNS = [field.name for field in fields(Attempt) if field.name != "reply"]


def write(
    connection: Connection,
    entry: TrailEntry,
    study_id: int,
    attempts: Sequence[Attempt],
    labels: Sequence[LedgerLabel] = (),
    run_id: int | None = None,
    origin: JudgementOrigin = JudgementOrigin.RUN,
) -> None:
    """Write tries and the labels that came of them, all or nothing. A label that exists already stays.

    If a conversation was erased while a call was in flight, its tries and labels are written without words.

    Args:
        connection, entry, study_id: where to write.
        attempts: the tries.
        labels: the labels, or failures that are final.
        run_id: the judge run of the labels; None only without labels.
        origin: where the labels come from.
    """
    about = {each.conversation_id for each in attempts} | {each.conversation_id for each in labels}
    gone = conversations.find_without_words(connection, about)
    attempts = [replace(each, reply=None) if each.conversation_id in gone else each for each in attempts]
    fresh = [
        replace(label, reasoning=None) if label.conversation_id in gone else label
        for label in _not_yet_labelled(connection, labels)
    ]
    texts = [(each.reply, each.conversation_id) for each in attempts if each.reply]
    texts += [(label.reasoning, label.conversation_id) for label in fresh if label.reasoning]
    stored_texts = iter(content.put_many(connection, texts))
    rows = []
    for each in attempts:
        reply_content, reply_mac = next(stored_texts) if each.reply else (None, None)
        rows.append(
            {
                **{name: getattr(each, name) for name in _COLUMNS},
                **{name: int(getattr(each, name)) for name in _FLAGS},
                "study_id": study_id,
                "safety": json.dumps(each.safety),
                "reply_content": reply_content,
                "reply_mac": reply_mac,
            }
        )
    if rows:
        entry.write_many(schema.attempt, rows)
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
    schema.judgement.c.status == OK,
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
    """Return (unit, criterion, replicate) -> (status, label) of the current answers.

    `anchor_round`: 0 for the study's own questions, else the round of anchors.
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


def is_of_judge(judge_id: int) -> Asked:
    """Return an SQL condition on `attempt`: this judge was asked."""
    return schema.attempt.c.judge_id == judge_id


def is_of_model(asked_model_id: int) -> Asked:
    """Return an SQL condition on `attempt`: this model was asked, for something other than a judgement."""
    return schema.attempt.c.asked_model_id == asked_model_id


def find_replies(
    connection: Connection, asked: Asked, keys: Sequence[str], newest: bool
) -> dict[str, tuple[int, str]]:
    """Return request key -> (id, words) of its try that was answered readably; absent if there is none or
    it was erased.

    Of several such tries the newest or the oldest counts, by `newest`.
    """
    table, words = schema.attempt, schema.content
    rows = connection.execute(
        select(table.c.key, table.c.id, words.c.text)
        .join(words, words.c.id == table.c.reply_content)
        .where(asked, table.c.key.in_(keys), table.c.status == OK, words.c.text.is_not(None))
        .order_by(table.c.id if newest else table.c.id.desc())
    )
    return {row.key: (row.id, row.text) for row in rows}


def find_asked_once(connection: Connection, asked: Asked, keys: Sequence[str]) -> set[str]:
    """Return the keys whose last reply was unreadable and not the repair, so that they may be asked once
    more.
    """
    table = schema.attempt
    replied = table.c.status.in_((OK, *BLOCKED, *UNREADABLE))
    rows = connection.execute(
        select(table.c.key, table.c.status, table.c.repair)
        .where(asked, table.c.key.in_(keys), replied)
        .order_by(table.c.id)
    )
    last = {row.key: (row.status, row.repair) for row in rows}
    return {key for key, (status, repair) in last.items() if status in UNREADABLE and not repair}


def is_final_failure(status: str, repair: bool) -> bool:
    """Tell whether a try ends its call with a failure of its own: blocked, or cut or unreadable in its
    repair too.
    """
    return (status, int(repair)) in _FINAL_FAILURES


def settles_call() -> ColumnElement[bool]:
    """Return an SQL condition on `attempt`: it was answered readably, or is a final failure."""
    table = schema.attempt
    return (table.c.status == OK) | tuple_(table.c.status, table.c.repair).in_(_FINAL_FAILURES)


def keep_prompt(
    connection: Connection, entry: TrailEntry, key: str, version: str, body: str, sha256: str
) -> None:
    """Write the text of a prompt file unless it is stored already."""
    table = schema.judge_prompt
    if connection.execute(select(table.c.id).where(table.c.sha256 == sha256)).first() is None:
        entry.write(table, {"key": key, "version": version, "body": body, "sha256": sha256})


def prompt_body(connection: Connection, sha256_begin: str) -> str | None:
    """Return the text of the prompt file whose hash begins with these characters; None if there is none."""
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
    """Return the (unit, criterion) that are asked several times in this draw, in the order drawn."""
    table = schema.replicated
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion)
        .where(table.c.judge_id == judge_id, table.c.arm == arm)
        .order_by(table.c.id)
    )
    return [(row.unit_id, row.criterion) for row in rows]


def answered(connection: Connection, asked: Asked) -> bool:
    """Tell whether any try that meets the condition `asked` got a readable answer."""
    table = schema.attempt
    row = connection.execute(select(table.c.id).where(asked, table.c.status == OK).limit(1)).first()
    return row is not None


def answered_as(connection: Connection, judge_id: int) -> dict[str, int]:
    """Return model name -> number of this judge's readable answers that were given under it."""
    table = schema.attempt
    rows = connection.execute(
        select(table.c.served, func.count())
        .where(is_of_judge(judge_id), table.c.status == OK, table.c.served.is_not(None))
        .group_by(table.c.served)
    )
    return dict(rows.all())


def settled(
    connection: Connection, judge_id: int, run_id: int, origin: JudgementOrigin, whole_units: bool
) -> tuple[int, int]:
    """Return how many calls of this run and origin ended, and how many of them with a failure.

    `whole_units`: one call answers all criteria of a unit.
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
        if row.status != OK
    }
    return len(calls), len(failed)
