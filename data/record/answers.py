"""What a rater says of one criterion, as it comes from the pad, checked before anything is kept."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from data.store.errors import Refused
from data.store.free_text import NOTE_LIMIT, check_text
from scoring.instruments import Criterion, Instrument

CANNOT_RATE = {
    "context_missing": "context is missing",
    "unclear_criterion": "the criterion is unclear here",
    "unreadable": "the conversation is damaged or unreadable",
    "outside_expertise": "outside my expertise",
    "distressing": "too distressing for me",
    "other": "another reason (see note)",
}
CONFIDENCE = {1: "unsure", 2: "fairly sure", 3: "sure"}
CannotRate = Literal[
    "context_missing", "unclear_criterion", "unreadable", "outside_expertise", "distressing", "other"
]
EventId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f-]{8,40}$")]


class Span(BaseModel):
    """Selected text: characters `start` to `end` of one message, counted in UTF-16 units as the browser does.

    Whether it is a place of the conversation is checked where it is kept (data/record/evidence.py).
    """

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, strict=True, frozen=True)
    message: int = Field(ge=0)
    start: int = Field(ge=0)
    end: int = Field(gt=0)


class CriterionAnswer(BaseModel):
    """The whole state of one criterion after an event. `label` None and `cannot_rate` None: not answered."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, strict=True)
    label: str | None = None
    cannot_rate: CannotRate | None = None
    also: list[str] = Field(default_factory=list, max_length=20)
    confidence: int | None = Field(default=None, ge=1, le=3)
    note: str = Field(default="", max_length=NOTE_LIMIT)
    evidence: list[Span] = Field(default_factory=list, max_length=50)

    @property
    def answered(self) -> bool:
        return self.label is not None or self.cannot_rate is not None


def check(answer: CriterionAnswer, criterion: Criterion, instrument: Instrument, turns: int) -> None:
    """Raise Refused if the criterion does not permit the answer, or its note can't be stored.

    `turns`: of the unit; a criterion may not apply to a short conversation.
    """
    check_text("note", answer.note)
    permitted = {level.id for level in instrument.permitted(criterion)}
    forced = instrument.forced_not_applicable(criterion, turns)
    if answer.label is not None and answer.cannot_rate is not None:
        raise Refused("label_and_cannot_rate", criterion=criterion.name)
    if forced and answer.answered and answer.label != forced:
        raise Refused("filled_in_by_rule", criterion=criterion.name, turns=turns)
    for label in [*([answer.label] if answer.label is not None else []), *answer.also]:
        if label not in permitted:
            raise Refused(
                "label_not_permitted",
                criterion=criterion.name,
                label=label,
                labels=", ".join(sorted(permitted)),
            )
    if answer.label in answer.also:
        raise Refused("also_is_label", criterion=criterion.name)
