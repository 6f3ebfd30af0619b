"""Computed numbers, and what they are computed against or from."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Float, Index, Integer, UniqueConstraint

from data.schema.base import content_ref, one_of, ref, sealed, text
from data.schema.vocabulary import ReferenceKind

# What a conversation is measured against: gold steps, a plan of care, critical entities. The highest version
# counts.
reference = sealed(
    "reference",
    ref("study_id", "study"),
    text("kind"),
    text("scope"),
    ref("conversation_id", "conversation", nullable=True),
    Column("version", Integer, nullable=False),
    *content_ref("body"),
    text("source"),
    text("at"),
    one_of("kind", ReferenceKind),
    UniqueConstraint("study_id", "kind", "scope", "version"),
)

# Answers of a model to a case in two ways of asking, or to a case with a feature that must not matter.
run_output = sealed(
    "run_output",
    ref("study_id", "study"),
    text("case_key"),
    text("mode"),
    text("model"),
    text("status"),
    *content_ref("facts"),
    text("at"),
    UniqueConstraint("study_id", "case_key", "mode", "model"),
)

# A computed number. `inputs` is the hash of everything it was computed from, so that nothing is computed
# twice. `detail` holds numbers only: no word of a transcript stands in a metric.
metric_value = sealed(
    "metric_value",
    ref("study_id", "study"),
    text("subject"),
    ref("conversation_id", "conversation", nullable=True),
    ref("unit_id", "unit", nullable=True),
    ref("judge_id", "judge", nullable=True),
    text("metric"),
    text("variant"),
    text("version"),
    Column("value", Float),
    text("undefined", nullable=True),
    text("detail"),
    text("inputs"),
    text("at"),
    CheckConstraint("(value IS NULL) = (undefined IS NOT NULL)", name="a_number_or_a_reason"),
    UniqueConstraint("study_id", "subject", "metric", "variant", "inputs"),
)
Index("metric_by_conversation", metric_value.c.conversation_id, metric_value.c.metric, metric_value.c.variant)
