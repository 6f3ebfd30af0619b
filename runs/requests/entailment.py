"""Let a judge decide whether one text follows from another. Its answers are read from the ledger; a separate
run asks for them, because they cost money.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from configs.settings import Settings
from data.record import requests
from data.record.requests import RequestState
from data.record.studies import Study
from data.schema.vocabulary import AttemptPurpose
from data.store.store import Store
from runs.requests.request_rows import RequestCall
from runs.requests.request_setup import RequestSetup, set_up_requests
from scoring.entailment import NEUTRAL, VERDICTS, EntailmentModel, Verdict
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.entailment_prompt import EntailmentPrompt, load_entailment_prompt, read_entailment
from scoring.judges.judge_client import sha
from scoring.judges.readers import ONE_OBJECT, ReaderName, choose_reader
from scoring.judges.reply_parsing import Verdict as ReadVerdict
from scoring.models.model_settings import ModelMissing, entailment

# Conversation id -> the model that decides about its texts.
EntailmentSource = Callable[[int], EntailmentModel]


class NotAskedYet(Exception):
    """The judge has not been asked for this verdict yet."""


@dataclass(frozen=True, slots=True)
class EntailmentCall(RequestCall):
    purpose = AttemptPurpose.ENTAILMENT

    reader: ReaderName

    def read(self, reply: str) -> dict[str, ReadVerdict | None]:
        """Return the verdict under "verdict". Raise UnreadableReply."""
        return {"verdict": read_entailment(reply, self.reader)}

    def answer_of(self, reply: str) -> str | None:
        """Return the verdict's label. Raise UnreadableReply."""
        return read_entailment(reply, self.reader).label


class JudgeEntailment:
    """A judge's verdicts on texts of one conversation, from the ledger. Raises NotAskedYet for one it was not
    asked; a failure has no verdict.
    """

    def __init__(self, setup: RequestSetup, prompt: EntailmentPrompt, conversation_id: int) -> None:
        self._setup, self._prompt, self._conversation_id = setup, prompt, conversation_id
        self.label = setup.label

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
        """Return one verdict per pair, in order; None where the judge failed. Raise NotAskedYet if any was
        not asked.
        """
        calls = [self.call(pair) for pair in pairs]
        states = self.states(calls)
        if any(call.request.key not in states for call in calls):
            raise NotAskedYet
        return [_verdict(states[call.request.key]) for call in calls]

    def call(self, pair: tuple[str, str]) -> EntailmentCall:
        """Return the call that asks about a (premise, hypothesis) pair."""
        request = self._prompt.request(self._setup.asked_as, *pair, self._setup.data_class)
        asked = sha(request.system + request.user)
        return EntailmentCall(
            request, self._conversation_id, asked, self._setup.asked_as.reader or ONE_OBJECT
        )

    def states(self, calls: Sequence[EntailmentCall]) -> dict[str, RequestState]:
        """Return the state of each asked call, by key."""
        with self._setup.store.reading() as connection:
            return requests.states(connection, self._setup.sha256, [call.request.key for call in calls])


class PendingEntailment(JudgeEntailment):
    """Collects the calls that are still to be made, and answers "neutral" meanwhile, which must not be
    kept.
    """

    def __init__(
        self, setup: RequestSetup, prompt: EntailmentPrompt, conversation_id: int, retry_failures: bool
    ) -> None:
        super().__init__(setup, prompt, conversation_id)
        self._retry_failures = retry_failures
        self.calls: dict[str, EntailmentCall] = {}

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
        """Return one verdict per pair, "neutral" for those not asked yet, whose calls are collected."""
        calls = [self.call(pair) for pair in pairs]
        states = self.states(calls)
        for call in calls:
            state = states.get(call.request.key)
            if state is None or (self._retry_failures and state.answer is None):
                self.calls[call.request.key] = call
        return [
            _verdict(states[call.request.key]) if call.request.key in states else NEUTRAL for call in calls
        ]


def open_entailment(store: Store, study: Study) -> EntailmentSource:
    """Return the local model or the judge in entailment.yaml. Raises ModelMissing."""
    if entailment().judge is None:
        from scoring.models.entailment import configured_entailer

        model = configured_entailer()
        return lambda _: model
    setup, prompt = set_up_entailment(store, study)
    return lambda conversation_id: JudgeEntailment(setup, prompt, conversation_id)


def set_up_entailment(store: Store, study: Study) -> tuple[RequestSetup, EntailmentPrompt]:
    """Return the judge in entailment.yaml with its prompt. Raises ModelMissing, ConfigFileError."""
    settings, judge = Settings.read(), entailment().judge
    if judge is None:
        raise ModelMissing(
            "No judge is set up to decide whether one text follows from another (second-reader models use "
            "--judge NAME). With a local model, second-reader score asks it directly."
        )
    prompt = load_entailment_prompt(settings.prompts)
    try:
        setup = set_up_requests(store, study, settings, judge, prompt.name, ONE_OBJECT)
    except JudgeUnusable as error:
        raise ModelMissing(str(error)) from None
    with store.reading() as connection:
        chosen = choose_reader(
            setup.asked_as.reader,
            lambda reader: requests.answered(connection, _read_by(setup, reader).sha256),
        )
    return _read_by(setup, chosen), prompt


def _read_by(setup: RequestSetup, reader: ReaderName) -> RequestSetup:
    asked_as = setup.asked_as.model_copy(update={"reader": reader})
    return replace(setup, asked_as=asked_as, parser=reader)


def _verdict(state: RequestState) -> Verdict | None:
    return next((verdict for verdict in VERDICTS if verdict == state.answer), None)
