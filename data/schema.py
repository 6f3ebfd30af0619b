"""The tables.

Sealed tables are append-only: triggers refuse UPDATE and DELETE, and every row names the trail entry (`trail`)
that it was written under, whose digest covers it. Free text lies only in `content`; sealed rows hold its id and
a salted HMAC, so that erasing a text leaves the trail verifiable. `progress` and `seat` are projections of the
sealed tables, kept for speed; what counts in them (commits, reveals) is compared with the record by `verify`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()
SEALED: list[Table] = []


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _ref(name: str, target: str, nullable: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(f"{target}.id"), nullable=nullable)


def _text(name: str, nullable: bool = False, **more: Any) -> Column[str]:
    return Column(name, Text, nullable=nullable, **more)


def _content(name: str) -> list[Column[Any]]:
    """A reference to free text: its row and the HMAC under the row's salt."""
    return [_ref(f"{name}_content", "content", nullable=True), Column(f"{name}_mac", Text)]


def _one_of(column: str, *values: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def _sealed(name: str, *parts: Any) -> Table:
    table = Table(name, metadata, _id(), *parts, Column("trail", Integer, nullable=False), sqlite_autoincrement=True)
    SEALED.append(table)
    return table


content = Table(
    "content", metadata, _id(), Column("salt", LargeBinary), Column("text", Text), sqlite_autoincrement=True
)

trail = Table(
    "trail",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    _text("at"),
    _text("actor"),
    _text("action"),
    Column("study", Integer),
    _text("detail"),
    _text("digest"),
    _text("previous"),
    _text("hash"),
)

instrument = _sealed(
    "instrument", _text("key"), _text("version"), _text("body"), _text("sha256"), UniqueConstraint("key", "version")
)
taxonomy = _sealed(
    "taxonomy", _text("key"), _text("version"), _text("body"), _text("sha256"), UniqueConstraint("key", "version")
)
study = _sealed(
    "study",
    _text("key", unique=True),
    _text("title"),
    _text("description"),
    _text("data_class"),
    _text("review"),
    _text("reveal"),
    Column("batch_size", Integer, nullable=False),
    _text("content_note"),
    _text("provenance"),
    _text("role_names"),
    _ref("instrument_id", "instrument"),
    _ref("taxonomy_id", "taxonomy", nullable=True),
    _text("at"),
    _one_of("data_class", "synthetic", "deidentified", "phi"),
    _one_of("review", "blind", "open"),
    _one_of("reveal", "after_batch", "after_unit", "never"),
)
rater = _sealed(
    "rater",
    _ref("study_id", "study"),
    _text("name"),
    _text("kind"),
    _text("at"),
    UniqueConstraint("study_id", "name"),
    _one_of("kind", "person", "imported"),
)
conversation = _sealed(
    "conversation",
    _ref("study_id", "study"),
    _text("key"),
    Column("position", Integer, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    *_content("facts"),
    *_content("transcript"),
    UniqueConstraint("study_id", "key"),
)
unit = _sealed(
    "unit",
    _ref("study_id", "study"),
    _ref("conversation_id", "conversation"),
    Column("message", Integer),
    Column("position", Integer, nullable=False),
    _text("criteria"),
    UniqueConstraint("study_id", "position"),
)
Index("unit_by_conversation", unit.c.conversation_id, unit.c.message)

judge = _sealed(
    "judge",
    _ref("study_id", "study"),
    _text("key"),
    _text("name"),
    _text("identity"),
    _text("sha256"),
    UniqueConstraint("study_id", "sha256"),
)
judgement = _sealed(
    "judgement",
    _ref("study_id", "study"),
    _ref("unit_id", "unit"),
    _ref("judge_id", "judge"),
    _text("criterion"),
    _text("status"),
    _text("label", nullable=True),
    _text("cited"),
    Column("replicate", Integer, nullable=False),
    *_content("reasoning"),
    _text("source"),
    _text("at"),
    CheckConstraint("(status = 'ok') = (label IS NOT NULL)", name="a_failure_has_no_label"),
)
# A failure may be asked again, and then the later row replaces it; a label is never replaced.
Index("judgement_by_unit", judgement.c.unit_id, judgement.c.judge_id, judgement.c.criterion, judgement.c.replicate)
Index("one_label", judgement.c.unit_id, judgement.c.judge_id, judgement.c.criterion, judgement.c.replicate, unique=True,
      sqlite_where=judgement.c.status == "ok")
Index("judgement_by_judge", judgement.c.study_id, judgement.c.judge_id, judgement.c.criterion, judgement.c.status,
      judgement.c.replicate, judgement.c.unit_id, judgement.c.label)

draft = _sealed(
    "draft",
    _text("event", unique=True),
    _ref("rater_id", "rater"),
    _ref("unit_id", "unit"),
    _text("criterion"),
    _text("label", nullable=True),
    _text("cannot_rate", nullable=True),
    _text("also"),
    Column("confidence", Integer),
    _text("evidence"),
    *_content("note"),
    _text("at"),
)
Index("draft_by_unit", draft.c.rater_id, draft.c.unit_id, draft.c.criterion)

commit = _sealed(
    "unit_commit",
    _text("event", unique=True),
    _ref("rater_id", "rater"),
    _ref("unit_id", "unit"),
    Column("ordinal", Integer, nullable=False),
    _text("at"),
    UniqueConstraint("rater_id", "unit_id"),
)
rating = _sealed(
    "rating",
    _text("event", unique=True),
    _ref("study_id", "study"),
    _ref("rater_id", "rater"),
    _ref("unit_id", "unit"),
    _text("criterion"),
    _text("label", nullable=True),
    _text("cannot_rate", nullable=True),
    _text("source"),
    _text("exposure"),
    Column("reveals_before", Integer, nullable=False),
    _text("also"),
    Column("confidence", Integer),
    _text("evidence"),
    *_content("note"),
    _ref("replaces", "rating", nullable=True),
    *_content("reason"),
    _text("at"),
    _one_of("source", "given", "rule", "imported"),
    _one_of("exposure", "blind", "revealed", "open", "page", "judge_visible", "unknown"),
    CheckConstraint("label IS NULL OR cannot_rate IS NULL", name="cannot_rate_is_not_a_label"),
)
Index("rating_by_unit", rating.c.rater_id, rating.c.unit_id, rating.c.criterion)
Index("rating_for_agreement", rating.c.study_id, rating.c.criterion, rating.c.exposure, rating.c.unit_id,
      rating.c.rater_id, rating.c.label, rating.c.source)
Index("rating_replaced", rating.c.replaces)

exposure = _sealed(
    "exposure",
    _ref("rater_id", "rater"),
    _ref("unit_id", "unit", nullable=True),
    _ref("judge_id", "judge", nullable=True),
    _text("kind"),
    _text("at"),
    _one_of("kind", "reveal", "open", "page"),
)
Index("exposure_by_rater", exposure.c.rater_id, exposure.c.unit_id, exposure.c.kind)

response = _sealed(
    "response",
    _text("event", unique=True),
    _ref("rater_id", "rater"),
    _ref("unit_id", "unit"),
    _ref("judge_id", "judge"),
    _text("criterion"),
    _text("kind"),
    _text("value", nullable=True),
    _text("at"),
    _one_of("kind", "keep", "change", "reasoning"),
)
Index("response_by_unit", response.c.rater_id, response.c.unit_id)

erasure = _sealed("erasure", _ref("content_id", "content"), *_content("reason"), _text("at"))

# What a conversation is measured against: gold steps, a plan of care, critical entities. The highest version counts.
reference = _sealed(
    "reference",
    _ref("study_id", "study"),
    _text("kind"),
    _text("scope"),
    _ref("conversation_id", "conversation", nullable=True),
    Column("version", Integer, nullable=False),
    *_content("body"),
    _text("source"),
    _text("at"),
    _one_of("kind", "gold_steps", "target_plan", "critical_entities"),
    UniqueConstraint("study_id", "kind", "scope", "version"),
)
# Answers of a model to a case in two ways of asking, or to a case with a feature that must not matter.
run_output = _sealed(
    "run_output",
    _ref("study_id", "study"),
    _text("case_key"),
    _text("mode"),
    _text("model"),
    _text("status"),
    *_content("facts"),
    _text("at"),
    UniqueConstraint("study_id", "case_key", "mode", "model"),
)
# A computed number. `inputs` is the hash of everything it was computed from, so that nothing is computed twice.
# `detail` holds numbers only: no word of a transcript stands in a metric.
metric_value = _sealed(
    "metric_value",
    _ref("study_id", "study"),
    _text("subject"),
    _ref("conversation_id", "conversation", nullable=True),
    _ref("unit_id", "unit", nullable=True),
    _ref("judge_id", "judge", nullable=True),
    _text("metric"),
    _text("variant"),
    _text("version"),
    Column("value", Float),
    _text("undefined", nullable=True),
    _text("detail"),
    _text("inputs"),
    _text("at"),
    CheckConstraint("(value IS NULL) = (undefined IS NOT NULL)", name="a_number_or_a_reason"),
    UniqueConstraint("study_id", "subject", "metric", "variant", "inputs"),
)
Index("metric_by_conversation", metric_value.c.conversation_id, metric_value.c.metric, metric_value.c.variant)

# The ledger of judge calls (data/ledger.py). Every try to ask a judge is a row, whatever came of it.
judge_prompt = _sealed("judge_prompt", _text("key"), _text("version"), _text("body"), _text("sha256", unique=True))
judge_run = _sealed("judge_run", _ref("study_id", "study"), _text("judge_name"), _text("asked_from"), _text("options"), _text("at"))
run_event = _sealed(
    "run_event",
    _ref("run_id", "judge_run"),
    _ref("judge_id", "judge", nullable=True),
    _text("kind"),
    _text("detail"),
    _text("at"),
    _one_of("kind", "started", "served", "cancel", "batch", "batch_name", "batch_ended", "ended"),
)
Index("event_of_run", run_event.c.run_id, run_event.c.kind)
judge_attempt = _sealed(
    "judge_attempt",
    _ref("run_id", "judge_run"),
    _ref("judge_id", "judge"),
    _ref("unit_id", "unit"),
    _text("criterion"),
    Column("replicate", Integer, nullable=False),
    _text("key"),
    Column("tried", Integer, nullable=False),
    Column("repair", Integer, nullable=False),
    _text("status"),
    _text("detail"),
    Column("http", Integer),
    _text("finish", nullable=True),
    _text("served", nullable=True),
    _text("response_id", nullable=True),
    _text("safety"),
    Column("tokens_in", Integer),
    Column("tokens_out", Integer),
    Column("tokens_thought", Integer),
    Column("tokens_cached", Integer),
    Column("cost_nano", Integer),
    _text("price_of", nullable=True),
    Column("latency_ms", Integer, nullable=False),
    _text("adapter"),
    _text("prompt_sha256"),
    *_content("reply"),
    _text("at"),
)
Index("attempt_by_key", judge_attempt.c.judge_id, judge_attempt.c.key, judge_attempt.c.status)
Index("attempt_by_unit", judge_attempt.c.unit_id, judge_attempt.c.judge_id, judge_attempt.c.criterion, judge_attempt.c.replicate)
Index("attempt_by_run", judge_attempt.c.run_id, judge_attempt.c.status)
# Which labels are asked several times, and by which draw; the flip rate is made of the random draw alone.
replicated = _sealed(
    "replicated",
    _ref("judge_id", "judge"),
    _ref("unit_id", "unit"),
    _text("criterion"),
    _text("arm"),
    Column("times", Integer, nullable=False),
    _one_of("arm", "random", "safety"),
    UniqueConstraint("judge_id", "unit_id", "criterion", "arm"),
)
# How far a run is, for whoever watches. A projection: the attempts are the record.
run_progress = Table(
    "run_progress",
    metadata,
    Column("run_id", Integer, ForeignKey("judge_run.id"), primary_key=True),
    Column("pid", Integer, nullable=False),
    _text("beat"),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("in_flight", Integer, nullable=False),
    Column("at_once", Integer, nullable=False),
    _text("note"),
)
worker_beat = Table("worker_beat", metadata, Column("id", Integer, primary_key=True), Column("pid", Integer, nullable=False), _text("beat"))

progress = Table(
    "progress",
    metadata,
    _ref("rater_id", "rater"),
    _ref("unit_id", "unit"),
    Column("position", Integer, nullable=False),
    _text("state"),
    UniqueConstraint("rater_id", "unit_id"),
    _one_of("state", "begun", "skipped", "committed", "compared"),
)
Index("progress_by_position", progress.c.rater_id, progress.c.position, progress.c.state)
Index("progress_by_state", progress.c.rater_id, progress.c.state, progress.c.position)

# One row a rater: the first position neither committed nor skipped, and counts, so that "next" and "12 of 50" are lookups.
seat = Table(
    "seat",
    metadata,
    Column("rater_id", Integer, ForeignKey("rater.id"), primary_key=True),
    Column("frontier", Integer, nullable=False),
    Column("committed", Integer, nullable=False),
    Column("reveals", Integer, nullable=False),
)
