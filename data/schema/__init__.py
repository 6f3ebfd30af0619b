"""The tables.

Sealed tables are append-only: triggers refuse UPDATE and DELETE, and every row names the trail entry (`trail`)
that it was written under, whose digest covers it. Free text lies only in `content`; sealed rows hold its id and
a salted HMAC, so that erasing a text leaves the trail verifiable. `progress`, `seat`, `opening`, `holding` and `walk`
are projections of the sealed tables, kept for speed; what counts in them is compared with the record by `verify`.
"""

from data.schema.anchors import adoption, anchor, anchor_set
from data.schema.base import SEALED, metadata
from data.schema.judging import judge_attempt, judge_prompt, judge_run, replicated, run_event, run_progress, worker_beat
from data.schema.rating import (
    commit,
    content,
    conversation,
    draft,
    erasure,
    exposure,
    instrument,
    judge,
    judgement,
    metric_value,
    progress,
    rater,
    rater_identity,
    rating,
    reasoning_comment,
    reference,
    response,
    run_output,
    seat,
    study,
    taxonomy,
    trail,
    unit,
)
from data.schema.runs import run_summary
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
    holding,
    opening,
    set_aside,
    successor,
    twin,
    walk,
    work_plan,
)

__all__ = [
    "SEALED", "adjudication", "adoption", "anchor", "anchor_set", "assignment", "assignment_event", "calibration", "calibration_step",
    "calibration_unit", "certification", "commit", "conflict", "content", "conversation", "draft", "draw", "drawn", "erasure", "escalation",
    "exposure", "gold_label", "holding", "instrument", "judge", "judge_attempt", "judge_prompt", "judge_run", "judgement", "metadata",
    "metric_value", "opening", "progress", "rater", "rater_identity", "rating", "reasoning_comment", "reference", "replicated", "response", "run_event",
    "run_output", "run_progress", "run_summary", "seat", "set_aside", "study", "successor", "taxonomy", "trail", "twin", "unit", "walk", "work_plan",
    "worker_beat",
]
