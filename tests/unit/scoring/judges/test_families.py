"""The family that a model's name tells."""

from __future__ import annotations

import pytest

from scoring.judges.families import family


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gemini-3.8-flash", "Google"),
        ("models/gemini-3.8-flash", "Google"),
        ("google/gemma-3-27b-it", "Google"),
        ("gpt-4o-mini", "OpenAI"),
        ("openai/gpt-oss-120b", "OpenAI"),
        ("o3", "OpenAI"),
        ("o4-mini", "OpenAI"),
        ("text-davinci-003", "OpenAI"),
        ("Claude-Sonnet-5", "Anthropic"),
        ("anthropic/claude-3-haiku", "Anthropic"),
        ("meta-llama/Llama-3.3-70B", "Meta"),
        ("mistral-large", "Mistral"),
        ("mixtral-8x7b", "Mistral"),
        ("Qwen3-32B", "Alibaba"),
        ("deepseek-v3", "DeepSeek"),
        ("grok-4", "xAI"),
        ("command-r-plus", "Cohere"),
        ("aya-expanse", "Cohere"),
        ("phi-4", "Microsoft"),
    ],
)
def test_a_known_name_has_its_family(model: str, expected: str) -> None:
    assert family(model) == expected


@pytest.mark.parametrize(
    "model",
    [
        "",
        "local-model",
        "smollm2",
        "unknown",
        "model-o1x",
        "himalaya-7b",
        "graphics-phi",
        "a clinician",
        "delphi-2",
    ],
)
def test_a_name_that_tells_nothing_has_none(model: str) -> None:
    assert family(model) is None
