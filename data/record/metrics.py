"""Computed numbers: kept once for the same inputs, read as the present value of a subject."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from data import schema
from data.store.batch_sizes import ROWS_PER_FETCH
from data.store.kept_parts import keep_part
from data.store.trail import TrailEntry, canonical

STUDY = "study"


@dataclass(frozen=True, slots=True)
class MetricSubject:
    """What a number is about: the study, a conversation or a unit; of a judge, where it comes from one."""

    conversation_id: int | None = None
    unit_id: int | None = None
    judge_id: int | None = None

    @property
    def is_study(self) -> bool:
        """Tell whether the number is about the study as a whole and of no judge."""
        return not (self.conversation_id or self.unit_id or self.judge_id)

    @property
    def key(self) -> str:
        """Return the text that identifies the subject, such as "unit:3/judge:1", "conversation:2" or that
        of the study.
        """
        about = (
            f"unit:{self.unit_id}"
            if self.unit_id
            else f"conversation:{self.conversation_id}"
            if self.conversation_id
            else STUDY
        )
        return f"{about}/judge:{self.judge_id}" if self.judge_id else about


@dataclass(frozen=True, slots=True)
class MetricValue:
    """`value` None: `undefined` says why. `detail` holds numbers, ids and names of models, never words of a
    transcript.
    """

    subject: MetricSubject
    metric: str
    variant: str
    version: str
    value: float | None
    undefined: str | None
    inputs: str
    detail: Mapping[str, Any] = field(default_factory=dict)


class StoredDetail(Mapping[str, Any]):
    """Details as they are written: most of very many are never looked at, so they are read anew each time."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, name: str) -> Any:
        return json.loads(self._text)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(json.loads(self._text))

    def __len__(self) -> int:
        return len(json.loads(self._text))


def inputs_hash(*values: Any) -> str:
    """Return the SHA-256 of values that can be written as JSON, in hexadecimal."""
    return hashlib.sha256(canonical(values)).hexdigest()


def known_inputs(connection: Connection, study_id: int) -> set[tuple[str, str, str, str]]:
    """Return (subject, metric, variant, inputs) of everything that was computed already."""
    table = schema.metric_value
    rows = connection.execute(
        select(table.c.subject, table.c.metric, table.c.variant, table.c.inputs).where(
            table.c.study_id == study_id
        )
    )
    return {(row.subject, row.metric, row.variant, row.inputs) for row in rows}


def keep(connection: Connection, entry: TrailEntry, study_id: int, metrics: Sequence[MetricValue]) -> int:
    """Write the numbers that are not stored yet; return how many."""
    table = schema.metric_value
    subjects = sorted({m.subject.key for m in metrics})
    present = {
        tuple(row)
        for row in connection.execute(
            select(table.c.subject, table.c.metric, table.c.variant, table.c.inputs).where(
                table.c.study_id == study_id, table.c.subject.in_(subjects)
            )
        )
    }
    return len(
        entry.write_many(
            table,
            [
                {
                    "study_id": study_id,
                    "subject": m.subject.key,
                    "conversation_id": m.subject.conversation_id,
                    "unit_id": m.subject.unit_id,
                    "judge_id": m.subject.judge_id,
                    "metric": m.metric,
                    "variant": m.variant,
                    "version": m.version,
                    "value": m.value,
                    "undefined": m.undefined,
                    "detail": json.dumps(dict(m.detail), sort_keys=True),
                    "inputs": m.inputs,
                }
                for m in metrics
                if (m.subject.key, m.metric, m.variant, m.inputs) not in present
            ],
        )
    )


def present(
    connection: Connection, study_id: int, conversation_id: int | None = None, judges: bool = False
) -> list[MetricValue]:
    """Return the newest number of every subject, metric and variant, of a study or of one conversation.

    Numbers of a judge are included only with `judges`: use it only for somebody who may see them.
    """
    return _read_present(connection, study_id, conversation_id, judges, schema.metric_value.c.detail)


def present_without_curves(connection: Connection, study_id: int) -> list[MetricValue]:
    """Return the newest numbers of a study, none of a judge, without the curves of single conversations.

    Curves are most of the details; data/record/curves.py reads them. The result is cached and must not be
    changed.
    """
    table = schema.metric_value
    detail = case(
        (table.c.conversation_id.is_not(None), func.json_remove(table.c.detail, "$.curve", "$.local")),
        else_=table.c.detail,
    )
    return keep_part(
        connection,
        study_id,
        "metrics",
        (table,),
        lambda: _read_present(connection, study_id, None, False, detail),
    )


def _read_present(
    connection: Connection,
    study_id: int,
    conversation_id: int | None,
    judges: bool,
    detail: ColumnElement[str],
) -> list[MetricValue]:
    table = schema.metric_value
    # A conversation is of one study; naming the study as well would make SQLite read all of the study's
    # numbers.
    newest = select(func.max(table.c.id)).where(
        table.c.study_id == study_id
        if conversation_id is None
        else table.c.conversation_id == conversation_id
    )
    if not judges:
        newest = newest.where(table.c.judge_id.is_(None))
    newest = newest.group_by(table.c.subject, table.c.metric, table.c.variant)
    rows = connection.execute(
        select(*(column for column in table.c if column.name != "detail"), detail.label("detail"))
        .where(table.c.id.in_(newest))
        .order_by(table.c.id),
        execution_options={"yield_per": ROWS_PER_FETCH},
    )
    return [
        MetricValue(
            MetricSubject(row.conversation_id, row.unit_id, row.judge_id),
            intern(row.metric),
            intern(row.variant),
            intern(row.version),
            row.value,
            row.undefined,
            row.inputs,
            StoredDetail(intern(row.detail)),
        )
        for row in rows
    ]
