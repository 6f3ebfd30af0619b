"""The words that columns may hold. The store refuses any other (data/schema/base.py, `one_of`)."""

from __future__ import annotations

from enum import StrEnum


class StudyDataClass(StrEnum):
    SYNTHETIC = "synthetic"
    DEIDENTIFIED = "deidentified"
    PHI = "phi"


class ReviewMode(StrEnum):
    BLIND = "blind"
    OPEN = "open"


class RevealMoment(StrEnum):
    AFTER_BATCH = "after_batch"
    AFTER_UNIT = "after_unit"
    NEVER = "never"


class RaterKind(StrEnum):
    PERSON = "person"
    IMPORTED = "imported"


class UnitKind(StrEnum):
    """`LISTED`: stands in the list of the study's units, at its position from 1. `REPEAT`: shows such a unit
    a second time and stands in no list."""

    LISTED = "listed"
    REPEAT = "repeat"


class RepeatReason(StrEnum):
    REPEAT = "repeat"
    DISCUSSED = "discussed"


class JudgementOrigin(StrEnum):
    """`RUN`: asked in a run of a judge here. `LEDGER`: taken over by a run, because this judge had answered
    the very same request before. `IMPORT`: of a file.
    """

    RUN = "run"
    LEDGER = "ledger"
    IMPORT = "import"


class RatingSource(StrEnum):
    GIVEN = "given"
    RULE = "rule"
    IMPORTED = "imported"


class RatingExposure(StrEnum):
    BLIND = "blind"
    REVEALED = "revealed"
    OPEN = "open"
    PAGE = "page"
    JUDGE_VISIBLE = "judge_visible"
    UNKNOWN = "unknown"


class ExposureKind(StrEnum):
    REVEAL = "reveal"
    OPEN = "open"
    PAGE = "page"


class ResponseKind(StrEnum):
    KEEP = "keep"
    CHANGE = "change"
    REASONING = "reasoning"


class ReferenceKind(StrEnum):
    GOLD_STEPS = "gold_steps"
    TARGET_PLAN = "target_plan"
    CRITICAL_ENTITIES = "critical_entities"


class StepVerdict(StrEnum):
    """What a person says of a pair of steps: they say the same, in part, or they do not."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"


class ProgressState(StrEnum):
    BEGUN = "begun"
    SKIPPED = "skipped"
    COMMITTED = "committed"
    COMPARED = "compared"


class PlanDecisionKind(StrEnum):
    """Of a proposed target plan: taken as it was, taken with changes, or not taken."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    REFUSED = "refused"


class AttemptPurpose(StrEnum):
    """`JUDGEMENT`: the label of a judge. `ENTAILMENT`: whether one text follows from another. `TRIAL`: a turn
    of a conversation that is answered again.
    """

    JUDGEMENT = "judgement"
    ENTAILMENT = "entailment"
    TRIAL = "trial"


class RunEventKind(StrEnum):
    STARTED = "started"
    SERVED = "served"
    CANCEL = "cancel"
    BATCH = "batch"
    BATCH_NAME = "batch_name"
    BATCH_ENDED = "batch_ended"
    ENDED = "ended"


class ReplicateArm(StrEnum):
    RANDOM = "random"
    SAFETY = "safety"


class RunSummarySource(StrEnum):
    TABLE = "table"
    FOLDER = "folder"
    CURVE = "curve"


class DrawReason(StrEnum):
    ALL = "all"
    RANDOM = "random"
    STRATUM = "stratum"
    CERTAIN = "certain"
    CHOSEN = "chosen"


class AssignmentPurpose(StrEnum):
    REAL = "real"
    REPEAT = "repeat"
    GOLD = "gold"
    CALIBRATION = "calibration"
    DISCUSSED = "discussed"


class AssignmentHold(StrEnum):
    NONE = ""
    REPEAT = "repeat"
    DECOY = "decoy"


class AssignmentEventKind(StrEnum):
    COMMITTED = "committed"
    SKIPPED = "skipped"
    RAN_OUT = "ran_out"
    FREED = "freed"
    TAKEN_AGAIN = "taken_again"


class CertificationResult(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    GRANTED = "granted"


class ConflictKind(StrEnum):
    """`STATED`: somebody said that the rater must not rate it. `OPENED`: the rater opened it to settle its
    labels and saw what colleagues said."""

    STATED = "stated"
    OPENED = "opened"


class StudyRole(StrEnum):
    """What a person does in a study. A settler may open what they did not rate, whatever is left to rate;
    what they opened is never given to them to rate."""

    RATER = "rater"
    SETTLER = "settler"


class CalibrationStep(StrEnum):
    DISCUSSED = "discussed"
    AGAIN = "again"
    CLOSED = "closed"


class EscalationKind(StrEnum):
    RISK = "risk"
    IDENTIFIER = "identifier"
    QUESTION = "question"
    ANSWERED = "answered"


class AdjudicationTrigger(StrEnum):
    HUMAN_HUMAN = "human_human"
    HUMAN_JUDGE = "human_judge"
    ESCALATION = "escalation"


class AdjudicationCause(StrEnum):
    CONFIRMED = "confirmed"
    JUDGE_ERROR = "judge_error"
    RATER_SLIP = "rater_slip"
    RUBRIC_AMBIGUOUS = "rubric_ambiguous"
    CONTEXT_MISSING = "context_missing"
    LEGITIMATE_DIFFERENCE = "legitimate_difference"
