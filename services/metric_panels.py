"""The metrics of one unit as the rating page gets them: a part of rating_contract.py."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class PagePart(BaseModel):
    """A part of the page's data: exactly these fields, of these types."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, strict=True)


class MetricNumber(PagePart):
    """A computed number. `why`: the reason if it is None."""

    value: float | None
    why: str


class BandedNumber(MetricNumber):
    band: str | None


class GoalPanel(PagePart):
    """Values by turn, None without a value. Numbers of the whole conversation are absent if only a turn is
    rated.
    """

    actions_windowed: BandedNumber | None = None
    actions_truncated: BandedNumber | None = None
    full_windowed: BandedNumber | None = None
    full_truncated: BandedNumber | None = None
    slope: MetricNumber | None
    windowed: list[float | None]
    truncated: list[float | None]
    local: list[float | None]
    tokens: list[int]
    truncated_from: int | None
    bands: tuple[float, float]
    bands_note: str
    model: str
    lexicon: str
    plan: str | None
    plan_label: str
    stale: str


class MatchedSteps(PagePart):
    """A step of the assistant and a gold step. `dice`: the share of words in common."""

    model: str
    gold: str
    dice: float
    shared: list[str]


class StepPanel(PagePart):
    """The Step-F1 of a unit. `pairs` is None, and later fields absent, if the numbers' input no longer
    exists.
    """

    published: MetricNumber
    exclusive: MetricNumber
    precision: float | None
    recall: float | None
    steps: int
    gold: int
    threshold: float
    pairs: list[MatchedSteps] | None
    contested: list[MatchedSteps] = Field(default_factory=list)
    unmatched_gold: list[str] = Field(default_factory=list)
    unmatched_model: list[str] = Field(default_factory=list)
    stale: str


class StepPairToRate(PagePart):
    """A step of the assistant and a gold step, by their indexes from 0, and the rater's answer."""

    model_step: int
    gold_step: int
    model: str
    gold: str
    verdict: Literal["right", "partly", "wrong"] | None


class StepPairsPanel(PagePart):
    """Pairs of steps to judge before their score is shown. `inputs` identifies the steps in events."""

    inputs: str
    pairs: list[StepPairToRate]


class EntityPanel(MetricNumber):
    curve: list[float | None]
    slope: MetricNumber | None
    entities: list[str] | None
    stale: str


class StrategyScore(PagePart):
    name: str
    score: float | None
    reasoning: str | None


class AlignmentPanel(MetricNumber):
    name: str
    metric: Literal["plan_alignment"]
    strategies: list[StrategyScore]


class RubricPanel(MetricNumber):
    name: str
    metric: Literal["rubric_score"]
    passed: bool | None
    gate_failed: bool
    applicable: float | None
    categories: list[tuple[str, float]]


class MetricsPanel(PagePart):
    """`steps` is None while there are `step_pairs`."""

    note: str
    goal: GoalPanel | None
    steps: StepPanel | None
    step_pairs: StepPairsPanel | None
    entities: EntityPanel | None
    judges: list[Annotated[AlignmentPanel | RubricPanel, Field(discriminator="metric")]]
