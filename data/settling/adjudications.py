"""Settled labels: by a named person who did not rate the unit, with a reason, and what had been seen of the
judge.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from data import schema
from data.access.permissions import Action, Person, read_rater, require
from data.labels.counted import counted_ratings
from data.labels.disagreements import Queue, differ, find_failures_waiting
from data.labels.scale_places import safety_criteria
from data.labels.settlements import (
    BOTH_STAND,
    CAUSES,
    Settlement,
    Trigger,
    current,
    of_unit,
)
from data.record.answers import CriterionAnswer, check
from data.record.studies import Study
from data.record.units import Unit
from data.settling import unit_openings
from data.store import event_ids
from data.store.errors import Refused
from data.store.free_text import put_text
from data.store.trail import TrailEntry
from data.work.raised_notes import has_note
from scoring.asked_questions import possible_ids


@dataclass(frozen=True)
class SettlementDecision:
    """`label` None: both readings stand, and then the cause is `legitimate_difference`."""

    criterion: str
    label: str | None
    cause: str
    reason: str
    rubric_note: str = ""


@dataclass(frozen=True)
class SettlementBasis:
    """What stood on the page when the decision was made: the settlement that held (None: none) and the ids of
    the ratings.
    """

    settlement: int | None
    ratings: frozenset[int]


def settle(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    rater_id: int,
    event: str,
    trigger: Trigger,
    decision: SettlementDecision,
    seen: SettlementBasis,
) -> int | None:
    """Keep a settlement; where there is one already, a new one that names it. The same event again changes
    nothing.

    Returns its id, or None for an event that is kept. Raises Refused, with a sentence, if the person may not
    settle this, if it is not disputed, or if labels or another settlement were added since the page was read.
    """
    table = schema.adjudication
    row = {
        "study_id": study.id,
        "unit_id": unit.id,
        "criterion": decision.criterion,
        "trigger": trigger,
        "label": decision.label,
        "cause": decision.cause,
        "rater_id": rater_id,
    }
    texts = {"reason": decision.reason.strip(), "rubric_note": decision.rubric_note.strip()}
    if event_ids.is_kept(connection, table, event, row, texts):
        return None
    person = Person(read_rater(connection, study, rater_id))
    require(connection, person, Action.SETTLE_UNIT, study, unit)
    if not unit_openings.has_opened(connection, unit, rater_id):
        raise Refused("settle_unopened")
    _check(study, unit, decision)
    check_asked(connection, study, unit, decision)
    before = current(connection, unit.id, decision.criterion)
    if (before.id if before else None) != seen.settlement:
        if before is None:
            raise Refused("settled_meanwhile")
        raise Refused("settled_by_another_meanwhile", by=before.by)
    if ratings_of(connection, study, unit, decision.criterion) != seen.ratings:
        raise Refused("labels_changed_meanwhile")
    _disputed(connection, study, unit, decision.criterion, trigger, before)
    reason_content, reason_mac = put_text(connection, "reason", decision.reason, unit.conversation_id)
    note_content, note_mac = put_text(
        connection, "note on the rubric", decision.rubric_note, unit.conversation_id
    )
    judge_seen = (
        trigger != "human_human" or unit_openings.judge_sight(connection, study, unit, rater_id) is not None
    )
    if (
        judge_seen
        and study.review != "open"
        and unit.id in find_failures_waiting(connection, study, unit=unit, criterion=decision.criterion)
    ):
        raise Refused("saw_judge_at_gate")
    return entry.write(
        table,
        {
            "event": event,
            **row,
            "judge_seen": int(judge_seen),
            "reason_content": reason_content,
            "reason_mac": reason_mac,
            "rubric_note_content": note_content,
            "rubric_note_mac": note_mac,
            "replaces": before.id if before else None,
        },
    )


def judge_sight_then(
    connection: Connection, study: Study, unit: Unit, settlement: Settlement
) -> unit_openings.JudgeSight | None:
    """Return why the settler counts as having seen the judge at the time; None if they had not."""
    table = schema.adjudication
    trail = connection.execute(select(table.c.trail).where(table.c.id == settlement.id)).scalar_one()
    return unit_openings.judge_sight(connection, study, unit, settlement.rater_id, before=trail)


def ratings_of(connection: Connection, study: Study, unit: Unit, criterion: str) -> frozenset[int]:
    """Ids of the blind ratings of one criterion that count, "cannot rate" included."""
    return frozenset(
        connection.execute(
            counted_ratings(study.id, "blind", (unit.id,)).where(schema.rating.c.criterion == criterion)
        ).scalars()
    )


def _check(study: Study, unit: Unit, decision: SettlementDecision) -> None:
    criterion = next((c for c in unit.criteria(study) if c.id == decision.criterion), None)
    if criterion is None:
        raise Refused("no_criterion", noun=study.noun, criterion=decision.criterion)
    if decision.cause not in CAUSES:
        raise Refused("say_cause", causes=", ".join(CAUSES.values()))
    if not decision.reason.strip():
        raise Refused("settlement_needs_reason")
    if (decision.label is None) != (decision.cause == BOTH_STAND):
        raise Refused("label_where_both_stand" if decision.label is not None else "settlement_needs_label")
    if decision.label is not None:
        check(CriterionAnswer(label=decision.label), criterion, study.instrument, unit.turns)


def check_asked(connection: Connection, study: Study, unit: Unit, decision: SettlementDecision) -> None:
    """Raises Refused where the settled labels of a unit would lie on no path through the form: a label of a
    question that is not asked after them would be a reference label.
    """
    if not study.instrument.conditional or decision.label is None:
        return
    labels = {s.criterion: s.label for s in of_unit(connection, unit) if s.label is not None}
    labels[decision.criterion] = decision.label
    criteria = unit.criteria(study)
    forced = {c.id: study.instrument.forced_not_applicable(c, unit.turns) for c in criteria}
    by_rule = {name: label for name, label in forced.items() if label is not None}
    possible = possible_ids(criteria, by_rule | labels)
    for criterion in criteria:
        if criterion.id in labels and criterion.id not in possible:
            raise Refused(
                "unasked_after_settled" if criterion.id == decision.criterion else "settled_is_unasked_after",
                criterion=criterion.name,
            )


def _disputed(
    connection: Connection,
    study: Study,
    unit: Unit,
    criterion: str,
    trigger: Trigger,
    before: Settlement | None,
) -> None:
    """Raises Refused unless there is something of this kind to settle."""
    queue: Queue | None = differ(connection, study, unit).get(criterion)
    if trigger == "escalation":
        unsettled = before is None or before.reopened or criterion in safety_criteria(study)
        if queue == "human_human" and unsettled:
            raise Refused("settle_without_judge_first")
        if not has_note(connection, unit, criterion):
            raise Refused("nothing_raised")
    elif queue != trigger:
        if queue == "human_human":
            raise Refused("colleagues_differ_now")
        raise Refused("only_judge_differs_now" if queue == "human_judge" else "nobody_differs_now")
