"""What a run needs before it starts: the study, the judge, the prompt, and what is forbidden."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from configs.settings import Settings
from data.record import adoptions, anchors, conversations, judgements, ledger, studies
from data.record.anchors import AnchorSet
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
    """The study, judge and prompt of a run. `criteria`: those that the judge answers; None means all.
    `left_out`: conversations whose labels it learned from.
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
        """Return the same with another reader of JSON replies."""
        return replace(self, asked_as=self.asked_as.model_copy(update={"reader": reader}))

    def identity(self) -> JudgeIdentity:
        """Return the judge's identity: another model, prompt, parameter or parser is another judge."""
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
        """Return the server, because the same model name on another server is another model. The port is left
        out: local servers change it.
        """
        host = urlsplit(self.asked_as.base_url).hostname if self.asked_as.base_url else None
        return {"asked_at": "enterprise"} if self.asked_as.enterprise else {"asked_at": host} if host else {}

    @property
    def permitted(self) -> bool:
        return self.study.data_class in self.entry.data_classes

    def refusal(self) -> str:
        """Return the sentence that the judge may not get this study's class of data."""
        return (
            f"{self.study.title} holds {self.study.data_class} data, and {self.name} is not marked for it. "
            "Nothing was sent. A study lead may mark a judge in models.yaml (data_classes)."
        )

    def check(self, options: JudgeRunOptions) -> None:
        """Raise JudgeUnusable if this judge can't do what the options ask, or may not before it was compared
        on the anchors.
        """
        if options.budget_nano is not None and self.entry.price is None:
            raise JudgeUnusable(f"A budget needs prices, and models.yaml has none for {self.name}.")
        if options.batch and not self.entry.takes_batches:
            raise JudgeUnusable(
                f"{self.name} takes no batches; only Gemini's own service does. Start again without a batch."
            )
        if options.batch and self.asked_as.batching == "trial" and self.study.instrument.criteria_from:
            raise JudgeUnusable(
                "This judge answers all strategies of a plan in one call as lines, which a batch job can't "
                "hold. Start again without a batch, or with batching: criterion."
            )
        if options.anchor_round is not None and (
            options.batch or options.replicates > 1 or options.limit is not None
        ):
            raise JudgeUnusable(
                "The locked set is asked about as a whole, three times, and not as a batch. Leave out the "
                "limit, the repeats and the batch."
            )
        with self.store.reading() as connection:
            judge_id = judgements.find(connection, self.study.id, self.identity().digest())
            refused = ""
            if options.anchor_round is not None:
                refused = self._nothing_to_ask_of(connection, anchors.newest(connection, self.study.id))
            elif not adoptions.may_ask_about_study(connection, self.study, judge_id):
                refused = (
                    f"{self.name} is not the judge that {self.study.title} uses. Ask it about the locked "
                    'set first ("Only the locked set", or --anchors); then a study lead '
                    'compares the two on the Drift page, under "The judge", and decides.'
                )
        if refused:
            raise JudgeUnusable(refused)

    def on_the_anchors(self, options: JudgeRunOptions) -> JudgeRunOptions:
        """Return the options for a run about anchors only, in the open round or else the next one.

        Raises JudgeUnusable if there are no anchors, or none that this judge may answer.
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
        """Return why this judge can't be asked about the anchors; "" if it can. A round without questions
        would tell nothing.
        """
        if anchor_set is None:
            return (
                "This study has no locked set of conversations yet. A study lead locks one on the Drift "
                'page, under "The judge".'
            )
        if anchors.asked_of(connection, anchor_set, self.criteria, self.left_out):
            return ""
        if not anchors.asked_of(connection, anchor_set):
            return (
                "The text of every conversation in the locked set was erased, so there is nothing to ask "
                "about."
            )
        if not anchors.asked_of(connection, anchor_set, left_out=self.left_out):
            return (
                f"{self.name} learned from the labels of every conversation in the locked set, so it may "
                "answer none of them. Nothing was started. Lock a set of conversations from which it did "
                "not learn."
            )
        return (
            f"{self.name} has no criterion to answer in the locked set, so there is nothing to ask. Nothing "
            "was started."
        )


def configure_run(store: Store, settings: Settings, study_key: str, name: str) -> RunConfiguration:
    """Return the configuration of a run. Raises NotFound, JudgeUnusable, ConfigFileError."""
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
    """Tell whether a judge of this identity has given a readable answer in the study."""
    judge_id = judgements.find(connection, setting.study.id, setting.identity().digest())
    return judge_id is not None and ledger.answered(connection, is_of_judge(judge_id))


def _scope(entry: JudgeEntry, catalogue: Catalogue) -> JudgeScope:
    """Return what the judge may answer; a problem in reading it is reported when the judge is opened."""
    provider = PROVIDERS.entry(entry.provider)
    if provider is None or not provider.is_own:
        return JudgeScope()
    try:
        return provider.spec.scope(entry, catalogue.folder)
    except BadInput as error:
        raise JudgeUnusable(str(error)) from None


def _check_scope(name: str, study: Study, scope: JudgeScope) -> None:
    """Raise JudgeUnusable for another study or wording than the judge learned from: there its keys and labels
    mean something else.
    """
    instrument = f"{study.instrument.key} {study.instrument.version}"
    if scope.study not in (None, study.key) or scope.instrument not in (None, instrument):
        raise JudgeUnusable(
            f"{name} learned from labels of the study {scope.study} under {scope.instrument}, and "
            f"{study.key} is rated under {instrument}. Fit one to this study (second-reader fit)."
        )
