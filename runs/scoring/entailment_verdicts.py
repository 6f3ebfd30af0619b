"""Ask a judge for the verdicts that the metrics of a study need."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from configs.registry import RegistryEntry
from data.record import conversations, plan_proposals
from data.record.conversations import Conversation
from data.record.references import References
from data.record.studies import Study
from data.store.store import Store
from runs.requests.entailment import EntailmentCall, PendingEntailment, set_up_entailment
from runs.requests.request_run import Progress, RequestOutcome, ask_requests
from runs.scoring.cases import CaseBuilder
from runs.scoring.metric_spec import ConversationMetric, MetricSpec
from runs.scoring.registry import metric_entries
from scoring.bad_input import BadInput
from scoring.clinical_actions import Lexicon, lexicon
from scoring.entailment import EntailmentModel
from scoring.models.model_settings import ModelMissing
from scoring.plan_components import Components, plan_components

BATCH = 16
MOST_ROUNDS = 5  # the next pair to ask about may depend on earlier answers


class PendingVerdicts:
    """The calls of one study that are still to be made. Raises ModelMissing if no judge is set up.

    `words`: the lexicon, as for scoring. `plans`: also ask what proposing target plans with these parts
    needs.
    """

    def __init__(
        self,
        store: Store,
        study: Study,
        retry_failures: bool = False,
        plans: Components | None = None,
        words: Lexicon | None = None,
    ) -> None:
        self._store, self._study, self._retry_failures, self._plans = store, study, retry_failures, plans
        self._words = words or lexicon()
        self.setup, self._prompt = set_up_entailment(store, study)
        self._collectors: list[PendingEntailment] = []

    def calls(self) -> list[EntailmentCall]:
        """Return each request once, in the order of the conversations."""
        with self._store.reading() as connection:
            references = References(connection, self._study.id)
            ids = iter(conversations.ids(connection, self._study.id))
        cases = CaseBuilder(references, self._words, _leave_out, lambda: self._collector)
        metrics = [
            (entry, entry.spec)
            for entry in metric_entries()
            if isinstance(entry.spec, ConversationMetric)
            and "entailment" in entry.spec.needs
            and cases.may_apply(entry.spec)
        ]
        calls: dict[str, EntailmentCall] = {}
        while metrics and (batch := list(islice(ids, BATCH))):
            with self._store.reading() as connection:
                read = conversations.read(connection, batch)
            for conversation in read:
                self._collect(cases, metrics, conversation)
            self._move_to(calls)
        if self._plans is not None:
            with self._store.reading() as connection:
                texts = list(plan_proposals.case_texts(connection, self._study))
            for case_text in texts:
                plan_components([case_text.text], self._collector(case_text.conversation_id), self._plans)
            self._move_to(calls)
        return list(calls.values())

    def _move_to(self, calls: dict[str, EntailmentCall]) -> None:
        for collector in self._collectors:
            calls |= collector.calls
        self._collectors.clear()

    def _collect(
        self,
        cases: CaseBuilder,
        metrics: list[tuple[RegistryEntry[MetricSpec], ConversationMetric]],
        conversation: Conversation,
    ) -> None:
        try:
            replies = conversation.replies()
        except ValueError:
            return  # the words were erased
        for entry, spec in metrics:
            case = cases.case(entry, spec, conversation, replies)
            if case is not None and spec.compute is not None:
                try:
                    spec.compute(case)
                except BadInput:
                    continue  # reported when the metric is computed

    def _collector(self, conversation_id: int) -> EntailmentModel:
        collector = PendingEntailment(self.setup, self._prompt, conversation_id, self._retry_failures)
        self._collectors.append(collector)
        return collector


def ask_for_verdicts(
    pending: PendingVerdicts, actor: str, budget_nano: int | None = None, progress: Progress | None = None
) -> Iterator[RequestOutcome]:
    """Yield one outcome per round until nothing is pending or a run stops. Raises JudgeUnusable, LockTaken,
    StoreError.
    """
    asked: set[str] = set()
    for _ in range(MOST_ROUNDS):
        calls = [call for call in pending.calls() if call.request.key not in asked]
        if not calls:
            return
        asked |= {call.request.key for call in calls}
        outcome = ask_requests(pending.setup, calls, actor, budget_nano, progress)
        yield outcome
        if not outcome.is_finished:
            return
        if budget_nano is not None:
            budget_nano = max(budget_nano - outcome.cost_nano, 0)


def _leave_out(_need: object, error: ModelMissing, _embedder: str) -> None:
    raise error
