"""What models were asked beside the judgements of units."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index

from data.schema.base import one_of, ref, sealed, text
from data.schema.calls import call_checks, call_columns
from data.schema.vocabulary import RequestPurpose

# Model, prompt and parameters that answered: the identity, as JSON, and its hash.
asked_model = sealed("asked_model", text("name"), text("identity"), text("sha256", unique=True), text("at"))
# Every try is a row. `conversation_id`: whose words it holds. `answer`: whether one text follows from
# another; of a trial the reply is the answer.
request_attempt = sealed(
    "request_attempt",
    ref("study_id", "study"),
    ref("conversation_id", "conversation"),
    ref("asked_model_id", "asked_model"),
    text("purpose"),
    text("answer", nullable=True),
    *call_columns(),
    one_of("purpose", RequestPurpose),
    CheckConstraint(
        "(answer IS NOT NULL) = (purpose = 'entailment' AND status = 'ok')",
        name="only_entailment_has_an_answer",
    ),
    CheckConstraint(
        "answer IS NULL OR answer IN ('entailment', 'neutral', 'contradiction')", name="answer_known"
    ),
    *call_checks(),
)
Index("request_by_key", request_attempt.c.asked_model_id, request_attempt.c.key, request_attempt.c.status)
Index("request_of_conversation", request_attempt.c.conversation_id)
