"""What is kept of one try of a model, whatever it was asked about."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

_FLAGS = ("repair", "batched", "replayed")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One try. `key`: of its request. `tried`: from 0. `repair`: it was the one repair of an unreadable or
    cut reply. `reply` may hold words of the conversation.

    Costs are billionths of the currency of the price list of that date; None where no price is known.
    """

    key: str
    tried: int
    repair: bool
    status: str
    detail: str
    http: int | None
    finish: str | None
    served: str | None
    response_id: str | None
    safety: tuple[str, ...]
    tokens_in: int | None
    tokens_out: int | None
    tokens_thought: int | None
    tokens_cached: int | None
    cost_nano: int | None
    price_date: str | None
    currency: str | None
    latency_ms: int
    adapter: str
    batched: bool
    replayed: bool
    prompt_sha256: str
    reply: str | None


def row_of_call(record: CallRecord, stored_texts: Iterator[tuple[int, str]]) -> dict[str, Any]:
    """The row of a try. `stored_texts`: id and HMAC of the replies, in the order of tries that have one."""
    row = {field.name: getattr(record, field.name) for field in fields(record) if field.name != "reply"}
    row |= {name: int(row[name]) for name in _FLAGS}
    row["safety"] = json.dumps(record.safety)
    row["reply_content"], row["reply_mac"] = next(stored_texts) if record.reply else (None, None)
    return row
