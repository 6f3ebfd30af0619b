"""Rebuild the prompt of an earlier call from the stored prompt file and the current words, and prove it by
its hash.
"""

from __future__ import annotations

from data.record import ledger, units
from data.record.judgements import Judge
from data.record.studies import Study
from data.record.units import Unit
from data.store.store import Store
from runs.judging.calls import SEVERAL, CallBuilder
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeRequest
from scoring.judges.prompts import parse_prompt
from scoring.judges.provider_registry import PROVIDERS

# Only the batching of an entry changes a prompt.
_ANY = JudgeEntry(provider="openai_compatible", model="any", base_url="http://127.0.0.1")


def reconstruct_prompt(
    store: Store, study: Study, unit: Unit, judge: Judge, criterion: str, prompt_sha256: str
) -> JudgeRequest | str:
    """Return the request, or a sentence saying why it can't be shown."""
    provider = PROVIDERS.entry(judge.identity.get("parameters", {}).get("asked_of", ""))
    if provider is not None and not provider.spec.reads_prompt:
        return (
            "This judge reads no prompt, and nothing was sent. It scored each reply against the name of the "
            "criterion and what it checks."
        )
    with store.reading() as connection:
        messages = units.transcript(connection, unit)
        body = ledger.prompt_body(connection, str(judge.identity.get("prompt", "")).rsplit(" ", 1)[-1])
    if messages is None:
        return "The words of this conversation were erased, and the prompt with them."
    if body is None:
        return "The store doesn't hold this judge's prompt file."
    prompt = parse_prompt(body)
    for batching in ("criterion", "trial"):
        caller = CallBuilder(study, prompt, _ANY.model_copy(update={"batching": batching}))
        asked = [
            c
            for c in caller.asked(unit)
            if criterion == ledger.WHOLE_UNIT or c.id in criterion.split(SEVERAL)
        ]
        for call in caller.calls(unit, messages, asked, 0):
            if call.prompt_sha256 == prompt_sha256:
                return call.request
    return (
        "The prompt can't be shown: its hash differs from the one that was sent. The instrument or the words "
        "were changed from outside."
    )
