"""Columns of a try of a model, whatever it was asked about."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint, Column, Integer

from data.schema.base import content_ref, text


def call_columns() -> list[Column[Any]]:
    """`price_date` and `currency`: of the price list that the cost was reckoned with. `replayed`: answered
    from a recording.
    """
    return [
        text("key"),
        Column("tried", Integer, nullable=False),
        Column("repair", Integer, nullable=False),
        text("status"),
        text("detail"),
        Column("http", Integer),
        text("finish", nullable=True),
        text("served", nullable=True),
        text("response_id", nullable=True),
        text("safety"),
        Column("tokens_in", Integer),
        Column("tokens_out", Integer),
        Column("tokens_thought", Integer),
        Column("tokens_cached", Integer),
        Column("cost_nano", Integer),
        text("price_date", nullable=True),
        text("currency", nullable=True),
        Column("latency_ms", Integer, nullable=False),
        text("adapter"),
        Column("batched", Integer, nullable=False),
        Column("replayed", Integer, nullable=False),
        text("prompt_sha256"),
        *content_ref("reply"),
        text("at"),
    ]


def call_checks() -> list[CheckConstraint]:
    return [
        CheckConstraint("currency IS NULL OR price_date IS NOT NULL", name="a_currency_of_a_price_list"),
        CheckConstraint("batched IN (0, 1) AND replayed IN (0, 1)", name="batched_and_replayed_are_flags"),
    ]
