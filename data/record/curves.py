"""The curves of a study's conversations with the facts that tell them apart, for drift."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, or_, select

from data import schema
from data.record.conversations import shared_persons
from data.record.fact_names import PERSON, plain_name
from data.schema.vocabulary import UnitKind
from data.store.kept_parts import keep_part
from scoring.arrays import Array, IntArray, Mask
from scoring.entailment import CONTRADICTION, VERDICTS

CONFLICT = "knowledge_conflict"  # its verdicts are kept in place of a curve
GROUPS = 12  # more values than this do not divide a study into conditions
CURVES_PER_FETCH = 1_000  # rows per batch of objects
LONG = 60  # characters, beyond which a fact is a text
FIRST = (
    "condition",
    "model",
    "provider",
    "temperature",
    "prompt",
    "risk",
)  # what a study is most often divided by, in this order


@dataclass(frozen=True)
class CurveTable:
    """C conversations in the order of the study, over T turns; NaN where a turn has no value or the
    conversation has ended.

    `position`: the last unit of each, which shows all that is rated of it, 0 where nothing is;
    `turns`: how many turns it has. `part`: whose it is, numbered from 0; one person's are alike.
    `values`: the curve of a metric and variant, `local` that of each turn's own actions (empty rows where the
    metric has none),
    `last` (C,): the metric's value of the whole conversation. `embedder` (C,): which one measured it, ""
    where none did. `facts`: by name the value of each conversation, None where it has none.
    """

    conversation: IntArray
    key: tuple[str, ...]
    position: IntArray
    turns: IntArray
    part: IntArray
    values: Array
    local: Array
    last: Array
    embedder: NDArray[np.str_]
    facts: dict[str, tuple[str | None, ...]] = field(default_factory=dict)

    def where(self, chosen: Mask) -> CurveTable:
        """Return the table of the conversations that the mask `chosen` (C,) selects."""
        return CurveTable(
            self.conversation[chosen],
            tuple(key for key, here in zip(self.key, chosen, strict=True) if here),
            self.position[chosen],
            self.turns[chosen],
            self.part[chosen],
            self.values[chosen],
            self.local[chosen],
            self.last[chosen],
            self.embedder[chosen],
            {
                name: tuple(value for value, here in zip(values, chosen, strict=True) if here)
                for name, values in self.facts.items()
            },
        )

    def divides(self) -> list[str]:
        """Return the names of facts that divide the study into conditions, the likeliest first.

        A fact qualifies with 2 to GROUPS (12) different values, fewer than there are conversations, unless
        it names a person.
        """
        facts_that_divide = [
            name
            for name, values in self.facts.items()
            if 2 <= len({v for v in values if v is not None}) <= min(GROUPS, len(values) - 1)
            and plain_name(name) not in PERSON
        ]
        return sorted(
            facts_that_divide,
            key=lambda name: (
                next((i for i, word in enumerate(FIRST) if word in name.lower()), len(FIRST)),
                name,
            ),
        )


@dataclass(frozen=True)
class CurveEmbedder:
    """`counterpart`: the default embedder's variant that is shown with its numbers; "" for the default."""

    name: str
    counterpart: str


def kinds(connection: Connection, study_id: int) -> list[tuple[str, str]]:
    """Return (metric, variant) of everything that has a value per turn, in the order first computed."""
    return keep_part(
        connection,
        study_id,
        "kinds of curves",
        (schema.metric_value,),
        lambda: _read_kinds(connection, study_id),
    )


def _read_kinds(connection: Connection, study_id: int) -> list[tuple[str, str]]:
    table = schema.metric_value
    rows = connection.execute(
        select(table.c.metric, table.c.variant)
        .where(
            table.c.study_id == study_id,
            table.c.conversation_id.is_not(None),
            table.c.judge_id.is_(None),
            or_(table.c.detail.like('%"curve"%'), table.c.metric == CONFLICT),
        )
        .group_by(table.c.metric, table.c.variant)
        .order_by(func.min(table.c.id))
    )
    return [(metric, variant) for metric, variant in rows]


def embedders(connection: Connection, study_id: int) -> dict[tuple[str, str], CurveEmbedder]:
    """Return (metric, variant) -> the embedder of its newest numbers; those without one are absent."""
    return keep_part(
        connection,
        study_id,
        "embedders",
        (schema.metric_value,),
        lambda: _read_embedders(connection, study_id),
    )


def _read_embedders(connection: Connection, study_id: int) -> dict[tuple[str, str], CurveEmbedder]:
    table = schema.metric_value
    newest = (
        select(func.max(table.c.id))
        .where(
            table.c.study_id == study_id,
            table.c.conversation_id.is_not(None),
            table.c.judge_id.is_(None),
            table.c.detail.like('%"embedder"%'),
        )
        .group_by(table.c.metric, table.c.variant)
    )
    rows = connection.execute(
        select(table.c.metric, table.c.variant, table.c.detail)
        .where(table.c.id.in_(newest))
        .order_by(table.c.id)
    )
    details = {(row.metric, row.variant): json.loads(row.detail) for row in rows}
    return {
        kind: CurveEmbedder(str(detail["embedder"]), str(detail.get("counterpart") or ""))
        for kind, detail in details.items()
        if detail.get("embedder")
    }


def read(connection: Connection, study_id: int, metric: str, variant: str) -> CurveTable:
    """Return the present curves of a study; erased conversations have no facts."""
    return keep_part(
        connection,
        study_id,
        ("curves", metric, variant),
        (schema.metric_value, schema.conversation, schema.unit, schema.erasure, schema.trial),
        lambda: _read_curves(connection, study_id, metric, variant),
    )


