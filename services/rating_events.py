"""Saves a person's actions on the workbench, one event after another. Any event may come twice; none is
trusted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from data.access.permissions import Action, Person, may
from data.labels import reasoning_comments
from data.record.answers import CriterionAnswer
from data.record.studies import Rater, Study
from data.record.study_changes import is_archived
from data.record.units import Unit
from data.settling import escalations
from data.store import event_ids
from data.store.errors import Refused, StoreError
from data.store.store import Connection, Store
from data.store.trail import TrailEntry, canonical
from data.work import answers_to_judges, assignment, exposures, ratings
from data.work.archive import is_touched
from data.work.worklist import open_worklist
from services.rating import take_unit
from services.rating_contract import (
    Change,
    Comment,
    Commit,
    Draft,
    Escalate,
    Event,
    Go,
    Keep,
    Leave,
    RateStepPair,
    Reasoning,
    ShowStepScores,
    Skip,
    read_event,
)
from services.step_pairs import rate_step_pair, show_step_scores


@dataclass
class Outcome:
    """The result of events. `acked`: saved. `refused`: never to be saved, with the reason. `trouble`: why to
    try again. `leave`: switch person. `answers`: the saved answers by criterion, if only answers to the unit
    `unit` were saved; the rest of the page is then unchanged.
    """

    position: int
    leave: bool = False
    unit: int | None = None
    answers: dict[str, CriterionAnswer] | None = None
    acked: list[str] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)
    trouble: str | None = None


@dataclass(frozen=True)
class Receipt:
    """The result of an event. `content`: the digest of its content; `refusal`: why it was not saved, None if
    it was.
    """

    content: str
    refusal: StoreError | None


def take(
    store: Store,
    study: Study,
    rater: Rater,
    events: list[Any],
    receipts: dict[str, Receipt],
    position: int,
    word: Callable[[Exception], str],
) -> Outcome:
    """Carry out a browser's events in order; stop at the first that the store can't take now.

    Invalid events are refused, and the others go on.

    Args:
        store, study, rater: who rates where.
        events: as the browser sent them.
        receipts: this window's results of earlier events, by event id; new ones are added.
        position: the place in the rater's list before the events.
        word: returns the sentence for an error.

    Returns:
        The outcome: `acked` (ids of the events saved, also of those saved earlier with the same
        content), `refused` (`{"id", "message"}` per invalid or refused event, also for an id used
        again with other content), `trouble` (the sentence, if the store could not take an event now),
        `position` after the events, `leave` (whether the rater leaves); `unit` and `answers` only if
        all events were drafts of one unit, saved and not late.
    """
    outcome = Outcome(position)
    drafts: list[Draft] = []
    for raw in events:
        try:
            event = read_event(raw)
        except ValidationError as error:
            outcome.refused.append({"id": _raw_id(raw), "message": word(error)})
            continue
        content = _digest(event)
        if event.id not in receipts:
            try:
                outcome.leave |= isinstance(event, Leave)
                outcome.position = _carry_out(store, study, rater, event, outcome.position)
                receipts[event.id] = Receipt(content, None)
            except StoreError as error:
                if not _final(error):
                    outcome.trouble = word(error)
                    break
                receipts[event.id] = Receipt(content, error)
        receipt = receipts[event.id]
        refusal = receipt.refusal if receipt.content == content else Refused(event_ids.REUSED)
        if refusal is None:
            outcome.acked.append(event.id)
            if isinstance(event, Draft) and not event.late:
                drafts.append(event)
        else:
            outcome.refused.append({"id": event.id, "message": word(refusal)})
    if drafts and len(drafts) == len(events) and len({draft.unit for draft in drafts}) == 1:
        outcome.unit = drafts[0].unit
        outcome.answers = {draft.criterion: draft.answer for draft in drafts}
    return outcome


def _raw_id(raw: Any) -> str:
    """Return the id of an invalid event, so that the browser drops it; "" without an id."""
    name = raw.get("id") if isinstance(raw, dict) else None
    return name if isinstance(name, str) and len(name) <= 100 else ""


def _digest(event: Event) -> str:
    """Return a digest of an event's content, without `late` and `before`."""
    return hashlib.sha256(canonical(event.model_dump(exclude={"late", "before"}))).hexdigest()


def _final(error: StoreError) -> bool:
    return type(error) is not StoreError  # a refusal is final; a locked or full disk may recover


