"""What a person did on the workbench, kept one event after another. Every event may come twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from data import exposures, judgements, ratings, reasoning_comments
from data.answers import Answer, EventId
from data.errors import Refused, StoreError
from data.store import Connection, Store
from data.studies import Rater, Study
from data.trail import Entry
from data.units import Unit
from data.work import assignment, escalations, worklist

UnitId = Annotated[int, Field(ge=1, le=2**60)]


class _Event(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)
    id: EventId


class Draft(_Event):
    kind: Literal["draft"]
    unit: UnitId
    criterion: str
    answer: Answer
    late: bool = False  # from a tab that was closed: older than whatever is saved


class Commit(_Event):
    kind: Literal["commit"]
    unit: UnitId
    shown: dict[str, str | None]


class Skip(_Event):
    kind: Literal["skip"]
    unit: UnitId


class Go(_Event):
    kind: Literal["go"]
    position: int = Field(ge=1, le=10_000_000)


class Leave(_Event):
    kind: Literal["leave"]


class Keep(_Event):
    kind: Literal["keep"]
    unit: UnitId
    criterion: str
    judges: list[int] = Field(min_length=1, max_length=50)


class Change(_Event):
    kind: Literal["change"]
    unit: UnitId
    criterion: str
    label: str
    reason: str = Field(max_length=20_000)
    judge: int | None = None


class Reasoning(_Event):
    kind: Literal["reasoning"]
    unit: UnitId
    criterion: str
    judge: int
    value: str


class Comment(_Event):
    """What is written of a judge's reasoning."""

    kind: Literal["comment"]
    unit: UnitId
    criterion: str
    judge: int
    text: str = Field(max_length=20_000)
    late: bool = False  # from a tab that was closed


class Escalate(_Event):
    kind: Literal["escalate"]
    unit: UnitId
    criterion: str | None = None
    about: str
    note: str = Field(max_length=20_000)


Event = Annotated[Draft | Commit | Skip | Go | Leave | Keep | Change | Reasoning | Comment | Escalate,
                  Field(discriminator="kind")]
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


@dataclass
class Outcome:
    """`acked`: in the database. `refused`: never will be, with the reason. `trouble`: try again. `leave`:
    choose another name."""

    position: int
    leave: bool = False
    acked: list[str] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)
    trouble: str | None = None


def take(store: Store, study: Study, rater: Rater, events: list[dict[str, Any]], settled: dict[str, str | None], position: int) -> Outcome:
    """Carry out the events in order and stop at the first that the store cannot take now.

    `settled` remembers, for this session, which events are done and why some were refused.
    """
    outcome = Outcome(position)
    for raw in events:
        name = str(raw.get("id"))
        if name not in settled:
            try:
                event = _EVENT.validate_python(raw)
                outcome.leave |= isinstance(event, Leave)
                outcome.position = _carry_out(store, study, rater, event, outcome.position)
                settled[name] = None
            except ValidationError as error:
                settled[name] = f"This entry could not be read ({error.errors()[0]['msg'].lower()}) and was not saved."
            except StoreError as error:
                if not _final(error):
                    outcome.trouble = str(error)
                    break
                settled[name] = str(error)
        if settled[name] is None:
            outcome.acked.append(name)
        else:
            outcome.refused.append({"id": name, "message": settled[name] or ""})
    return outcome


def _final(error: StoreError) -> bool:
    return type(error) is not StoreError  # a refusal stays one; a locked or full disk may be mended


def _carry_out(store: Store, study: Study, rater: Rater, event: Event, position: int) -> int:
    """Do one event; returns the position to show."""
    if isinstance(event, Leave):
        return position
    if isinstance(event, Go):
        return _gone(store, study, rater, event.position)
    with store.reading() as connection:
        unit = worklist.unit(connection, study, rater.id, event.unit)
    if unit.study_id != study.id:
        raise Refused("This unit belongs to another study.")
    action = {"draft": "rate", "commit": "commit", "skip": "skip", "keep": "keep", "change": "change", "reasoning": "judge reasoning",
              "comment": "comment on reasoning", "escalate": "tell the study lead"}[event.kind]
    with store.writing(rater.name, action, study.id) as (connection, entry):
        if isinstance(event, Draft):
            ratings.save_draft(connection, entry, study, unit, rater.id, event.id, event.criterion, event.answer, event.late)
        elif isinstance(event, Escalate):
            escalations.raise_(connection, entry, study, unit, rater.id, event.id, event.about, event.note, event.criterion)
        elif isinstance(event, Skip):
            ratings.skip(connection, entry, study, unit, rater.id)
            return _onward(connection, entry, study, rater, unit.position) or position
        elif isinstance(event, Commit):
            ratings.commit(connection, entry, study, unit, rater.id, event.id, event.shown)
            if exposures.due(connection, study, unit, rater.id):
                if study.reveal == "after_unit" or study.review == "open":
                    return unit.position
                return exposures.first_to_compare(connection, study, rater.id) or unit.position
            return _onward(connection, entry, study, rater, unit.position) or unit.position
        elif isinstance(event, Keep | Reasoning | Comment):
            _answer_judge(connection, entry, unit, rater, event)
        else:
            before = ratings.current(connection, rater.id, unit.id).get(event.criterion)
            answer = before.answer.model_copy(update={"label": event.label, "cannot_rate": None,
                                                      "also": [x for x in before.answer.also if x != event.label]}) if before else Answer(label=event.label)
            ratings.change(connection, entry, study, unit, rater.id, event.id, event.criterion, answer, event.reason)
            if event.judge is not None and exposures.revealed(connection, rater.id, unit.id):
                judgements.respond(connection, entry, unit, rater.id, f"{event.id}:{event.judge}", event.judge, event.criterion, "change")
    return position


def _answer_judge(connection: Connection, entry: Entry, unit: Unit, rater: Rater,
                  event: Keep | Reasoning | Comment) -> None:
    """Keep what a rater says of what a judge gave, their own labels unchanged."""
    if isinstance(event, Keep):
        for judge in event.judges:
            name = f"{event.id}:{judge}"
            judgements.respond(connection, entry, unit, rater.id, name, judge, event.criterion, "keep")
    elif isinstance(event, Reasoning):
        judgements.respond(connection, entry, unit, rater.id, event.id, event.judge, event.criterion,
                           "reasoning", event.value)
    else:
        reasoning_comments.write(connection, entry, unit, rater.id, event.id, event.judge, event.criterion,
                                 event.text, event.late)


def _gone(store: Store, study: Study, rater: Rater, wanted: int) -> int:
    """The place to show; with a plan, a place behind the end of the list asks for the next unit."""
    with store.reading() as connection:
        length = worklist.length(connection, study, rater.id)
        if wanted <= length or not worklist.planned(connection, study):
            return wanted
    with store.writing(rater.name, "take a unit", study.id) as (connection, entry):
        taken = assignment.take(connection, entry, study, rater)
    return taken if isinstance(taken, int) else length


def _onward(connection: Connection, entry: Entry, study: Study, rater: Rater, after: int) -> int | None:
    """What comes after a unit: what is open in the list, or with a plan the next one that is given."""
    listed = worklist.next_open(connection, study, rater.id, after) or worklist.next_open(connection, study, rater.id)
    if listed is not None or not worklist.planned(connection, study):
        return listed
    taken = assignment.take(connection, entry, study, rater)
    return taken if isinstance(taken, int) else None
