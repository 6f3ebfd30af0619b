"""JSON in which every key of an object stands once: of two, Python's reader would silently take the
second.
"""

from __future__ import annotations

import json
import re
from typing import Any

DEPTH = 60
_TOO_DEEP = f"lists and objects are nested more than {DEPTH} levels deep"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]', re.DOTALL)


class KeyTwice(ValueError):
    """An object has a key two times. The message is a sentence without a full stop."""

    def __init__(self, key: str) -> None:
        shown = key if len(key) <= 80 else f"{key[:80]}…"
        super().__init__(
            f"the field {shown!r} stands twice in the same object, and the second would silently win"
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
    """The value of a JSON text. Raises KeyTwice, JSONDecodeError, ValueError for a number of too many digits,
    RecursionError.
    """
    return json.loads(text, object_pairs_hook=_object)


def read_typed_json(text: str) -> Any:
    """The value of a JSON text that a person typed. Raises ValueError, whose message is a sentence without a
    full stop; also for what JSON has no word for (NaN, 1e999), for half a character, and for lists and
    objects that stand in each other more than DEPTH deep.
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
    """The line, from 1, of the first key that its object has already; 1 where there is none. `text` is valid
    JSON as far as that.
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
