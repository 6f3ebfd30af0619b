"""Which model wrote the replies of a conversation, as far as its facts say so. Raters are not shown it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.record.fact_names import CASE, find_fact
from scoring.judges.families import family

FACTS = (
    "model",
    "generator",
    "generating_model",
    "model_name",
    "assistant_model",
    "provider_llm",
    "provider_model",
    "condition",
)


def generating_models(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names that the facts give to the model that wrote the replies, without blank ones."""
    for name in FACTS:
        model = facts.get(name)
        if isinstance(model, str) and model.strip():
            yield model


@dataclass(frozen=True)
class Reply:
    """Who wrote the replies of a conversation, a family of models, and what its facts say of its case."""

    family: str
    cases: dict[str, str]


def read_replies(connection: Connection, study_id: int) -> dict[int, Reply]:
    """Return conversation -> the family of models that wrote its replies, and its case.

    Absent are conversations whose facts name no known model or were erased.
    """
    table, words = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, words.c.text)
        .join(words, words.c.id == table.c.facts_content)
        .where(table.c.study_id == study_id, words.c.text.is_not(None))
    )
    replies: dict[int, Reply] = {}
    for row in rows:
        facts = json.loads(row.text)
        models = generating_models(facts)
        name = next((name for model in models if (name := family(model))), None)
        if name is not None:
            cases = {fact: str(case) for fact in CASE if (case := find_fact(facts, (fact,))) is not None}
            replies[row.id] = Reply(name, cases)
    return replies


def number_cases(replies: Mapping[int, Reply], own: str) -> dict[int, int]:
    """Return conversation -> the number of its case, from 0.

    Used is the fact with the most cases that have replies of the family `own` and of another, the first of
    equals. Empty if no fact has such a case.
    """
    best: dict[int, int] = {}
    most = 0
    for fact in CASE:
        families: dict[str, set[bool]] = {}
        for reply in replies.values():
            if fact in reply.cases:
                families.setdefault(reply.cases[fact], set()).add(reply.family == own)
        shared = sum(len(sides) == 2 for sides in families.values())
        if shared > most:
            number = {case: place for place, case in enumerate(families)}
            most, best = (
                shared,
                {
                    conversation: number[reply.cases[fact]]
                    for conversation, reply in replies.items()
                    if fact in reply.cases
                },
            )
    return best
