"""The data that the server and the rating page exchange.

`PageData` goes to the browser, with the metrics of services/metric_panels.py; `BrowserState` comes back.
`make contract` writes both as types for the page's scripts, pages/widgets/workbench/contract.d.ts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SkipValidation,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    WrapValidator,
)

from data.record.answers import CannotRate, CriterionAnswer, EventId, Span
from services.metric_panels import MetricsPanel, PagePart

RowId = Annotated[int, Field(ge=1, le=2**60)]  # the name of a unit (data/work/worklist.py)
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


# ---- from the browser ----


class _Event(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, strict=True)
    id: EventId


class Draft(_Event):
    """An answer. `before`: the answer that the page showed until then."""

    kind: Literal["draft"]
    unit: RowId
    criterion: Name
    answer: CriterionAnswer
    before: CriterionAnswer | None = None
    late: bool = False  # from a closed tab: older than anything saved since


class Commit(_Event):
    kind: Literal["commit"]
    unit: RowId
    shown: dict[Name, Name | None] = Field(max_length=1_000)


class Skip(_Event):
    kind: Literal["skip"]
    unit: RowId


class Go(_Event):
    kind: Literal["go"]
    position: int = Field(ge=1, le=10_000_000)


class Leave(_Event):
    kind: Literal["leave"]


class Keep(_Event):
    kind: Literal["keep"]
    unit: RowId
    criterion: Name
    judges: list[RowId] = Field(min_length=1, max_length=50)


class Change(_Event):
    kind: Literal["change"]
    unit: RowId
    criterion: Name
    label: Name
    reason: str
    judge: RowId | None = None


class Reasoning(_Event):
    kind: Literal["reasoning"]
    unit: RowId
    criterion: Name
    judge: RowId
    value: Name


class Comment(_Event):
    """A comment on a judge's reasoning. `before`: the comment that the page showed until then."""

    kind: Literal["comment"]
    unit: RowId
    criterion: Name
    judge: RowId
    text: str
    before: str | None = None
    late: bool = False  # from a closed tab


class RateStepPair(_Event):
    """A rater's answer on a pair of steps. `inputs`, `model_step`, `gold_step`: as the page got them."""

    kind: Literal["step_pair"]
    unit: RowId
    inputs: Name
    model_step: int = Field(ge=0, le=1_000_000)
    gold_step: int = Field(ge=0, le=1_000_000)
    verdict: Literal["right", "partly", "wrong"]


class ShowStepScores(_Event):
    """A request to see how the steps match. The rater judges no pair from then on."""

    kind: Literal["step_scores"]
    unit: RowId
    inputs: Name


class Escalate(_Event):
    kind: Literal["escalate"]
    unit: RowId
    criterion: Name | None = None
    about: Name
    note: str


Event = Annotated[
    Draft
    | Commit
    | Skip
    | Go
    | Leave
    | Keep
    | Change
    | Reasoning
    | Comment
    | RateStepPair
    | ShowStepScores
    | Escalate,
    Field(discriminator="kind"),
]
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def read_event(raw: Any) -> Event:
    """Return the event that a browser sent. Raise pydantic's ValidationError, without the input, if it is
    invalid.
    """
    return _EVENT.validate_python(raw)


