"""Target plans that were proposed from the text of a case, and what a person decided."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer

from data.schema.base import content_ref, one_of, ref, sealed, text
from data.schema.vocabulary import PlanDecisionKind

# `components` and `model` made it of the text from `source`. `evidence`: the parts of the plan that follow,
# with the sentence of the configuration that does. `inputs`: the hash of all of it, so that nothing is
# proposed twice.
plan_proposal = sealed(
    "plan_proposal",
    ref("study_id", "study"),
    ref("conversation_id", "conversation"),
    text("components"),
    text("model"),
    text("source"),
    *content_ref("evidence"),
    *content_ref("plan"),
    text("undefined", nullable=True),
    text("inputs"),
    text("at"),
    CheckConstraint("(plan_content IS NULL) = (undefined IS NOT NULL)", name="a_plan_or_a_reason"),
)
Index("proposal_of_conversation", plan_proposal.c.conversation_id, plan_proposal.c.inputs)

# `reference_version`: the version of the conversation's target plan that came of it.
plan_decision = sealed(
    "plan_decision",
    Column("proposal_id", Integer, ForeignKey("plan_proposal.id"), nullable=False, unique=True),
    text("decision"),
    Column("reference_version", Integer),
    *content_ref("reason"),
    text("at"),
    one_of("decision", PlanDecisionKind),
    CheckConstraint("(decision = 'refused') = (reference_version IS NULL)", name="a_refusal_makes_no_plan"),
)
