"""Who rates what: plans, draws, assignments, certification, calibration, and how disagreements were settled
(data/work/)."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Float, ForeignKey, Index, Integer, Table, UniqueConstraint
from sqlalchemy import text as sql

from data.schema.base import content_ref, metadata, one_of, ref, sealed, text
from data.schema.vocabulary import (
    AdjudicationCause,
    AdjudicationTrigger,
    AssignmentEventKind,
    AssignmentHold,
    AssignmentPurpose,
    CalibrationStep,
    CertificationResult,
    ConflictKind,
    DrawReason,
    EscalationKind,
    RepeatReason,
    StudyRole,
)

# How a study is rated. The highest version holds; a study without a plan is rated whole, in order, by
# everyone.
work_plan = sealed(
    "work_plan",
    ref("study_id", "study"),
    Column("version", Integer, nullable=False),
    text("body"),
    text("at"),
    UniqueConstraint("study_id", "version"),
)
# One draw of units. `frame` is a JSON list: the stratum of the unit at each position, so that the chance of
# every unit that was or was not drawn can be told later, whatever was learned of it since. `strata` is a JSON
# list of their numbers. `body` holds their names and what was asked for: names may quote facts of
# conversations, so they can be erased.
draw = sealed(
    "draw",
    ref("study_id", "study"),
    Column("number", Integer, nullable=False),
    text("method"),
    text("seed"),
    text("frame"),
    text("strata"),
    *content_ref("body"),
    text("at"),
    UniqueConstraint("study_id", "number"),
)
# A unit that is to be rated, why, and the chance that all draws so far gave it; None where a person chose it.
# A later draw writes the new chance of what had been drawn before: `fresh` 0, and the last row counts.
drawn = sealed(
    "drawn",
    ref("draw_id", "draw"),
    ref("unit_id", "unit"),
    Column("stratum", Integer),
    text("why"),
    Column("chance", Float),
    Column("fresh", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    UniqueConstraint("draw_id", "unit_id"),
    one_of("why", DrawReason),
    CheckConstraint("(chance IS NULL) = (why = 'chosen')", name="a_chance_unless_chosen"),
)
Index("drawn_by_unit", drawn.c.unit_id, drawn.c.id)
# A unit that shows another one a second time.
repeat = sealed(
    "repeat",
    ref("unit_id", "unit"),
    ref("of_unit_id", "unit"),
    text("why"),
    ref("calibration_id", "calibration", nullable=True),
    UniqueConstraint("unit_id"),
    UniqueConstraint("of_unit_id", "why", "calibration_id"),
    one_of("why", RepeatReason),
)
# One unit in one rater's list, at a place of their own. `hold` keeps the judge hidden until the end or the
# repeat.
assignment = sealed(
    "assignment",
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("purpose"),
    Column("place", Integer, nullable=False),
    text("hold"),
    text("at"),
    UniqueConstraint("rater_id", "place"),
    UniqueConstraint("rater_id", "unit_id"),
    one_of("purpose", AssignmentPurpose),
    one_of("hold", AssignmentHold),
)
Index("assignment_by_unit", assignment.c.unit_id, assignment.c.rater_id)
Index(
    "assignment_repeated",
    assignment.c.rater_id,
    assignment.c.place,
    sqlite_where=assignment.c.hold == "repeat",
)
# What became of an assignment, time after time: the last row counts, and none means that it is held.
assignment_event = sealed(
    "assignment_event",
    ref("assignment_id", "assignment"),
    text("kind"),
    text("at"),
    one_of("kind", AssignmentEventKind),
)
Index("event_of_assignment", assignment_event.c.assignment_id, assignment_event.c.id)
# What a unit's labels should be, by somebody who knows; the last row of a criterion counts.
gold_label = sealed(
    "gold_label",
    ref("unit_id", "unit"),
    text("criterion"),
    text("label"),
    text("said_by"),
    *content_ref("reason"),
    text("at"),
)
Index("gold_by_unit", gold_label.c.unit_id, gold_label.c.criterion)
certification = sealed(
    "certification",
    ref("rater_id", "rater"),
    text("result"),
    Column("same", Integer),
    Column("labels", Integer),
    *content_ref("reason"),
    text("at"),
    one_of("result", CertificationResult),
)
Index("certification_by_rater", certification.c.rater_id, certification.c.id)
# Conversations that a rater must not rate: one by one, or all whose fact has a value. The last row of each
# counts.
conflict = sealed(
    "conflict",
    ref("rater_id", "rater"),
    ref("conversation_id", "conversation", nullable=True),
    text("fact", nullable=True),
    *content_ref("value"),
    text("kind"),
    Column("lifted", Integer, nullable=False),
    text("at"),
    CheckConstraint("(conversation_id IS NULL) = (fact IS NOT NULL)", name="a_conversation_or_a_fact"),
    one_of("kind", ConflictKind),
)
Index("conflict_by_rater", conflict.c.rater_id)
calibration = sealed("calibration", ref("study_id", "study"), text("title"), text("raters"), text("at"))
calibration_unit = sealed(
    "calibration_unit",
    ref("calibration_id", "calibration"),
    ref("unit_id", "unit"),
    UniqueConstraint("calibration_id", "unit_id"),
)
calibration_step = sealed(
    "calibration_step",
    ref("calibration_id", "calibration"),
    text("step"),
    text("at"),
    one_of("step", CalibrationStep),
)
# Something a rater wants a study lead to look at; `answered` rows name the one they answer.
escalation = sealed(
    "escalation",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("criterion", nullable=True),
    text("kind"),
    *content_ref("note"),
    ref("answers", "escalation", nullable=True),
    text("at"),
    one_of("kind", EscalationKind),
)
Index("escalation_by_unit", escalation.c.unit_id)
# The settled label of a criterion by a named person. `label` None: both readings stand (a legitimate
# difference).
adjudication = sealed(
    "adjudication",
    text("event", unique=True),
    ref("study_id", "study"),
    ref("unit_id", "unit"),
    text("criterion"),
    text("trigger"),
    text("label", nullable=True),
    text("cause"),
    Column("judge_seen", Integer, nullable=False),
    ref("rater_id", "rater"),
    *content_ref("reason"),
    *content_ref("rubric_note"),
    ref("replaces", "adjudication", nullable=True),
    text("at"),
    one_of("trigger", AdjudicationTrigger),
    one_of("cause", AdjudicationCause),
    CheckConstraint("label IS NOT NULL OR cause = 'legitimate_difference'", name="a_label_unless_both_stand"),
)
Index("adjudication_by_unit", adjudication.c.unit_id, adjudication.c.criterion)
# What a person of the study does in it; the last row of each counts, and without one they rate.
study_role = sealed(
    "study_role", ref("rater_id", "rater"), text("role"), text("at"), one_of("role", StudyRole)
)
Index("role_by_rater", study_role.c.rater_id)
# Raters whose labels are left out of the headline, or taken back (`back`); the last row of a rater counts.
set_aside = sealed(
    "set_aside",
    ref("rater_id", "rater"),
    Column("back", Integer, nullable=False),
    text("decided_by"),
    *content_ref("reason"),
    text("at"),
)
Index("set_aside_by_rater", set_aside.c.rater_id)
# A study whose units were rated under an earlier version of the instrument in another study, and are rated
# again.
successor = sealed(
    "successor",
    ref("study_id", "study"),
    ref("of_study_id", "study"),
    *content_ref("reason"),
    text("at"),
    UniqueConstraint("study_id"),
)

# Projections, kept for speed; the sealed tables above are the record. How many hold or have committed a unit
# that is to be rated (`taken`), of how many wanted; which assignments are held, until when; and how far
# a rater has come through the units in the order of their places.
slot = Table(
    "slot",
    metadata,
    Column("unit_id", Integer, ForeignKey("unit.id"), primary_key=True),
    ref("study_id", "study"),
    Column("place", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("taken", Integer, nullable=False),
)
Index("slot_free", slot.c.study_id, slot.c.place, sqlite_where=sql("taken < wanted"))
reservation = Table(
    "reservation",
    metadata,
    Column("assignment_id", Integer, ForeignKey("assignment.id"), primary_key=True),
    ref("study_id", "study"),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("until"),
)
Index("reservation_until", reservation.c.study_id, reservation.c.until)
Index("reservation_by_rater", reservation.c.rater_id)
rater_cursor = Table(
    "rater_cursor",
    metadata,
    Column("rater_id", Integer, ForeignKey("rater.id"), primary_key=True),
    Column("place", Integer, nullable=False),
)
