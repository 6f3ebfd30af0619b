"""Studies, their conversations and units, what was said of them by judges and by people, and the trail."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from data.schema.base import content_ref, metadata, one_of, ref, row_id, sealed, text
from data.schema.earlier_forms import JUDGEMENT, UNIT
from data.schema.vocabulary import (
    ExposureKind,
    JudgementOrigin,
    ProgressState,
    RaterKind,
    RatingExposure,
    RatingSource,
    ReferenceKind,
    ResponseKind,
    RevealMoment,
    ReviewMode,
    StudyDataClass,
    UnitKind,
)

content = Table(
    "content",
    metadata,
    row_id(),
    Column("salt", LargeBinary),
    Column("text", Text),
    sqlite_autoincrement=True,
)

trail = Table(
    "trail",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    text("at"),
    text("actor"),
    text("action"),
    Column("study", Integer),
    text("detail"),
    text("digest"),
    text("previous"),
    text("hash"),
)

instrument = sealed(
    "instrument",
    text("key"),
    text("version"),
    text("body"),
    text("sha256"),
    UniqueConstraint("key", "version"),
)
taxonomy = sealed(
    "taxonomy", text("key"), text("version"), text("body"), text("sha256"), UniqueConstraint("key", "version")
)
study = sealed(
    "study",
    text("key", unique=True),
    text("title"),
    text("description"),
    text("data_class"),
    text("review"),
    text("reveal"),
    Column("batch_size", Integer, nullable=False),
    text("content_note"),
    text("provenance"),
    text("role_names"),
    ref("instrument_id", "instrument"),
    ref("taxonomy_id", "taxonomy", nullable=True),
    text("at"),
    one_of("data_class", StudyDataClass),
    one_of("review", ReviewMode),
    one_of("reveal", RevealMoment),
)
rater = sealed(
    "rater",
    ref("study_id", "study"),
    text("name"),
    text("kind"),
    text("at"),
    UniqueConstraint("study_id", "name"),
    one_of("kind", RaterKind),
)
# An imported rater of whom a study lead confirmed that they are this person of the study.
rater_identity = sealed(
    "rater_identity",
    ref("rater_id", "rater"),
    ref("person_id", "rater"),
    text("confirmed_by"),
    *content_ref("source"),
    text("at"),
    UniqueConstraint("rater_id"),
)
conversation = sealed(
    "conversation",
    ref("study_id", "study"),
    text("key"),
    Column("position", Integer, nullable=False),
    Column("messages", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    *content_ref("facts"),
    *content_ref("transcript"),
    UniqueConstraint("study_id", "key"),
)
# `position`: from 1 in the study's list. What is in no list counts from -1 down, so that the list has no
# gaps.
unit = sealed(
    "unit",
    ref("study_id", "study"),
    ref("conversation_id", "conversation"),
    Column("message", Integer),
    text("kind"),
    Column("position", Integer, nullable=False),
    text("criteria"),
    UniqueConstraint("study_id", "position"),
    one_of("kind", UnitKind),
    CheckConstraint("(kind = 'listed') = (position > 0)", name="what_is_listed_has_a_place_in_the_list"),
    earlier=[UNIT],
)
Index("unit_by_conversation", unit.c.conversation_id, unit.c.message)

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
    earlier=[JUDGEMENT],
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

draft = sealed(
    "draft",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("criterion"),
    text("label", nullable=True),
    text("cannot_rate", nullable=True),
    text("also"),
    Column("confidence", Integer),
    text("evidence"),
    *content_ref("note"),
    text("at"),
)
Index("draft_by_unit", draft.c.rater_id, draft.c.unit_id, draft.c.criterion)

commit = sealed(
    "unit_commit",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    Column("ordinal", Integer, nullable=False),
    text("at"),
    UniqueConstraint("rater_id", "unit_id"),
)
Index("commit_by_rater", commit.c.rater_id, commit.c.ordinal)
rating = sealed(
    "rating",
    text("event", unique=True),
    ref("study_id", "study"),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("criterion"),
    text("label", nullable=True),
    text("cannot_rate", nullable=True),
    text("source"),
    text("exposure"),
    Column("reveals_before", Integer, nullable=False),
    text("also"),
    Column("confidence", Integer),
    text("evidence"),
    *content_ref("note"),
    ref("replaces", "rating", nullable=True),
    *content_ref("reason"),
    text("at"),
    one_of("source", RatingSource),
    one_of("exposure", RatingExposure),
    CheckConstraint("label IS NULL OR cannot_rate IS NULL", name="cannot_rate_is_not_a_label"),
)
Index("rating_by_unit", rating.c.rater_id, rating.c.unit_id, rating.c.criterion)
Index(
    "rating_for_agreement",
    rating.c.study_id,
    rating.c.criterion,
    rating.c.exposure,
    rating.c.unit_id,
    rating.c.rater_id,
    rating.c.label,
    rating.c.source,
)
Index("rating_replaced", rating.c.replaces)

exposure = sealed(
    "exposure",
    ref("rater_id", "rater"),
    ref("unit_id", "unit", nullable=True),
    ref("judge_id", "judge", nullable=True),
    text("kind"),
    text("at"),
    one_of("kind", ExposureKind),
)
Index("exposure_by_rater", exposure.c.rater_id, exposure.c.unit_id, exposure.c.kind)

response = sealed(
    "response",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    ref("judge_id", "judge"),
    text("criterion"),
    text("kind"),
    text("value", nullable=True),
    text("at"),
    one_of("kind", ResponseKind),
)
Index("response_by_unit", response.c.rater_id, response.c.unit_id)

# What a rater writes of a judge's reasoning. A change is a new row that names the last one; without words it
# is taken back.
reasoning_comment = sealed(
    "reasoning_comment",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    ref("judge_id", "judge"),
    text("criterion"),
    *content_ref("comment"),
    ref("replaces", "reasoning_comment", nullable=True),
    text("at"),
)
Index("reasoning_comment_by_rater", reasoning_comment.c.rater_id, reasoning_comment.c.unit_id)
Index("reasoning_comment_by_judge", reasoning_comment.c.judge_id, reasoning_comment.c.unit_id)

erasure = sealed("erasure", ref("content_id", "content"), *content_ref("reason"), text("at"))

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

progress = Table(
    "progress",
    metadata,
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    Column("position", Integer, nullable=False),
    text("state"),
    UniqueConstraint("rater_id", "unit_id"),
    one_of("state", ProgressState),
)
Index("progress_by_position", progress.c.rater_id, progress.c.position, progress.c.state)
Index("progress_by_state", progress.c.rater_id, progress.c.state, progress.c.position)

# One row a rater: the first position neither committed nor skipped, and counts, so that "next" and "12 of 50"
# are lookups.
rater_progress = Table(
    "rater_progress",
    metadata,
    Column("rater_id", Integer, ForeignKey("rater.id"), primary_key=True),
    Column("frontier", Integer, nullable=False),
    Column("committed", Integer, nullable=False),
    Column("reveals", Integer, nullable=False),
)
