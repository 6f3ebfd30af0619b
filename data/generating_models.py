"""Which model wrote the replies of a conversation, as far as its facts say so. Raters are not shown it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, select

from data import schema
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
    """What the facts call the model, whichever fact says so."""
    for name in FACTS:
        model = facts.get(name)
        if isinstance(model, str) and model.strip():
            yield model


def generator_families(connection: Connection, study_id: int) -> dict[int, str]:
    """Conversation -> the family of the model that wrote its replies, where a fact names a known one. The
    first fact that does counts; the facts of an erased conversation are gone.
    """
    table, words = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, words.c.text)
        .join(words, words.c.id == table.c.facts_content)
        .where(table.c.study_id == study_id, words.c.text.is_not(None))
    )
    families: dict[int, str] = {}
    for row in rows:
        models = generating_models(json.loads(row.text))
        name = next((name for model in models if (name := family(model))), None)
        if name is not None:
            families[row.id] = name
    return families
