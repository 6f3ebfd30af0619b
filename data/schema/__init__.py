"""The tables.

Sealed tables are append-only: triggers refuse UPDATE and DELETE, and every row names the trail entry
(`trail`) that it was written under, whose digest covers it. Free text lies only in `content`; sealed rows
hold its id and a salted HMAC, so that erasing a text leaves the trail verifiable. `progress`,
`rater_progress`, `slot`, `reservation`, `rater_cursor` and `quotation_count` are projections, kept for
speed; what counts in them is compared with the record by `verify`.
"""

from data.schema.anchors import adoption as adoption
from data.schema.anchors import anchor as anchor
from data.schema.anchors import anchor_set as anchor_set
from data.schema.anchors import judge_choice as judge_choice
from data.schema.attempts import asked_model as asked_model
from data.schema.attempts import attempt as attempt
from data.schema.base import SEALED as SEALED
from data.schema.base import metadata as metadata
from data.schema.judgements import judge as judge
from data.schema.judgements import judgement as judgement
from data.schema.judgements import quotation_count as quotation_count
from data.schema.judging import judge_prompt as judge_prompt
from data.schema.judging import judge_run as judge_run
from data.schema.judging import replicated as replicated
from data.schema.judging import run_event as run_event
from data.schema.judging import run_progress as run_progress
from data.schema.judging import worker_beat as worker_beat
from data.schema.metrics import metric_value as metric_value
from data.schema.metrics import reference as reference
from data.schema.metrics import run_output as run_output
from data.schema.plans import plan_decision as plan_decision
from data.schema.plans import plan_proposal as plan_proposal
from data.schema.rating import commit as commit
from data.schema.rating import draft as draft
from data.schema.rating import exposure as exposure
from data.schema.rating import progress as progress
from data.schema.rating import rater_progress as rater_progress
from data.schema.rating import rating as rating
from data.schema.rating import reasoning_comment as reasoning_comment
from data.schema.rating import response as response
from data.schema.runs import run_summary as run_summary
from data.schema.step_pairs import step_exposure as step_exposure
from data.schema.step_pairs import step_pair_rating as step_pair_rating
from data.schema.studies import conversation as conversation
from data.schema.studies import instrument as instrument
from data.schema.studies import rater as rater
from data.schema.studies import rater_identity as rater_identity
from data.schema.studies import study as study
from data.schema.studies import study_change as study_change
from data.schema.studies import taxonomy as taxonomy
from data.schema.studies import unit as unit
from data.schema.trail import content as content
from data.schema.trail import erasure as erasure
from data.schema.trail import trail as trail
from data.schema.trials import trial as trial
from data.schema.words import known_words as known_words
from data.schema.words import seen_elsewhere as seen_elsewhere
from data.schema.words import store_key as store_key
from data.schema.work import adjudication as adjudication
from data.schema.work import assignment as assignment
from data.schema.work import assignment_event as assignment_event
from data.schema.work import calibration as calibration
from data.schema.work import calibration_step as calibration_step
from data.schema.work import calibration_unit as calibration_unit
from data.schema.work import certification as certification
from data.schema.work import conflict as conflict
from data.schema.work import draw as draw
from data.schema.work import drawn as drawn
from data.schema.work import escalation as escalation
from data.schema.work import gold_label as gold_label
from data.schema.work import rater_cursor as rater_cursor
from data.schema.work import repeat as repeat
from data.schema.work import reservation as reservation
from data.schema.work import set_aside as set_aside
from data.schema.work import slot as slot
from data.schema.work import study_role as study_role
from data.schema.work import successor as successor
from data.schema.work import work_plan as work_plan
