"""Judges and what they said of units."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from data.schema.base import content_ref, metadata, one_of, ref, sealed, text
from data.schema.vocabulary import JudgementOrigin

judge = sealed(
    "judge",
    ref("study_id", "study"),
    text("key"),
    text("name"),
    text("identity"),
    text("sha256"),
    UniqueConstraint("study_id", "sha256"),
)

# `anchor_round`: the round of anchors that it answers, from 1; 0 for a judgement of the study itself.
# `replicate`: which time the question was asked there, from 0. `file`: what it was imported from.
judgement = sealed(
    "judgement",
    ref("study_id", "study"),
    ref("unit_id", "unit"),
    ref("judge_id", "judge"),
    text("criterion"),
    text("status"),
    text("label", nullable=True),
    text("cited"),
    Column("anchor_round", Integer, nullable=False),
    Column("replicate", Integer, nullable=False),
    *content_ref("reasoning"),
    text("origin"),
    ref("run_id", "judge_run", nullable=True),
    text("file", nullable=True),
    text("at"),
    CheckConstraint("(status = 'ok') = (label IS NOT NULL)", name="a_failure_has_no_label"),
    CheckConstraint("anchor_round >= 0 AND replicate >= 0", name="rounds_and_replicates_count_from_0"),
    one_of("origin", JudgementOrigin),
    CheckConstraint(
        "(origin = 'import') = (run_id IS NULL) AND (origin = 'import') = (file IS NOT NULL)",
        name="of_a_run_or_of_a_file",
    ),
)
# A failure may be asked again, and then the later row replaces it; a label is never replaced.
Index(
    "judgement_by_unit",
    judgement.c.unit_id,
    judgement.c.judge_id,
    judgement.c.criterion,
    judgement.c.anchor_round,
    judgement.c.replicate,
)
Index(
    "one_label",
    judgement.c.unit_id,
    judgement.c.judge_id,
    judgement.c.criterion,
    judgement.c.anchor_round,
    judgement.c.replicate,
    unique=True,
    sqlite_where=judgement.c.status == "ok",
)
Index(
    "judgement_by_judge",
    judgement.c.study_id,
    judgement.c.judge_id,
    judgement.c.criterion,
    judgement.c.status,
    judgement.c.anchor_round,
    judgement.c.replicate,
    judgement.c.unit_id,
    judgement.c.label,
)

# A projection, kept for speed (record/quotation_counts.py): how many quotations the reasons of a label hold,
# and which of them its conversation does not, as positions from 0 in JSON; `rule`: by which of
# scoring/quotations.py; `unicode`: by which letters, a version.
quotation_count = Table(
    "quotation_count",
    metadata,
    Column("judgement_id", Integer, ForeignKey("judgement.id"), primary_key=True),
    Column("rule", Integer, nullable=False),
    text("unicode"),
    Column("quotations", Integer, nullable=False),
    text("missing"),
    CheckConstraint("quotations >= 0", name="no_fewer_than_none"),
)