def _read_curves(connection: Connection, study_id: int, metric: str, variant: str) -> CurveTable:
    value, talk, text, unit = schema.metric_value, schema.conversation, schema.content, schema.unit
    last = (
        select(func.max(value.c.id))
        .where(
            value.c.study_id == study_id,
            value.c.metric == metric,
            value.c.variant == variant,
            value.c.judge_id.is_(None),
            value.c.unit_id.is_(None),
        )
        .group_by(value.c.subject)
    )
    last_unit = (
        select(unit.c.conversation_id, func.max(unit.c.position).label("position"))
        .where(unit.c.study_id == study_id, unit.c.kind == UnitKind.LISTED)
        .group_by(unit.c.conversation_id)
        .subquery()
    )
    rows = connection.execute(
        select(
            talk.c.id,
            talk.c.key,
            talk.c.turns,
            last_unit.c.position,
            value.c.value,
            value.c.detail,
            text.c.text,
        )
        .join(talk, talk.c.id == value.c.conversation_id)
        .join(text, text.c.id == talk.c.facts_content)
        .outerjoin(last_unit, last_unit.c.conversation_id == talk.c.id)
        .where(value.c.id.in_(last))
        .order_by(talk.c.position),
        execution_options={"yield_per": CURVES_PER_FETCH},
    )
    shared = shared_persons(connection, study_id)
    conversation, keys, position, turns, facts, curves, local, values, embedder = ([] for _ in range(9))
    for part in rows.partitions():
        details = [json.loads(row.detail) for row in part]
        curves.append(_square([_curve(_curve_values(detail, metric)) for detail in details]))
        local.append(_square([_curve(detail.get("local") or []) for detail in details]))
        embedder += [intern(str(detail.get("embedder") or "")) for detail in details]
        for row in part:
            conversation.append(row.id)
            keys.append(row.key)
            position.append(row.position or 0)
            turns.append(row.turns)
            facts.append(json.loads(row.text or "{}"))
            values.append(np.nan if row.value is None else row.value)
    if not keys:
        none, square = np.zeros(0, dtype=np.int64), np.zeros((0, 0))
        return CurveTable(none, (), none, none, none, square, square, np.zeros(0), np.zeros(0, dtype=np.str_))
    return CurveTable(
        np.array(conversation, dtype=np.int64),
        tuple(keys),
        np.array(position, dtype=np.int64),
        np.array(turns, dtype=np.int64),
        np.unique([shared.get(number, number) for number in conversation], return_inverse=True)[1],
        _stack(curves),
        _stack(local),
        np.array(values, dtype=float),
        np.array(embedder),
        by_name(facts),
    )


def of_one(
    connection: Connection, conversation_id: int, metric: str, variant: str
) -> tuple[list[float | None], int | None]:
    """Return the present curve of one conversation, and the turn (from 1) from which its text exceeds the
    model.

    [] if no curve was computed; None if all of it fits.
    """
    table = schema.metric_value
    detail = connection.execute(
        select(table.c.detail)
        .where(
            table.c.conversation_id == conversation_id, table.c.metric == metric, table.c.variant == variant
        )
        .order_by(table.c.id.desc())
        .limit(1)
    ).scalar()
    detail_fields = json.loads(detail) if detail else {}
    return list(detail_fields.get("curve") or []), detail_fields.get("truncated_from")


def _curve_values(detail: dict[str, Any], metric: str) -> list[float | None]:
    return _conflicts(detail) if metric == CONFLICT else detail.get("curve") or []


def _conflicts(detail: dict[str, Any]) -> list[float | None]:
    """1 at a turn that contradicts the one before, 0 where it does not, None where nobody asked or the model
    failed.
    """
    verdicts = {int(turn): verdict for turn, verdict in detail.get("pairs", ()) if verdict in VERDICTS}
    return [
        float(verdicts[turn] == CONTRADICTION) if turn in verdicts else None
        for turn in range(1, max(verdicts, default=0) + 1)
    ]


def by_name(facts: Sequence[dict[str, Any]]) -> dict[str, tuple[str | None, ...]]:
    """Return name -> the value of each conversation as text, in order.

    None for a missing value, a Boolean, or one longer than LONG (60) characters. A number is the same
    written as 1 and as 1.0.
    """

    def plain(value: Any) -> str | None:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return None
        label = f"{value:g}" if isinstance(value, float) else str(value).strip()
        return intern(label) if 0 < len(label) <= LONG else None

    names = dict.fromkeys(name for conversation_facts in facts for name in conversation_facts)
    return {
        name: tuple(plain(conversation_facts.get(name)) for conversation_facts in facts) for name in names
    }


def _curve(values: Sequence[float | None]) -> Array:
    return np.array(values, dtype=float)  # None becomes NaN


def _square(curves: Sequence[Array]) -> Array:
    """(C, T) of curves of any length, NaN after the end."""
    square = np.full((len(curves), max(map(len, curves), default=0)), np.nan)
    for row, curve in zip(square, curves, strict=True):
        row[: len(curve)] = curve
    return square


def _stack(squares: Sequence[Array]) -> Array:
    """Below each other, each as wide as the widest."""
    stacked = np.full((sum(map(len, squares)), max(square.shape[1] for square in squares)), np.nan)
    start = 0
    for square in squares:
        stacked[start : start + len(square), : square.shape[1]] = square
        start += len(square)
    return stacked
