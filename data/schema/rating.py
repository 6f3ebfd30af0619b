"""What a person gives of a unit and was shown of it: drafts, commits, ratings, exposures, answers to the
judge; and where each rater stands.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Table, UniqueConstraint

from data.schema.base import content_ref, metadata, one_of, ref, sealed, text
from data.schema.vocabulary import ExposureKind, ProgressState, RatingExposure, RatingSource, ResponseKind

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
