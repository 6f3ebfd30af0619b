"""Trials: ask a model many times for the reply to a frozen turn, with the same ledger, budget and rate limits
as a judge.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from configs.files.yaml_files import content_hash, read_model
from configs.settings import Settings
from data.importers import trials
from data.importers.trials import FrozenTurn, TrialReply
from data.record import requests
from data.record.studies import Study
from data.schema.vocabulary import AttemptPurpose
from data.store.store import Store
from runs.requests.request_rows import RequestCall
from runs.requests.request_setup import RequestSetup, set_up_requests
from scoring.instruments import Identifier, Strict
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.judge_client import JudgeRequest, request_key, schema_hash, sha
from scoring.judges.prompts import fill
from scoring.judges.provider_registry import PROVIDERS
from scoring.judges.reply_parsing import UnreadableReply, Verdict

FILE = "trial.yaml"
PARSER = "text-1"
ANSWER_TOKENS = 400  # per reply with its plan


class TrialPromptFile(Strict):
    key: Identifier
    version: Identifier
    with_plan: str = Field(min_length=1)
    without_plan: str = Field(min_length=1)


class TrialCall(RequestCall):
    __slots__ = ()
    purpose = AttemptPurpose.TRIAL

    def read(self, reply: str) -> dict[str, Verdict | None]:
        """Return {}; raise UnreadableReply for a blank reply."""
        if not reply.strip():
            raise UnreadableReply("the reply is empty")
        return {}


@dataclass(frozen=True)
class TrialPlan:
    """`calls`: by trial number, from 1. `target`: the key of the study for the trials."""

    setup: RequestSetup
    frozen: FrozenTurn
    target: str
    calls: dict[int, TrialCall]

    def pending(self, retry_failures: bool = False) -> list[TrialCall]:
        """Return the calls without an answer; with `retry_failures`, also those that failed."""
        states = self._states()
        return [
            call
            for call in self.calls.values()
            if (state := states.get(call.request.key)) is None or (retry_failures and state.status != "ok")
        ]

    def replies(self) -> list[TrialReply]:
        """Return the replies in the ledger that were not erased."""
        with self.setup.store.reading() as connection:
            texts = requests.find_replies(connection, self.setup.sha256, self._keys)
        return [
            TrialReply(number, *texts[call.request.key])
            for number, call in self.calls.items()
            if call.request.key in texts
        ]

    def _states(self) -> dict[str, requests.RequestState]:
        with self.setup.store.reading() as connection:
            return requests.states(connection, self.setup.sha256, self._keys)

    @property
    def _keys(self) -> list[str]:
        return [call.request.key for call in self.calls.values()]


def plan_trials(
    store: Store,
    study: Study,
    settings: Settings,
    name: str,
    conversation: str,
    count: int,
    temperature: float | None = None,
    turn: int | None = None,
    into: str | None = None,
) -> TrialPlan:
    """Return what would be asked. `name`: the model in models.yaml. `temperature`: replaces the entry's.

    Raises NotFound, Refused, JudgeUnusable, ConfigFileError.
    """
    with store.reading() as connection:
        frozen = trials.freeze(connection, study, conversation, turn)
    file, body = read_model(settings.prompts / FILE, TrialPromptFile)
    system = _system(file, study)
    prompt = f"{file.key} {file.version} {content_hash(body)[:12]}"
    setup = set_up_requests(store, study, settings, name, prompt, PARSER)
    provider = PROVIDERS.entry(setup.asked_as.provider)
    if provider is None or not provider.spec.takes_history:
        raise JudgeUnusable(f"The provider of {name} can't continue a conversation.")
    if temperature is not None:
        setup = _at(setup, temperature)
    target = into or _target(study.key, conversation, frozen.turn, setup.sha256)
    with store.reading() as connection:  # before anything costs money
        trials.check_target(connection, study, target)
    calls = {number: _call(setup, frozen, system, number) for number in range(1, count + 1)}
    return TrialPlan(setup, frozen, target, calls)


def keep_trials(plan: TrialPlan, actor: str) -> tuple[Study, int, Sequence[str]]:
    """Import all replies in the ledger that have no conversation yet.

    Return their study, how many trials it has, and sentences about the import. The study's title names no
    model, because raters read it.
    """
    setup, frozen = plan.setup, plan.frozen
    facts = {"model": setup.asked_as.model, "temperature": setup.asked_as.temperature, "run": plan.target}
    title = f"{setup.study.title}: trials of {frozen.source.key}, turn {frozen.turn}"
    with setup.store.writing(actor, "add trials", setup.study.id) as (connection, entry):
        study = trials.study_of_trials(connection, entry, setup.study, plan.target, title)
        report = trials.add_trials(connection, entry, study, frozen, facts, plan.replies())
        number = trials.number_in(connection, study.id)
    return study, number, report.lines(100)


def _at(setup: RequestSetup, temperature: float) -> RequestSetup:
    """Return the same setup at another temperature."""
    changed = {"temperature": temperature}
    entry, asked_as = setup.entry.model_copy(update=changed), setup.asked_as.model_copy(update=changed)
    catalogue = setup.catalogue.with_entry(setup.name, entry)
    return replace(setup, catalogue=catalogue, entry=entry, asked_as=asked_as)


def _system(file: TrialPromptFile, study: Study) -> str:
    if study.taxonomy is None:
        return file.without_plan
    strategies = "\n".join(f"- {s.id}: {s.description}" for s in study.taxonomy.strategies)
    return fill(file.with_plan, {"taxonomy": strategies})


def _call(setup: RequestSetup, frozen: FrozenTurn, system: str, number: int) -> TrialCall:
    """Make a call. Consecutive messages of one side are joined, as the services require."""
    messages: list[tuple[str, str]] = []
    for message in frozen.messages:
        role = "assistant" if message.role == "assistant" else "user"
        if messages and messages[-1][0] == role:
            messages[-1] = (role, f"{messages[-1][1]}\n\n{message.text}")
        else:
            messages.append((role, message.text))
    *history, (_, question) = messages
    asked = sha(json.dumps(messages))
    key = request_key(setup.asked_as, sha(system), asked, schema_hash(None), number)
    request = JudgeRequest(system, question, None, setup.data_class, key, tuple(history))
    return TrialCall(request, frozen.source.id, sha(system + asked))


def _target(study: str, conversation: str, turn: int, model: str) -> str:
    """Return a key of letters, digits, - and _, the same for the same trials. `model`: a hash of model,
    prompt and parameters, because raters must not read a name.
    """
    words = f"{study}-{conversation}-turn{turn}"
    plain = "".join(character if character.isascii() and character.isalnum() else "-" for character in words)
    return f"{plain[:50]}-{sha(json.dumps([study, conversation, turn, model]))[:9]}"
