"""A judge of the family that wrote the replies: a warning before the run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runs.judging.families import same_family
from scoring.judges.families import family
from tests.servers.judging import Lead
from tests.studies.importing import import_conversations


def add(lead: Lead, key: str, **facts: Any) -> None:
    path = lead.folder / f"{key}.jsonl"
    path.write_text(
        json.dumps({"id": key, "turns": [{"user": "Good morning", "assistant": "Good morning"}], **facts}),
        encoding="utf-8",
    )
    import_conversations(lead.store, "small", path, "tests")


def test_nothing_known_of_the_generator_is_no_warning(lead: Lead) -> None:
    assert same_family(lead.setting()) is None


@pytest.mark.parametrize("fact", ["model", "generator", "condition"])
def test_one_conversation_of_the_same_family_is_enough(lead: Lead, fact: str) -> None:
    add(lead, "other", **{fact: "gpt-5"})
    assert same_family(lead.setting()) is None
    add(lead, "same", **{fact: "gemma-3-27b"})
    warning = same_family(lead.setting())
    assert (
        warning is not None
        and "gemini-3.8-flash" in warning
        and "gemma-3-27b" in warning
        and "Google" in warning
        and "gpt-5" not in warning
    )


def test_many_names_are_not_all_listed(lead: Lead) -> None:
    for number in range(5):
        add(lead, f"c-{number}", model=f"gemini-{number}")
    said = same_family(lead.setting())
    assert said is not None and "gemini-2 and others" in said and "gemini-3)" not in said


def test_what_is_no_word_is_passed_over(lead: Lead) -> None:
    add(lead, "odd", model=3)
    assert same_family(lead.setting()) is None


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gemini-3.8-flash", "Google"),
        ("models/gemma-3", "Google"),
        ("gpt-4o", "OpenAI"),
        ("openai/o3", "OpenAI"),
        ("claude-opus-4", "Anthropic"),
        ("Meta-Llama-3.1-8B", "Meta"),
        ("Mixtral-8x7B", "Mistral"),
        ("qwen2.5:7b", "Alibaba"),
        ("deepseek-r1", "DeepSeek"),
        ("grok-4", "xAI"),
        ("command-r", "Cohere"),
        ("phi-4", "Microsoft"),
        ("SmolLM2-135M", None),
        ("sapphire", None),
        ("turbo3", None),
        ("", None),
    ],
)
def test_the_family_is_told_by_the_name(model: str, name: str | None) -> None:
    assert family(model) == name
