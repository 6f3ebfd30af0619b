"""What a try leaves in a ledger, whatever it was asked about."""

from __future__ import annotations

from typing import Any

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer, Usage


def call_record(
    entry: JudgeEntry,
    adapter: str,
    prompt_sha256: str,
    key: str,
    answer: JudgeAnswer,
    number: int,
    repair: bool,
    latency: float,
    batched: bool = False,
) -> dict[str, Any]:
    """The fields of a CallRecord. `number`: of the try, from 0; `latency`: in seconds."""
    usage, price = answer.usage, entry.price
    cost = price.nano(usage.input, usage.output, usage.cached, batched) if price and usage else None
    token_usage = usage or Usage()
    return {
        "key": key,
        "tried": number,
        "repair": repair,
        "status": answer.status,
        "detail": answer.detail,
        "http": answer.http,
        "finish": answer.finish,
        "served": answer.served,
        "response_id": answer.response_id,
        "safety": answer.safety,
        "tokens_in": token_usage.input if usage else None,
        "tokens_out": token_usage.output if usage else None,
        "tokens_thought": token_usage.thought if usage else None,
        "tokens_cached": token_usage.cached if usage else None,
        "cost_nano": cost,
        "price_date": price.date if price and usage else None,
        "currency": price.currency if price and usage else None,
        "latency_ms": round(latency * 1000),
        "adapter": adapter,
        "batched": batched,
        "replayed": entry.provider == "replay",
        "prompt_sha256": prompt_sha256,
        "reply": answer.text or answer.said,
    }