def _carry_out(store: Store, study: Study, rater: Rater, event: Event, position: int) -> int:
    """Carry out one event and return the position to show."""
    if isinstance(event, Leave):
        return position
    if isinstance(event, Go):
        return _gone(store, study, rater, event.position, position)
    action = {
        "draft": "rate",
        "commit": "commit",
        "skip": "skip",
        "keep": "keep",
        "change": "change",
        "reasoning": "judge reasoning",
        "comment": "comment on reasoning",
        "step_pair": "rate a pair of steps",
        "step_scores": "show the scores of steps",
        "escalate": "tell the study lead",
    }[event.kind]
    with store.writing(rater.name, action, study.id) as (connection, entry):
        worklist = open_worklist(connection, study, rater.id)
        unit = worklist.unit(event.unit)
        if isinstance(event, Draft):
            ratings.save_draft(
                entry, worklist, unit, event.id, event.criterion, event.answer, event.late, event.before
            )
        elif isinstance(event, Escalate):
            escalations.raise_(
                connection, entry, study, unit, rater.id, event.id, event.about, event.note, event.criterion
            )
        elif isinstance(event, Skip):
            ratings.skip(entry, worklist, unit)
            return _onward(connection, entry, study, rater, unit.position) or position
        elif isinstance(event, Commit):
            ratings.commit(entry, worklist, unit, event.id, event.shown)
            worklist = open_worklist(connection, study, rater.id)  # as it is after the commit
            if may(connection, Person(rater), Action.SEE_JUDGE, study, unit):
                if study.reveal == "after_unit" or study.review == "open":
                    return unit.position
                return exposures.first_to_compare(worklist) or unit.position
            return _onward(connection, entry, study, rater, unit.position) or unit.position
        elif isinstance(event, Keep | Reasoning | Comment):
            _answer_judge(connection, entry, unit, rater, event)
        elif isinstance(event, RateStepPair):
            places = event.model_step, event.gold_step
            rate_step_pair(
                connection, entry, study, unit, rater.id, event.id, event.inputs, places, event.verdict
            )
        elif isinstance(event, ShowStepScores):
            show_step_scores(connection, entry, study, unit, rater.id, event.id, event.inputs)
        else:
            _change(connection, entry, study, unit, rater, event)
    return position


def _change(
    connection: Connection, entry: TrailEntry, study: Study, unit: Unit, rater: Rater, event: Change
) -> None:
    """Replace a committed label; its evidence, note and certainty stay."""
    before = ratings.current(connection, rater.id, unit.id).get(event.criterion)
    answer = CriterionAnswer(label=event.label)
    if before:
        also = [label for label in before.answer.also if label != event.label]
        answer = before.answer.model_copy(update={"label": event.label, "cannot_rate": None, "also": also})
    ratings.change(connection, entry, study, unit, rater.id, event.id, event.criterion, answer, event.reason)
    judges = [] if event.judge is None else [event.judge]
    answers_to_judges.decide(connection, entry, unit, rater.id, event.id, judges, event.criterion, "change")


def _answer_judge(
    connection: Connection, entry: TrailEntry, unit: Unit, rater: Rater, event: Keep | Reasoning | Comment
) -> None:
    """Save a rater's response to a judge; their own labels don't change."""
    if isinstance(event, Keep):
        answers_to_judges.decide(
            connection, entry, unit, rater.id, event.id, event.judges, event.criterion, "keep"
        )
    elif isinstance(event, Reasoning):
        answers_to_judges.respond(
            connection,
            entry,
            unit,
            rater.id,
            event.id,
            event.judge,
            event.criterion,
            "reasoning",
            event.value,
        )
    else:
        reasoning_comments.write(
            connection,
            entry,
            unit,
            rater.id,
            event.id,
            event.judge,
            event.criterion,
            event.text,
            event.late,
            event.before,
        )


def _gone(store: Store, study: Study, rater: Rater, wanted: int, position: int) -> int:
    """Return the place to show. With a plan, a place after the end of the list takes the next unit. In an
    archived study, only what the rater has begun opens; elsewhere they stay at `position`.
    """
    with store.reading() as connection:
        if is_archived(connection, study.id):
            return wanted if is_touched(connection, rater.id, wanted) else position
        worklist = open_worklist(connection, study, rater.id)
        length = worklist.length
        if wanted <= length or worklist.plan is None:
            return wanted
    taken = take_unit(store, study, rater)
    return taken if isinstance(taken, int) else length


def _onward(connection: Connection, entry: TrailEntry, study: Study, rater: Rater, after: int) -> int | None:
    """Return the next open unit in the list, or with a plan the next one that is given."""
    worklist = open_worklist(connection, study, rater.id)
    listed = worklist.next_open(after) or worklist.next_open()
    if listed is not None or worklist.plan is None:
        return listed
    taken = assignment.take(connection, entry, study, rater)
    return taken if isinstance(taken, int) else None
