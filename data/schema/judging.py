"""Judge runs: their settings, prompts, events and progress."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from data.schema.base import metadata, one_of, ref, sealed, text
from data.schema.vocabulary import ReplicateArm, RunEventKind

judge_prompt = sealed("judge_prompt", text("key"), text("version"), text("body"), text("sha256", unique=True))
judge_run = sealed(
    "judge_run", ref("study_id", "study"), text("judge_name"), text("asked_from"), text("options"), text("at")
)
run_event = sealed(
    "run_event",
    ref("run_id", "judge_run"),
    ref("judge_id", "judge", nullable=True),
    text("kind"),
    text("detail"),
    text("at"),
    one_of("kind", RunEventKind),
)
Index("event_of_run", run_event.c.run_id, run_event.c.kind)
# Which labels are asked several times, and by which draw; the flip rate is made of the random draw alone.
replicated = sealed(
    "replicated",
    ref("judge_id", "judge"),
    ref("unit_id", "unit"),
    text("criterion"),
    text("arm"),
    Column("times", Integer, nullable=False),
    one_of("arm", ReplicateArm),
    UniqueConstraint("judge_id", "unit_id", "criterion", "arm"),
)
# The progress of a run, for display. A projection: the attempts are the record.
run_progress = Table(
    "run_progress",
    metadata,
    Column("run_id", Integer, ForeignKey("judge_run.id"), primary_key=True),
    Column("pid", Integer, nullable=False),
    text("beat"),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("in_flight", Integer, nullable=False),
    Column("at_once", Integer, nullable=False),
    text("note"),
)
worker_beat = Table(
    "worker_beat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pid", Integer, nullable=False),
    text("beat"),
)
