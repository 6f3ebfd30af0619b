"""One pass over a study: everything that applies and is not there yet, in batches that are kept as they are
done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from data import conversations, metrics, studies
from data.errors import NotFound
from data.metrics import MetricSubject, MetricValue
from data.references import Kind, Reference, References
from data.store import Store
from data.studies import Study
from runs.scoring import conversation_metrics as of
from runs.scoring import entailed_metrics, judge_metrics, response_metrics, study_metrics
from runs.scoring.conversation_metrics import MeasuredConversation
from scoring.bad_input import BadInput
from scoring.clinical_actions import Lexicon, lexicon
from scoring.entailment import EntailmentModel
from scoring.models.configured import MOST_REPLIES, ModelMissing, embedders, weights_hash

BATCH = 16
FROM_WORDS: dict[Kind, Callable[[MeasuredConversation, Reference], list[MetricValue]]] = {
    "gold_steps": of.step_f1,
    "critical_entities": of.entity_recall,
}


@dataclass
class ScoringResult:
    """`problems`: (conversation, what went wrong); nothing else was lost. `missing`: what could not be
    computed at all.
    `optional`: what this installation is not set up for.
    """

    computed: int = 0
    already: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        found = [f"{where}: {what}" for where, what in self.problems] + self.missing + self.optional
        numbers = "1 number" if self.computed == 1 else f"{self.computed:,} numbers"
        return [*found, f"{numbers} computed, {self.already:,} were there already."]


def score_study(
    store: Store,
    study_key: str,
    actor: str,
    lexicon_key: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ScoringResult:
    """Compute what applies. Running it again changes nothing; after a break it goes on where it was.

    `progress(done, all)` counts conversations. Raises NotFound, BadInput for an unknown lexicon, StoreError.
    """
    words = lexicon(lexicon_key) if lexicon_key else lexicon()
    with store.reading() as connection:
        study = studies.find(connection, study_key)
        if study is None:
            raise NotFound(
                f"There is no study {study_key!r}. There are: "
                f"{', '.join(s.key for s in studies.listing(connection)) or 'none yet'}."
            )
        everything = conversations.ids(connection, study.id)
        pass_ = _ScoringPass(
            store,
            study,
            actor,
            words,
            References(connection, study.id),
            metrics.known_inputs(connection, study.id),
        )
    scored = 0
    for batch in _batches(everything):
        pass_.conversations(batch)
        scored += len(batch)
        if progress:
            progress(scored, len(everything))
    pass_.together(everything)
    return pass_.scored


class _ScoringPass:
    def __init__(
        self,
        store: Store,
        study: Study,
        actor: str,
        words: Lexicon,
        references: References,
        present: set[tuple[str, str, str, str]],
    ) -> None:
        self._store, self._study, self._actor, self._words, self._references, self._known = (
            store,
            study,
            actor,
            words,
            references,
            present,
        )
        self._model: str | None = None
        self._no_model = False
        self._erased = 0
        self._entails: EntailmentModel | None = None
        self._no_entailment = False
        self.scored = ScoringResult()

    def conversations(self, ids: list[int]) -> None:
        with self._store.reading() as connection:
            read = conversations.read(connection, ids)
            metrics = list(judge_metrics.unit_metrics(connection, self._study, ids))
        aligned: list[tuple[MeasuredConversation, Reference]] = []
        for conversation in read if self._references else []:
            try:
                measured = MeasuredConversation(conversation, conversation.replies())
            except ValueError:
                self._erased += 1
                continue
            metrics += self._from_words(measured)
            metrics += self._entailed(measured)
            plan = self._reference("target_plan", measured)
            if plan and self._wants_goal(measured, plan):
                aligned.append((measured, plan))
        if aligned:
            metrics += self._aligned(aligned)
        self._keep(metrics)

    def together(self, ids: list[int]) -> None:
        with self._store.reading() as connection:
            computed = [
                *judge_metrics.experiment_metrics(connection, self._study, ids),
                *study_metrics.curve_metrics(connection, self._study.id),
                *study_metrics.paired_metrics(connection, self._study.id),
                *entailed_metrics.together(metrics.present(connection, self._study.id)),
            ]
            responses = response_metrics.responses_of(connection, self._study, ids[: MOST_REPLIES + 1])
        self._keep([*computed, *self._similarity(responses)])
        if self._erased:
            self.scored.optional.append(
                f"{self._erased:,} {'conversation has' if self._erased == 1 else 'conversations have'} no "
                "words any more: erased."
            )

    def _similarity(self, responses: list[str]) -> list[MetricValue]:
        """BERTScore is an extra: without its library this is said, and nothing else is missing."""
        if len(responses) > MOST_REPLIES:
            self.scored.optional.append(
                "BERTScore of the responses was left out: it compares all pairs, of at most "
                f"{MOST_REPLIES:,} responses."
            )
        if not 0 < len(responses) <= MOST_REPLIES:
            return []
        inputs = response_metrics.similarity_inputs(responses)
        if (MetricSubject().key, response_metrics.NAMES[0], "product", inputs) in self._known:
            self.scored.already += len(response_metrics.NAMES)
            return []
        try:
            return response_metrics.similarity(responses)
        except ModelMissing as error:
            self.scored.optional.append(f"BERTScore of the responses was left out. {error}")
        return []

    def _from_words(self, measured: MeasuredConversation) -> list[MetricValue]:
        metrics: list[MetricValue] = []
        for kind, compute in FROM_WORDS.items():
            reference = self._reference(kind, measured)
            try:
                metrics += compute(measured, reference) if reference else []
            except BadInput as error:
                self.scored.problems.append((measured.conversation.key, str(error)))
        return metrics

    def _entailed(self, measured: MeasuredConversation) -> list[MetricValue]:
        """What needs an entailment model; without one this is said once, and everything else is computed."""
        from scoring.models.entailment import configured_entailer

        if self._no_entailment:
            return []
        try:
            self._entails = self._entails or configured_entailer()
            metrics = []
            inputs = entailed_metrics.knowledge_inputs(measured, self._words, self._entails)
            if self._wanted(measured, "knowledge_conflict", entailed_metrics.variant_of(self._words), inputs):
                metrics.append(entailed_metrics.knowledge(measured, self._words, self._entails))
            inputs = entailed_metrics.validity_inputs(measured, self._entails)
            if self._reference("gold_steps", measured) and self._wanted(
                measured, "step_validity", "entailed", inputs
            ):
                metrics.append(entailed_metrics.validity(measured, self._entails))
            return metrics
        except ModelMissing as error:
            self._no_entailment = True
            self.scored.optional.append(f"Knowledge conflict and step validity were left out. {error}")
        except BadInput as error:
            self.scored.problems.append((measured.conversation.key, str(error)))
        return []

    def _reference(self, kind: Kind, measured: MeasuredConversation) -> Reference | None:
        return self._references.of(kind, measured.conversation.key, measured.conversation.condition)

    def _wants_goal(self, measured: MeasuredConversation, plan: Reference) -> bool:
        model = self._named_model()
        if model is None:
            return False
        inputs = of.goal_inputs(measured, plan, self._words, model)
        return self._wanted(
            measured, "goal_alignment", of.goal_variant(self._words), inputs, len(of.GOAL_VARIANTS) + 1
        )

    def _wanted(
        self, measured: MeasuredConversation, metric: str, variant: str, inputs: str, numbers: int = 1
    ) -> bool:
        """Whether something is still to be computed; what is there already is counted."""
        there = (measured.subject.key, metric, variant, inputs) in self._known
        self.scored.already += numbers * there
        return not there

    def _named_model(self) -> str | None:
        """Name and weights of the embedder, without loading it; None, said once, where it cannot be used."""
        if self._model is None and not self._no_model:
            try:
                entry = embedders().entry()
                self._model = f"{entry.name} {weights_hash(entry.path())[:12]}"
            except ModelMissing as error:
                self._without_model(error)
        return self._model

    def _without_model(self, error: ModelMissing) -> None:
        self._no_model, self._model = True, None
        self.scored.missing.append(f"Session goal alignment was left out. {error}")

    def _aligned(self, wanted: list[tuple[MeasuredConversation, Reference]]) -> list[MetricValue]:
        from scoring.models.embedder import configured_embedder

        try:
            embedder = configured_embedder()
        except ModelMissing as error:
            self._without_model(error)
            return []
        assert self._model is not None
        try:
            return of.goal(
                [measured_conversation for measured_conversation, _ in wanted],
                [plan for _, plan in wanted],
                self._words,
                self._model,
                embedder,
            )
        except Exception:  # noqa: BLE001  one conversation must not take the others with it: each by itself, the bad one is named
            metrics: list[MetricValue] = []
            for measured_conversation, plan in wanted:
                try:
                    metrics += of.goal([measured_conversation], [plan], self._words, self._model, embedder)
                except Exception as error:  # noqa: BLE001
                    self.scored.problems.append(
                        (
                            measured_conversation.conversation.key,
                            f"session goal alignment failed ({type(error).__name__})",
                        )
                    )
            return metrics

    def _keep(self, computed: Iterable[MetricValue]) -> None:
        fresh = []
        for metric in computed:
            name = (metric.subject.key, metric.metric, metric.variant, metric.inputs)
            if name in self._known:
                self.scored.already += 1
            else:
                self._known.add(name)
                fresh.append(metric)
        if fresh:
            with self._store.writing(self._actor, "score", self._study.id) as (connection, entry):
                self.scored.computed += metrics.keep(connection, entry, self._study.id, fresh)


def _batches(ids: list[int]) -> Iterator[list[int]]:
    waiting = iter(ids)
    while batch := list(islice(waiting, BATCH)):
        yield batch
