"""JSON that a person typed: what no store or browser could hold ends as a sentence."""

from __future__ import annotations

import pytest

from configs.files.json_keys import DEPTH, read_typed_json

REFUSED = {
    "no JSON": ("warm", "it is not valid JSON"),
    "nothing": ("", "it is not valid JSON"),
    "nested beyond Python": ("[" * 2_000 + "]" * 2_000, "more than 60 levels deep"),
    "nested far beyond Python": ("[" * 100_000 + "]" * 100_000, "more than 60 levels deep"),
    "nested in objects": ('{"a":' * 100 + "1" + "}" * 100, "more than 60 levels deep"),
    "no number": ('{"a": NaN}', "it is not valid JSON"),
    "beyond all numbers": ('{"a": 1e999}', "it is not valid JSON"),
    "too many digits": (f'{{"a": {"9" * 5_000}}}', "it is not valid JSON"),
    "half a character": (r'{"a": "\ud800"}', "it is not valid JSON"),
    "one key twice": ('{"a": 1, "a": 2}', "the field 'a' occurs twice"),
}


@pytest.mark.parametrize(("text", "says"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_kept_is_a_sentence(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_typed_json(text)


def test_what_can_be_kept_is_read() -> None:
    deep = "[" * DEPTH + "]" * DEPTH
    assert read_typed_json(f'{{"temperature": 0, "stop": ["\\ud83d\\ude42"], "deep": {deep[1:-1]}}}') == {
        "temperature": 0,
        "stop": ["\U0001f642"],
        "deep": read_typed_json(deep[1:-1]),
    }
