"""What a metric is given of a conversation: its words, and of everything else only what the metric needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from configs.registry import RegistryEntry
from data.conversations import Conversation
from data.metrics import inputs_hash
from data.references import KINDS, Kind, Reference, References
from runs.requests.entailment import EntailmentSource
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricSpec, Need
from scoring.clinical_actions import Lexicon, lexicon
from scoring.goal_alignment import TextEmbedder
from scoring.models.configured import ModelMissing, embedders, weights_hash

LeaveOut = Callable[[Need, ModelMissing], None]


class CaseBuilder:
    """The cases of one pass over a study. A model is looked for once; `leave_out` is told where it is
    missing.
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
        self._missing: set[Need] = set()
        self._entailment: EntailmentSource | None = None
        self._embedder: TextEmbedder | None = None
        self._model = ""

    def may_apply(self, spec: ConversationMetric) -> bool:
        """Whether the study has anything that the metric could be computed against."""
        return bool(self._references) or not {*KINDS, "any_reference"} & set(spec.needs)

    def case(
        self,
        entry: RegistryEntry[MetricSpec],
        spec: ConversationMetric,
        conversation: Conversation,
        replies: list[str | None],
    ) -> MetricCase | None:
        """None where something that the metric needs is not there."""
        references: dict[Kind, Reference] = {}
        for kind in KINDS:
            if kind in spec.needs:
                reference = self._references.of(kind, conversation.key, conversation.condition)
                if reference is None:
                    return None
                references[kind] = reference
        if not all(self._has_model(need) for need in spec.needs):
            return None
        return MetricCase(
            conversation.messages or [],
            replies,
            references,
            self._words if entry.is_own else lexicon(),
            self._entailment(conversation.id) if self._entailment and "entailment" in spec.needs else None,
            None,
            self._model if "embedder" in spec.needs else "",
        )

    def embedder(self) -> TextEmbedder | None:
        """The model itself, loaded when the first number needs it; None where it cannot be used."""
        from scoring.models.embedder import configured_embedder

        if self._embedder is None and "embedder" not in self._missing:
            try:
                self._embedder = configured_embedder()
            except ModelMissing as error:
                self._is_missing("embedder", error)
        return self._embedder

    def _has_model(self, need: Need) -> bool:
        """Whether a model can be used, as far as that is told without loading the embedder."""
        if need in self._missing:
            return False
        try:
            if need == "entailment" and self._entailment is None:
                self._entailment = self._open_entailment()
            if need == "embedder" and not self._model:
                embedder_entry = embedders().entry()
                self._model = f"{embedder_entry.name} {weights_hash(embedder_entry.path())[:12]}"
        except ModelMissing as error:
            self._is_missing(need, error)
            return False
        return True

    def _is_missing(self, need: Need, error: ModelMissing) -> None:
        self._missing.add(need)
        self._leave_out(need, error)


def case_inputs(spec: ConversationMetric, case: MetricCase) -> str:
    """The hash of everything that the number is made of."""
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
    )
