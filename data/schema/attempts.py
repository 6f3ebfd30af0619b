"""The ledger: every try of a model, whatever it was asked about."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Integer

from data.schema.base import content_ref, one_of, ref, sealed, text
from data.schema.vocabulary import AttemptPurpose

# Model, prompt and parameters that answered a request: the identity, as JSON, and its hash.
asked_model = sealed("asked_model", text("name"), text("identity"), text("sha256", unique=True), text("at"))
# A try is of a judge about a unit, in a run, or of a model about anything else. `conversation_id`: whose
# words it holds. `anchor_round`: the round of anchors that it was asked in, from 1; 0 for a question of the
# study itself. `replicate`: which time it was asked there, from 0. `answer`: whether one text follows from
# another; of a trial the reply is the answer. `price_date` and `currency`: of the price list that the cost
# was reckoned with. `replayed`: answered from a recording.
attempt = sealed(
    "attempt",
    ref("study_id", "study"),
    ref("conversation_id", "conversation"),
    text("purpose"),
    ref("run_id", "judge_run", nullable=True),
    ref("judge_id", "judge", nullable=True),
    ref("unit_id", "unit", nullable=True),
    text("criterion", nullable=True),
    Column("anchor_round", Integer),
    Column("replicate", Integer),
    ref("asked_model_id", "asked_model", nullable=True),
    text("answer", nullable=True),
    text("key"),
    Column("tried", Integer, nullable=False),
    Column("repair", Integer, nullable=False),
    text("status"),
    text("detail"),
    Column("http", Integer),
    text("finish", nullable=True),
    text("served", nullable=True),
    text("response_id", nullable=True),
    text("safety"),
    Column("tokens_in", Integer),
    Column("tokens_out", Integer),
    Column("tokens_thought", Integer),
    Column("tokens_cached", Integer),
    Column("cost_nano", Integer),
    text("price_date", nullable=True),
    text("currency", nullable=True),
    Column("latency_ms", Integer, nullable=False),
    text("adapter"),
    Column("batched", Integer, nullable=False),
    Column("replayed", Integer, nullable=False),
    text("prompt_sha256"),
    *content_ref("reply"),
    text("at"),
    one_of("purpose", AttemptPurpose),
    CheckConstraint(
        " AND ".join(
            f"(purpose = 'judgement') = ({column} IS NOT NULL)"
            for column in ("run_id", "judge_id", "unit_id", "criterion", "anchor_round", "replicate")
        )
        + " AND (purpose = 'judgement') = (asked_model_id IS NULL)",
        name="of_a_judge_or_of_a_model",
    ),
    CheckConstraint("anchor_round >= 0 AND replicate >= 0", name="rounds_and_replicates_count_from_0"),
    CheckConstraint(
        "(answer IS NOT NULL) = (purpose = 'entailment' AND status = 'ok')",
        name="only_entailment_has_an_answer",
    ),
    CheckConstraint(
        "answer IS NULL OR answer IN ('entailment', 'neutral', 'contradiction')", name="answer_known"
    ),
    CheckConstraint("currency IS NULL OR price_date IS NOT NULL", name="a_currency_of_a_price_list"),
    CheckConstraint("batched IN (0, 1) AND replayed IN (0, 1)", name="batched_and_replayed_are_flags"),
)
_IS_OF_A_JUDGE = attempt.c.judge_id.is_not(None)
_IS_OF_A_MODEL = attempt.c.asked_model_id.is_not(None)
Index("attempt_by_key", attempt.c.judge_id, attempt.c.key, attempt.c.status, sqlite_where=_IS_OF_A_JUDGE)
Index(
    "attempt_by_unit",
    attempt.c.unit_id,
    attempt.c.judge_id,
    attempt.c.criterion,
    attempt.c.anchor_round,
    attempt.c.replicate,
    sqlite_where=attempt.c.unit_id.is_not(None),
)
Index("attempt_by_run", attempt.c.run_id, attempt.c.status, sqlite_where=attempt.c.run_id.is_not(None))
Index(
    "request_by_key", attempt.c.asked_model_id, attempt.c.key, attempt.c.status, sqlite_where=_IS_OF_A_MODEL
)
