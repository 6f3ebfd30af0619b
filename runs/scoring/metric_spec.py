"""What a metric says of itself: its name, what it needs, how it is computed, and how it is shown.

A metric is a file in runs/scoring/metrics with one of these under METRIC, or an entry point of another
package in the group second_reader.metrics: docs/add_metric.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from data.record.metrics import MetricValue
from data.record.references import Kind, Reference
from data.record.studies import Study
from data.store.store import Connection, Store
from scoring.clinical_actions import Lexicon
from scoring.entailment import EntailmentModel
from scoring.entity_recall import EntityRecogniser
from scoring.goal_alignment import TextEmbedder
from scoring.instruments import Criterion, Instrument
from scoring.transcripts import Message

# A reference of the conversation; anything that the study is measured against; reasoning that the assistant
# set apart, or gold steps for it; a model.
Need = Literal[
    "gold_steps",
    "target_plan",
    "critical_entities",
    "any_reference",
    "reasoning",
    "entailment",
    "embedder",
    "recogniser",
]
LAST = 1_000  # the place of a metric that names none: after ours


@dataclass(frozen=True)
class MetricResult:
    """One number, or the reason why there is none: exactly one of `value` and `undefined`.

    `variant` and `metric`: one of those that the spec declares; its first, and its name, where they are not
    said. `detail`: numbers and names that belong to it, as JSON, never words of a transcript. `version`:
    instead of the spec's. `inputs`: instead of the hash that the spec gives.
    """

    value: float | None
    undefined: str | None = None
    variant: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
    metric: str = ""
    version: str = ""
    inputs: str = ""


Results: TypeAlias = "float | MetricResult | Sequence[MetricResult] | None"


@dataclass(frozen=True)
class MetricCase:
    """One conversation as a metric sees it: its words, and of everything else only what the spec needs.

    `replies`: what the assistant said in each turn, None where it said nothing. `references`: by kind.
    `model`: name and weights of the embedder, `embedder_name` its name; `other_embedder`: the same where it
    is not the default one.
    """

    messages: Sequence[Message]
    replies: Sequence[str | None]
    references: Mapping[Kind, Reference]
    lexicon: Lexicon
    entailment: EntailmentModel | None = None
    recogniser: EntityRecogniser | None = None
    embedder: TextEmbedder | None = None
    model: str = ""
    embedder_name: str = ""
    other_embedder: str = ""

    @property
    def entailment_model(self) -> EntailmentModel:
        """Return the entailment model; only for a spec that needs one."""
        assert self.entailment is not None
        return self.entailment

    @property
    def entity_recogniser(self) -> EntityRecogniser:
        """Return the entity recogniser; only for a spec that needs one."""
        assert self.recogniser is not None
        return self.recogniser

    @property
    def gold_steps(self) -> list[str]:
        steps: list[str] = self.references["gold_steps"].body
        return steps

    @property
    def target_plan(self) -> str:
        plan: str = self.references["target_plan"].body
        return plan

    @property
    def critical_entities(self) -> list[str]:
        entities: list[str] = self.references["critical_entities"].body
        return entities


@dataclass(frozen=True)
class JudgedUnit:
    """The labels that one judge gave to one unit, by criterion; None for a call that failed.

    `turns`: of the conversation up to where the unit ends. `declared`: the strategies of the plan.
    """

    instrument: Instrument
    criteria: Sequence[Criterion]
    labels: Mapping[str, str | None]
    turns: int
    declared: Sequence[str]


@dataclass(frozen=True)
class ShownColumn:
    """A number of single conversations in the table of the Metrics page."""

    title: str
    variant: str = ""
    metric: str = ""


@dataclass(frozen=True)
class ShownRow:
    """A number of the whole study in the table of the Metrics page.

    `variants`: words behind the title for a variant; empty for none, the variant itself where it is not
    listed. `counted`: what its n counts. `curves`: titles of the charts, by variant. `lead_only`: hidden
    from raters, whom it could tell a model. `says_model`: the model it was computed with is printed below
    the table.
    """

    title: str
    metric: str = ""
    variants: Mapping[str, str] = field(default_factory=dict)
    counted: str = "conversations"
    curves: Mapping[str, str] = field(default_factory=dict)
    lead_only: bool = True
    says_model: bool = False


@dataclass(frozen=True, kw_only=True)
class MetricSpec:
    """`title`: in a sentence, in small letters. `order`: its place among the others. `version`: changes
    with the number that the same input gives. `other_names`: of numbers that have neither row nor column.
    `in_run_folder`: its number of the study stands in metrics.json too.
    """

    name: str
    title: str
    order: int = LAST
    version: str = "1"
    rows: Sequence[ShownRow] = ()
    other_names: Sequence[str] = ()
    in_run_folder: bool = False


@dataclass(frozen=True, kw_only=True)
class ConversationMetric(MetricSpec):
    """Computed of one conversation, by `compute(case)`, where everything that it `needs` is there.

    `variants`: those that compute gives, in order. `inputs(case)`: the hash of what the number is made of;
    of everything in the case that it needs, where it is not said. `compute_all`: instead of compute, for
    several cases at once. `together(values)`: the study's number, made of those of its conversations.
    """

    compute: Callable[[MetricCase], Results] | None = None
    compute_all: Callable[[Sequence[MetricCase]], Sequence[Results]] | None = None
    needs: Sequence[Need] = ()
    variants: Sequence[str] = ("product",)
    columns: Sequence[ShownColumn] = ()
    inputs: Callable[[MetricCase], str] | None = None
    together: Callable[[Sequence[MetricValue]], Results] | None = None


@dataclass(frozen=True, kw_only=True)
class JudgeMetric(MetricSpec):
    """Computed of the labels that a judge gave to a unit, by `compute(unit)`. It is shown where the judge's
    labels may be seen, and nowhere else.

    `applies(instrument)`: to which instruments; to all where it is not said. `remark(value)`: words behind
    it.
    """

    compute: Callable[[JudgedUnit], Results]
    variants: Sequence[str] = ("product",)
    applies: Callable[[Instrument], bool] | None = None
    inputs: Callable[[JudgedUnit], str] | None = None
    remark: Callable[[MetricValue], str] | None = None


@dataclass(frozen=True)
class StudyMaterial:
    """What a metric of ours may read to compute a study's number. `present`: the newest numbers of the
    study.
    """

    store: Store
    study: Study
    conversation_ids: list[int]
    present: list[MetricValue]
    # Whether numbers of the study with this hash of inputs are there already.
    is_present: Callable[[str], bool]
    leave_out: Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class StudyMetric(MetricSpec):
    """Computed of the store, for the whole study. Of our own only: it reads whatever it wants.

    `of_labels`: the part that is made of a judge's labels as they are now, for pages that show both.
    `applies(connection, study)`: whether the study has what it is made of; to all where it is not said.
    `made_of`: what that is, in words.
    """

    compute: Callable[[StudyMaterial], Iterable[MetricValue]]
    applies: Callable[[Connection, Study], bool] | None = None
    made_of: str = ""
    of_labels: Callable[[Connection, Study, list[int]], Iterable[MetricValue]] | None = None
