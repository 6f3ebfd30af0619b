"""Everything that a run needs to know before it starts: which study, which judge, which prompt, and what may
not be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from configs.settings import Settings
from data.record import adoptions, anchors, conversations, judgements, ledger, studies
from data.record.anchors import NONE_YET, AnchorSet
from data.record.judge_runs import JudgeRunOptions
from data.record.judgements import JudgeIdentity
from data.record.ledger import is_of_judge
from data.record.studies import Study
from data.store.store import Connection, Store
from runs.judging.calls import CallBuilder
from scoring.bad_input import BadInput
from scoring.judges.catalogue import Catalogue, JudgeEntry, JudgeUnusable, load_catalogue
from scoring.judges.judge_provider import JudgeScope
from scoring.judges.prompts import Prompt, load_prompt
from scoring.judges.provider_registry import PROVIDERS
from scoring.judges.readers import ReaderName, choose_reader


@dataclass(frozen=True)
class RunConfiguration:
    """Everything that a run needs to know before it starts. `criteria`: those that the judge answers, None
    for all; `left_out`: conversations whose labels it learned from.
    """

    store: Store
    study: Study
    name: str
    entry: JudgeEntry
    asked_as: JudgeEntry
    prompt: Prompt
    catalogue: Catalogue
    criteria: frozenset[str] | None = None
    left_out: frozenset[int] = frozenset()

    @property
    def caller(self) -> CallBuilder:
        return CallBuilder(self.study, self.prompt, self.asked_as, self.criteria, self.left_out)

    def read_by(self, reader: ReaderName) -> RunConfiguration:
        """The same with another reader of JSON replies."""
        return replace(self, asked_as=self.asked_as.model_copy(update={"reader": reader}))

    def identity(self) -> JudgeIdentity:
        """Two identities never share a row: a change of model, prompt, parameter or parser is another
        judge.
        """
        parameters = {
            **self.asked_as.parameters(),
            "batching": self.asked_as.batching,
            "asked_of": self.asked_as.provider,
            **self._where(),
        }
        name = f"{self.name} (recorded)" if self.entry.is_replay else self.name
        return JudgeIdentity(
            name,
            self.entry.provider,
            self.asked_as.model,
            self.prompt.name,
            f"{self.study.instrument.key} {self.study.instrument.version}",
            parameters,
            self.caller.parser,
        )

    def _where(self) -> dict[str, str]:
        """The same name on another server is another model. A port is not: local servers are started anew
        under others.
        """
        host = urlsplit(self.asked_as.base_url).hostname if self.asked_as.base_url else None
        return {"asked_at": "enterprise"} if self.asked_as.enterprise else {"asked_at": host} if host else {}

    @property
    def permitted(self) -> bool:
        return self.study.data_class in self.entry.data_classes

    def refusal(self) -> str:
        return (
            f"{self.study.title} holds {self.study.data_class} data, and {self.name} is not marked for it. "
            "Nothing was sent. A study lead may mark a judge in models.yaml (data_classes)."
        )

    def check(self, options: JudgeRunOptions) -> None:
        """Raises JudgeUnusable where the options ask for what this judge cannot do, or may not do before it
        was compared on the anchors.
        """
        if options.budget_nano is not None and self.entry.price is None:
            raise JudgeUnusable(f"A budget needs prices, and models.yaml has none for {self.name}.")
        if options.batch and not self.entry.takes_batches:
            raise JudgeUnusable(
                f"{self.name} takes no batches; only Gemini's own service does. Start again without a batch."
            )
        if options.batch and self.asked_as.batching == "trial" and self.study.instrument.criteria_from:
            raise JudgeUnusable(
                "The strategies of a plan, asked in one call, are answered in lines, which a batch job "
                "cannot hold. "
                "Start again without a batch, or with batching: criterion."
            )
        if options.anchor_round is not None and (
            options.batch or options.replicates > 1 or options.limit is not None
        ):
            raise JudgeUnusable(
                "The fixed conversations are asked whole, three times each, and not as a batch. Leave out "
                "the limit, "
                "the repeats and the batch."
            )
        with self.store.reading() as connection:
            judge_id = judgements.find(connection, self.study.id, self.identity().digest())
            refused = (
                ""
                if options.anchor_round is not None
                else adoptions.refused_to_run(connection, self.study, judge_id, self.name)
            )
            if options.anchor_round is not None:
                refused = self._nothing_to_ask_of(connection, anchors.newest(connection, self.study.id))
        if refused:
            raise JudgeUnusable(refused)

    def on_the_anchors(self, options: JudgeRunOptions) -> JudgeRunOptions:
        """The same, but only about the anchors: in the round that is open, or else in the next one. Raises
        JudgeUnusable where there are none, or none of which this judge may say anything.
        """
        with self.store.reading() as connection:
            anchor_set = anchors.newest(connection, self.study.id)
            refused = self._nothing_to_ask_of(connection, anchor_set)
            if anchor_set is None or refused:
                raise JudgeUnusable(refused)
            judge_id = judgements.find(connection, self.study.id, self.identity().digest())
            return replace(
                options,
                anchor_round=anchors.round_to_ask(
                    connection,
                    anchor_set,
                    judge_id,
                    options.retry_failures,
                    self.criteria,
                    self.left_out,
                ),
            )

    def _nothing_to_ask_of(self, connection: Connection, anchor_set: AnchorSet | None) -> str:
        """Why this judge cannot be asked about the anchors, empty where it can: a round without a question
        would be begun and ended, and tell nothing.
        """
        if anchor_set is None:
            return NONE_YET
        if anchors.asked_of(connection, anchor_set, self.criteria, self.left_out):
            return ""
        if not anchors.asked_of(connection, anchor_set):
            return "The words of all fixed conversations were erased, so there is nothing to ask about them."
        if not anchors.asked_of(connection, anchor_set, left_out=self.left_out):
            return (
                f"{self.name} learned from the labels of every fixed conversation, so there is nothing "
                "that it may say of them. Nothing was started. Fix a set with others, from which it did not "
                "learn."
            )
        return (
            f"{self.name} answers no criterion of a fixed conversation that it may say something of, so "
            f"there is "
            "nothing to ask it. Nothing was started."
        )


def configure_run(store: Store, settings: Settings, study_key: str, name: str) -> RunConfiguration:
    """Look up study, judge and prompt. Raises NotFound, JudgeUnusable, ConfigFileError."""
    catalogue = load_catalogue(settings.models)
    with store.reading() as connection:
        study = studies.get_by_key(connection, study_key)
    asked_as = catalogue.asked_as(name)
    prompt = load_prompt(settings.prompts / f"{asked_as.prompt(study.instrument.unit)}.yaml")
    scope = _scope(asked_as, catalogue)
    _check_scope(name, study, scope)
    with store.reading() as connection:
        left_out = conversations.ids_of_keys_and_persons(connection, study.id, scope.left_out)
    setting = RunConfiguration(
        store, study, name, catalogue.entry(name), asked_as, prompt, catalogue, scope.criteria, left_out
    )
    with store.reading() as connection:
        chosen = choose_reader(
            asked_as.reader, lambda reader: _has_answered(connection, setting.read_by(reader))
        )
    return setting.read_by(chosen)


def _has_answered(connection: Connection, setting: RunConfiguration) -> bool:
    """Whether a judge of this identity ever gave a readable answer in the study."""
    judge_id = judgements.find(connection, setting.study.id, setting.identity().digest())
    return judge_id is not None and ledger.answered(connection, is_of_judge(judge_id))


def _scope(entry: JudgeEntry, catalogue: Catalogue) -> JudgeScope:
    """What cannot be read is said when the judge is opened."""
    provider = PROVIDERS.entry(entry.provider)
    if provider is None or not provider.is_own:
        return JudgeScope()
    try:
        return provider.spec.scope(entry, catalogue.folder)
    except BadInput as error:
        raise JudgeUnusable(str(error)) from None


def _check_scope(name: str, study: Study, scope: JudgeScope) -> None:
    """What a judge learned from may not be known by its keys in another study, and under another wording its
    labels mean something else. Raises JudgeUnusable.
    """
    instrument = f"{study.instrument.key} {study.instrument.version}"
    if scope.study not in (None, study.key) or scope.instrument not in (None, instrument):
        raise JudgeUnusable(
            f"{name} learned from labels of the study {scope.study} under {scope.instrument}, and "
            f"{study.key} is rated under {instrument}. Fit one to this study (second-reader fit)."
        )
