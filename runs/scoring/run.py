"""One pass over a study: compute everything that applies and is missing, and keep it batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from data.record import conversations, metrics, studies
from data.record.metrics import MetricSubject, MetricValue
from data.record.references import References
from data.record.studies import Study
from data.store.store import Store
from runs.requests.entailment import NotAskedYet, open_entailment
from runs.scoring import judge_metrics
from runs.scoring.cases import CaseBuilder
from runs.scoring.metric_computation import (
    PendingCase,
    compute_all_cases,
    compute_case,
    compute_study_value,
    pending_case,
    with_person,
)
from runs.scoring.metric_spec import ConversationMetric, Need, StudyMaterial, StudyMetric
from runs.scoring.metric_values import as_values
from runs.scoring.registry import METRICS, metric_entries, metric_specs
from runs.scoring.shipped_values import ShippedValues, shipped_values
from scoring.clinical_actions import Lexicon, lexicon
from scoring.models.model_settings import ModelMissing
from words.plurals import count, inflect, join_words

BATCH = 16


@dataclass
class ScoringResult:
    """`problems`: (conversation, what went wrong); nothing else was lost. `missing`: what could not be
    computed at all. `optional`: what this installation is not set up for.
    """

    computed: int = 0
    already: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return the result in sentences, problems first."""
        problems = [f"{where}: {what}" for where, what in self.problems] + self.missing + self.optional
        numbers = count(self.computed, "number", "numbers")
        return [*problems, f"{numbers} computed, {self.already:,} were there already."]


def score_study(
    store: Store,
    study_key: str,
    actor: str,
    lexicon_key: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    shipped: ShippedValues | None = None,
) -> ScoringResult:
    """Compute what applies and is missing; an interrupted run continues where it stopped.

    `progress(done, all)` counts conversations. `shipped`: numbers that need no computing, by default those of
    a sample study. Raises NotFound, BadInput for an unknown lexicon, StoreError.
    """
    words = lexicon(lexicon_key) if lexicon_key else lexicon()
    with store.reading() as connection:
        study = studies.get_by_key(connection, study_key)
        everything = conversations.ids(connection, study.id)
        pass_ = _ScoringPass(
            store,
            study,
            actor,
            words,
            References(connection, study.id),
            metrics.known_inputs(connection, study.id),
            shipped_values(study_key) if shipped is None else shipped,
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
        shipped: ShippedValues,
    ) -> None:
        self._store, self._study, self._actor = store, study, actor
        self._known, self._shipped = present, shipped
        self._numbers = Counter((subject, inputs) for subject, _, _, inputs in present)
        self._erased = 0
        self.scored = ScoringResult(optional=METRICS.problems())
        self._cases = CaseBuilder(
            references, words, self._without_model, lambda: open_entailment(store, study)
        )
        self._not_asked: Counter[str] = Counter()
        self._entries = [
            (entry, entry.spec)
            for entry in metric_entries()
            if isinstance(entry.spec, ConversationMetric) and self._cases.may_apply(entry.spec)
        ]

    def conversations(self, ids: list[int]) -> None:
        with self._store.reading() as connection:
            batch = conversations.read(connection, ids) if self._entries else []
            values = list(judge_metrics.unit_metrics(connection, self._study, ids))
        waiting: dict[tuple[str, str], list[PendingCase]] = {}
        for conversation in batch:
            try:
                replies = conversation.replies()
            except ValueError:
                self._erased += 1
                continue
            for entry, spec in self._entries:
                for embedder in ("", *self._cases.other_embedders(entry, spec)):
                    pending = pending_case(
                        self._cases, entry, spec, conversation, replies, self.scored.problems, embedder
                    )
                    if pending is None or self._is_present(pending.subject.key, pending.inputs):
                        continue
                    if results := self._shipped.of(pending.inputs):
                        values += as_values(spec, pending.subject, pending.inputs, results)
                        continue
                    if spec.compute_all is not None:
                        waiting.setdefault((spec.name, embedder), []).append(pending)
                        continue
                    try:
                        values += compute_case(self._cases, pending, self.scored.problems)
                    except NotAskedYet:
                        self._not_asked[spec.title] += 1
        for cases in waiting.values():
            values += compute_all_cases(self._cases, cases, self.scored.problems)
        self._keep(values)

    def together(self, ids: list[int]) -> None:
        with self._store.reading() as connection:
            shared = conversations.shared_persons(connection, self._study.id)
            present = [with_person(value, shared) for value in metrics.present(connection, self._study.id)]
        material = StudyMaterial(
            self._store,
            self._study,
            ids,
            present,
            lambda inputs: self._is_present(MetricSubject().key, inputs),
            self.scored.optional.append,
        )
        computed: list[MetricValue] = []
        for entry in metric_entries():
            if isinstance(entry.spec, StudyMetric):
                computed += entry.spec.compute(material)
            # While answers are missing, a number of the whole study would cover only a part.
            elif isinstance(entry.spec, ConversationMetric) and entry.spec.title not in self._not_asked:
                computed += compute_study_value(entry, entry.spec, present, self.scored.problems)
        self._keep(computed)
        for title, number in self._not_asked.items():
            waiting = count(number, "conversation", "conversations")
            self.scored.optional.append(
                f"{title[0].upper()}{title[1:]} of {waiting} waits for answers of the judge: second-reader "
                f"entail {self._study.key} asks for them (with the same --lexicon, if one was named)."
            )
        if self._erased:
            self.scored.optional.append(
                f"{count(self._erased, 'conversation has', 'conversations have')} no words any more: erased."
            )

    def _is_present(self, subject: str, inputs: str) -> bool:
        """Tell whether numbers with these inputs exist; if so, count them."""
        self.scored.already += self._numbers[subject, inputs]
        return self._numbers[subject, inputs] > 0

    def _without_model(self, need: Need, error: ModelMissing, other_embedder: str) -> None:
        """Report a missing model once, with what is left out."""
        titles = [spec.title for spec in metric_specs(ConversationMetric) if need in spec.needs]
        listed = join_words(titles)
        with_it = f" with {other_embedder}" if other_embedder else ""
        was = inflect(len(titles), "was", "were")
        sentence = f"{listed[0].upper()}{listed[1:]}{with_it} {was} left out. {error}"
        (self.scored.missing if need == "embedder" else self.scored.optional).append(sentence)

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
