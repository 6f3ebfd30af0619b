"""The hash by which a request is known again, and what of a server's words may stand beside it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import request_key, schema_hash
from scoring.judges.server_words import code, name, words

ENTRY = {"provider": "gemini", "model": "gemini-3.8-flash", "key": "GEMINI_API_KEY"}


def key(system: str = "s", user: str = "u", schema: str = "h", replicate: int = 0, **fields: Any) -> str:
    return request_key(JudgeEntry.model_validate({**ENTRY, **fields}), system, user, schema, replicate)


@pytest.mark.parametrize(
    "change",
    [
        {"system": "t"},
        {"user": "t"},
        {"schema": "t"},
        {"replicate": 1},
        {"model": "m"},
        {"temperature": 0},
        {"seed": 1},
        {"thinking_budget": 0},
        {"thinking_level": "LOW"},
        {"max_output_tokens": 99},
        {"safety": {"HARM_CATEGORY_HARASSMENT": "OFF"}},
    ],
    ids=str,
)
def test_whatever_may_change_the_answer_changes_the_key(change: dict[str, Any]) -> None:
    assert key(**change) != key()


@pytest.mark.parametrize(
    "change",
    [
        {"rpm": 5},
        {"tpm": 5},
        {"in_flight": 1},
        {"timeout_seconds": 5},
        {"data_classes": ["phi"]},
        {"served_as": ["m"]},
        {"price": {"date": "2026-11-01", "currency": "USD", "input": "1", "output": "1"}},
    ],
    ids=str,
)
def test_how_and_at_what_price_it_is_asked_does_not(change: dict[str, Any]) -> None:
    assert key(**change) == key()


def test_the_order_of_settings_makes_no_difference() -> None:
    settings = {"HARM_CATEGORY_HARASSMENT": "OFF", "HARM_CATEGORY_HATE_SPEECH": "OFF"}
    assert key(safety=settings) == key(safety=dict(reversed(settings.items())))
    assert schema_hash({"a": 1, "b": 2}) == schema_hash({"b": 2, "a": 1})
    assert schema_hash(None) != schema_hash({})


@pytest.mark.parametrize(
    "value", ["RESOURCE_EXHAUSTED", "rate_limit_exceeded", "r-1", "chatcmpl-9:a/b@c", 404]
)
def test_a_code_is_kept(value: object) -> None:
    assert code(value) == str(value)


@pytest.mark.parametrize("value", [None, "", "she said that", "a\nb", "x" * 65, {"a": 1}, "schön war es"])
def test_what_may_be_words_is_no_code(value: object) -> None:
    assert code(value) == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("gemini-3.8-flash", "gemini-3.8-flash"),
        ("org/model:8b@q4+lora_1", "org/model:8b@q4+lora_1"),
        ("/models/My Model.gguf", "/models/My?Model.gguf"),
        (" a\nb ", "a?b"),
        ("m'; rm -rf ~; '", "m???rm?-rf?????"),
        ("<b>m</b>", "?b?m?/b?"),
        ("g\u0435mini", "g?mini"),
        ("a\u202eb", "a?b"),
        ("\ud800", "?"),
        ("", None),
        (" ", None),
        (None, None),
        (7, None),
        ("x" * 300, "x" * 120),
    ],
)
def test_of_the_name_of_a_model_only_what_names_are_made_of_stays(
    value: object, expected: str | None
) -> None:
    assert name(value) == expected


@given(st.text() | st.characters(categories=["Cs"]))
def test_whatever_a_server_says_can_be_kept(value: str) -> None:
    (words(value) or "").encode()
