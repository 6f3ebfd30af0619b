"""The tables.

Sealed tables are append-only: triggers refuse UPDATE and DELETE, and every row names the trail entry
(`trail`) that it was written under, whose digest covers it. Free text lies only in `content`; sealed rows
hold its id and a salted HMAC, so that erasing a text leaves the trail verifiable. `progress`,
`rater_progress`, `slot`, `reservation`, `rater_cursor` and `quotation_count` are projections, kept for
speed; what counts in them is compared with the record by `verify`.
"""

from data.schema.anchors import adoption, anchor, anchor_set, judge_choice
from data.schema.attempts import asked_model, attempt
from data.schema.base import SEALED, metadata
from data.schema.judgements import judge, judgement, quotation_count
from data.schema.judging import (
    judge_prompt,
    judge_run,
    replicated,
    run_event,
    run_progress,
    worker_beat,
)
from data.schema.metrics import metric_value, reference, run_output
from data.schema.plans import plan_decision, plan_proposal
from data.schema.rating import (
    commit,
    draft,
    exposure,
    progress,
    rater_progress,
    rating,
    reasoning_comment,
    response,
)
from data.schema.runs import run_summary
from data.schema.step_pairs import step_exposure, step_pair_rating
from data.schema.studies import conversation, instrument, rater, rater_identity, study, taxonomy, unit
from data.schema.trail import content, erasure, trail
from data.schema.trials import trial
from data.schema.work import (
    adjudication,
    assignment,
    assignment_event,
    calibration,
    calibration_step,
    calibration_unit,
    certification,
    conflict,
    draw,
    drawn,
    escalation,
    gold_label,
    rater_cursor,
    repeat,
    reservation,
    set_aside,
    slot,
    study_role,
    successor,
    work_plan,
)

__all__ = [
    "SEALED",
    "adjudication",
    "adoption",
    "anchor",
    "anchor_set",
    "asked_model",
    "assignment",
    "assignment_event",
    "attempt",
    "calibration",
    "calibration_step",
    "calibration_unit",
    "certification",
    "commit",
    "conflict",
    "content",
    "conversation",
    "draft",
    "draw",
    "drawn",
    "erasure",
    "escalation",
    "exposure",
    "gold_label",
    "instrument",
    "judge",
    "judge_choice",
    "judge_prompt",
    "judge_run",
    "judgement",
    "metadata",
    "metric_value",
    "plan_decision",
    "plan_proposal",
    "progress",
    "quotation_count",
    "rater",
    "rater_cursor",
    "rater_identity",
    "rater_progress",
    "rating",
    "reasoning_comment",
    "reference",
    "repeat",
    "replicated",
    "reservation",
    "response",
    "run_event",
    "run_output",
    "run_progress",
    "run_summary",
    "set_aside",
    "slot",
    "step_exposure",
    "step_pair_rating",
    "study",
    "study_role",
    "successor",
    "taxonomy",
    "trail",
    "trial",
    "unit",
    "work_plan",
    "worker_beat",
]
