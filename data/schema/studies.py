"""Studies with their instruments, raters, conversations and units."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Integer, UniqueConstraint

from data.schema.base import content_ref, one_of, ref, sealed, text
from data.schema.vocabulary import RaterKind, RevealMoment, ReviewMode, StudyDataClass, UnitKind

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

# A new title of a study, or whether it is archived; the last row of each kind counts.
study_change = sealed(
    "study_change",
    ref("study_id", "study"),
    text("title", nullable=True),
    Column("archived", Integer),
    text("at"),
    CheckConstraint("(title IS NULL) = (archived IS NOT NULL)", name="a_title_or_archived"),
)
Index("change_of_study", study_change.c.study_id, study_change.c.id)

rater = sealed(
    "rater",
    ref("study_id", "study"),
    text("name"),
    text("kind"),
    text("at"),
    UniqueConstraint("study_id", "name"),
    one_of("kind", RaterKind),
)

# An imported rater who is this person of the study, as a study lead confirmed.
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
)
Index("unit_by_conversation", unit.c.conversation_id, unit.c.message)
