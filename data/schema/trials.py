"""Conversations whose last reply a model gave to a turn of another conversation."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer

from data.schema.base import ref, sealed, text

# `source_id`: the conversation whose turn `turn`, from 1, was answered again; `number`: which trial, from 1.
# `attempt_id`: the try that gave the reply.
trial = sealed(
    "trial",
    Column("conversation_id", Integer, ForeignKey("conversation.id"), nullable=False, unique=True),
    ref("source_id", "conversation"),
    ref("attempt_id", "attempt"),
    Column("turn", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    text("at"),
    CheckConstraint("turn >= 1 AND number >= 1", name="turns_and_trials_count_from_1"),
)
Index("trial_of_source", trial.c.source_id)