def _else_nothing(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Replace an invalid value by the default, so that the rest can still be read."""
    try:
        return validate(value)
    except ValidationError:
        return None


class BrowserState(BaseModel):
    """The state that the page sets. `events`: actions that the server hasn't acknowledged; `read_event`
    checks each one, so that an invalid event stops no other. `want`: the unit whose transcript the page
    needs.
    """

    model_config = ConfigDict(hide_input_in_errors=True, strict=True)
    events: Annotated[list[SkipValidation[Event]] | None, WrapValidator(_else_nothing)] = None
    want: Annotated[RowId | None, WrapValidator(_else_nothing)] = None


# ---- to the browser ----


class PageStudy(PagePart):
    title: str
    data_class: str
    roles: tuple[str, str]
    demonstration: bool


class PageReader(PagePart):
    id: int
    name: str


class PageStrategy(PagePart):
    name: str
    description: str


class PagePlan(PagePart):
    """The plan that a reply declares. `response_start`: where the reply's words begin, in UTF-16 units."""

    response_start: int
    unknown: list[str]
    strategies: list[PageStrategy]


class PageUnit(PagePart):
    """`message`: the index of the message to rate; None for the whole conversation."""

    id: int
    position: int
    message: int | None
    plan: PagePlan | None


class PageLevel(PagePart):
    id: str
    name: str
    key: str
    anchor: str
    value: int | None


class PageCategory(PagePart):
    id: str
    name: str
    question: str
    gate: bool


class PageCriterion(PagePart):
    """`forced`: the label that a rule fills in, so that nobody is asked. `asked_when`: the labels of other
    criteria after which this one is asked; empty if it always is.
    """

    id: str
    name: str
    checks_for: str
    ordinal: bool
    levels: list[PageLevel]
    examples: list[str]
    examples_title: str
    not_applicable_note: str
    forced: str | None
    forced_why: str
    asked_when: dict[str, list[str]]
    category: PageCategory | None


class PageAnswer(PagePart):
    """A `CriterionAnswer` with all its fields."""

    label: str | None
    cannot_rate: CannotRate | None
    also: list[str]
    confidence: int | None
    note: str
    evidence: list[Span]


class PageRating(PageAnswer):
    """A committed answer. `first`: the first label, if it was changed since."""

    source: str
    reason: str | None
    first: PageAnswer | None


class ReasoningWord(PagePart):
    key: str
    text: str


class PageJudge(PagePart):
    id: int
    name: str
    line: str
    identity: str


class PageJudgement(PagePart):
    """`failure`: the message if `status` is not "ok"."""

    status: str
    failure: str
    label: str | None
    reasoning: str | None
    erased: bool
    cited: tuple[int, ...]
    rule_broken: str | None


class PageReveal(PagePart):
    """`judgements`: by criterion and judge id."""

    judges: list[PageJudge]
    judgements: dict[str, dict[str, PageJudgement]]


class PageResponse(PagePart):
    """The rater's response to a judge's answer. `comment_erased`: the comment's text was erased."""

    decision: str | None = None
    reasoning: str | None = None
    comment: str | None = None
    comment_erased: bool | None = None


class ScoreLine(PagePart):
    who: str
    says: str
    detail: str


class ScoreCategory(PagePart):
    name: str
    values: list[str]


class PageScore(PagePart):
    lines: list[ScoreLine]
    categories: list[ScoreCategory]
    differs: list[str]


class PageEscalation(PagePart):
    """A note to the study lead. `answer` is None with `may_read` if it was erased or there is none yet."""

    event: str
    about: str
    note: str | None
    criterion: str | None
    at: str
    answered_at: str | None
    may_read: bool
    answer: str | None


class PageProgress(PagePart):
    committed: int
    total: int | None
    length: int
    more: str
    skipped: int
    hint: str
    rest: str
    time_left: str


class PageMessage(PagePart):
    role: Literal["user", "assistant", "system"]
    turn: int | None
    text: str
    tag: str


class Refusal(PagePart):
    id: str
    message: str


class PageData(PagePart):
    """All data of the page. The server sends no other field.

    `store` and `reader` identify whose events the browser keeps; `session` is new after each full run of
    the page; `hint` is a line for newcomers, "" for none; `acked` and `refused` answer events, `trouble`
    says why to send the others again, `now` is the server's time. `focus` and `turn` come from the address.
    `transcript` is absent if the browser has it, None if its text is missing.
    """

    study: PageStudy
    store: str
    reader: PageReader
    exposure: str
    unit: PageUnit
    criteria: list[PageCriterion]
    cannot_rate: dict[str, str]
    reasoning_words: dict[str, ReasoningWord]
    answers: dict[str, PageAnswer]
    committed_at: str | None
    ratings: dict[str, PageRating]
    reveal: PageReveal | None
    responses: dict[str, PageResponse]
    score: PageScore | None
    told: list[PageEscalation]
    tell_about: dict[str, str]
    metrics: MetricsPanel | None
    progress: PageProgress
    rail: list[tuple[int, Literal["open", "begun", "skipped", "committed", "compared", "due"]]]
    next: int | None
    next_label: str
    after_commit: str
    hint: str
    session: str
    acked: list[str]
    refused: list[Refusal]
    trouble: str | None
    now: str
    focus: str | None
    turn: int
    transcript: list[PageMessage] | None = None
