"""Read JSON in which every key of an object occurs once; Python's reader would silently take the second of
two.
"""

from __future__ import annotations

import json
import re
from typing import Any

DEPTH = 60
_TOO_DEEP = f"lists and objects are nested more than {DEPTH} levels deep"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]', re.DOTALL)


class KeyTwice(ValueError):
    """A key occurs twice in an object. The message is a sentence without a full stop."""

    def __init__(self, key: str) -> None:
        shown = key if len(key) <= 80 else f"{key[:80]}…"
        super().__init__(
            f"the field {shown!r} occurs twice in the same object; only the second would be read"
        )
        self.key = key


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise KeyTwice(key)
            keys.add(key)
    return value


DECODER = json.JSONDecoder(object_pairs_hook=_object)


def read_json(text: str) -> Any:
    """Return the value of a JSON text. Raises KeyTwice, JSONDecodeError, ValueError for too many digits,
    RecursionError.
    """
    return json.loads(text, object_pairs_hook=_object)


def read_typed_json(text: str) -> Any:
    """Return the value of a JSON text that a person typed.

    Raises:
        ValueError: with a sentence without a full stop; also for NaN, 1e999, half a character, and nesting
            deeper than DEPTH (60).
    """
    try:
        value = read_json(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except KeyTwice:
        raise
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError:
        raise ValueError("it is not valid JSON") from None
    _check_depth(value, DEPTH)
    return value


def _check_depth(value: Any, left: int) -> None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    if inner is None:
        return
    if not left:
        raise ValueError(_TOO_DEEP)
    for part in inner:
        _check_depth(part, left - 1)


def line_of_second_key(text: str) -> int:
    """Return the line, from 1, of the first key that its object already has; 1 if there is none. `text` is
    valid JSON up to there.
    """
    seen: list[set[str] | None] = []
    string = ""
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark[0] == '"':
            string = mark
        elif mark in "{[":
            seen.append(set() if mark == "{" else None)
        elif mark in "}]":
            seen.pop()
        elif mark == ":" and (keys := seen[-1]) is not None:
            key = json.loads(string, strict=False)
            if key in keys:
                return text.count("\n", 0, token.start()) + 1
            keys.add(key)
    return 1
