"""Anchors: conversations with settled labels, frozen, that every judge is asked about; and which judge a
study uses.
"""

from __future__ import annotations

from sqlalchemy import Column, Integer, UniqueConstraint

from data.schema.base import content_ref, ref, sealed, text

# A set is never changed: what was settled otherwise since goes into the next one.
anchor_set = sealed(
    "anchor_set",
    ref("study_id", "study"),
    Column("number", Integer, nullable=False),
    text("at"),
    UniqueConstraint("study_id", "number"),
)
anchor = sealed(
    "anchor",
    ref("set_id", "anchor_set"),
    ref("unit_id", "unit"),
    text("criterion"),
    text("label"),
    UniqueConstraint("set_id", "unit_id", "criterion"),
)
# The last row tells which judge a study uses. `compared`: counts of what stood on the page when it was
# decided, as JSON.
adoption = sealed(
    "adoption",
    ref("study_id", "study"),
    ref("judge_id", "judge"),
    ref("of_judge_id", "judge", nullable=True),
    ref("set_id", "anchor_set"),
    text("compared"),
    text("decided_by"),
    *content_ref("reason"),
    text("at"),
)
# The judge whose numbers a study's headlines show, where no judge was adopted on the anchors; the last row
# counts.
judge_choice = sealed(
    "judge_choice", ref("study_id", "study"), ref("judge_id", "judge"), text("chosen_by"), text("at")
)
