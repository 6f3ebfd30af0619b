"""What a metric receives of a conversation: its words, and only what else it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from configs.registry import RegistryEntry
from data.record.conversations import Conversation
from data.record.metrics import inputs_hash
from data.record.references import KINDS, Kind, Reference, References
from runs.requests.entailment import EntailmentSource
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricSpec, Need
from scoring.clinical_actions import Lexicon, lexicon
from scoring.entity_recall import EntityRecogniser
from scoring.goal_alignment import TextEmbedder
from scoring.models.model_settings import ModelMissing, embedders, weights_hash
from scoring.step_f1 import has_reasoning_block

LeaveOut = Callable[[Need, ModelMissing, str], None]


class CaseBuilder:
    """Makes the cases of one pass over a study. A missing model is looked for once and passed to `leave_out`,
    with the name of an embedder other than the default.
    """

    def __init__(
        self,
        references: References,
        words: Lexicon,
        leave_out: LeaveOut,
        open_entailment: Callable[[], EntailmentSource],
    ) -> None:
        self._references, self._words, self._leave_out = references, words, leave_out
        self._open_entailment = open_entailment
        self._missing: set[tuple[Need, str]] = set()
        self._entailment: EntailmentSource | None = None
        self._recogniser: EntityRecogniser | None = None
        self._embedders: dict[str, TextEmbedder] = {}
        self._models: dict[str, str] = {}

    def may_apply(self, spec: ConversationMetric) -> bool:
        """Tell whether the study has anything that the metric could be computed against."""
        return bool(self._references) or not {*KINDS, "any_reference"} & set(spec.needs)

    def case(
        self,
        entry: RegistryEntry[MetricSpec],
        spec: ConversationMetric,
        conversation: Conversation,
        replies: list[str | None],
        other_embedder: str = "",
    ) -> MetricCase | None:
        """Return the case; None if something that the metric needs is missing. `other_embedder`: one of
        `other_embedders`, "" for the default.
        """
        references: dict[Kind, Reference] = {}
        for kind in KINDS:
            if kind in spec.needs:
                reference = self._references.of(kind, conversation.key, conversation.condition)
                if reference is None:
                    return None
                references[kind] = reference
        if "reasoning" in spec.needs and not self._has_reasoning(conversation, replies):
            return None
        if not all(self._has_model(need, other_embedder) for need in spec.needs):
            return None
        return MetricCase(
            conversation.messages or [],
            replies,
            references,
            self._words if entry.is_own else lexicon(),
            self._entailment(conversation.id) if self._entailment and "entailment" in spec.needs else None,
            self._recogniser if "recogniser" in spec.needs else None,
            model=self._models[other_embedder] if "embedder" in spec.needs else "",
            embedder_name=(other_embedder or embedders().default) if "embedder" in spec.needs else "",
            other_embedder=other_embedder,
        )

    @staticmethod
    def other_embedders(entry: RegistryEntry[MetricSpec], spec: ConversationMetric) -> list[str]:
        """Return the configured embedders besides the default for which one of our metrics gives separate
        numbers.
        """
        if not entry.is_own or "embedder" not in spec.needs:
            return []
        configured = embedders()
        return [embedder.name for embedder in configured.embedders if embedder.name != configured.default]

    def _has_reasoning(self, conversation: Conversation, replies: list[str | None]) -> bool:
        gold = self._references.of("gold_steps", conversation.key, conversation.condition)
        return gold is not None or has_reasoning_block(replies)

    def embedder(self, other: str = "") -> TextEmbedder | None:
        """Return the model, loaded when the first number needs it; None if it can't be used."""
        from scoring.models.embedder import configured_embedder

        if other not in self._embedders and ("embedder", other) not in self._missing:
            try:
                self._embedders[other] = configured_embedder(other or None)
            except ModelMissing as error:
                self._note_missing("embedder", error, other)
        return self._embedders.get(other)

    def _has_model(self, need: Need, other_embedder: str) -> bool:
        """Tell whether a model can be used, as far as known without loading the embedder."""
        other = other_embedder if need == "embedder" else ""
        if (need, other) in self._missing:
            return False
        try:
            if need == "entailment" and self._entailment is None:
                self._entailment = self._open_entailment()
            if need == "recogniser" and self._recogniser is None:
                from scoring.models.entities import configured_recogniser

                self._recogniser = configured_recogniser()
            if need == "embedder" and other not in self._models:
                embedder_entry = embedders().entry(other or None)
                digest = weights_hash(embedder_entry.path())[:12]
                self._models[other] = f"{embedder_entry.name} {digest}"
        except ModelMissing as error:
            self._note_missing(need, error, other)
            return False
        return True

    def _note_missing(self, need: Need, error: ModelMissing, other_embedder: str) -> None:
        self._missing.add((need, other_embedder))
        self._leave_out(need, error, other_embedder)


def case_inputs(spec: ConversationMetric, case: MetricCase) -> str:
    """Return the hash of everything that determines the number."""
    if spec.inputs is not None:
        return spec.inputs(case)
    references: list[Any] = [
        (kind, reference.level, reference.version, reference.body)
        for kind, reference in sorted(case.references.items())
    ]
    return inputs_hash(
        spec.name,
        spec.version,
        [(message.role, message.text) for message in case.messages],
        references,
        case.lexicon.label,
        case.entailment.label if case.entailment else "",
        case.model,
        *([case.recogniser.label] if case.recogniser else []),
    )
