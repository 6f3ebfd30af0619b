"""JMESPath with the few steps that it lacks: parents, keys of an object, texts that hold JSON, dotted keys.

Functions refuse a value of another form with `JMESPathError` instead of returning nothing, so that a label in
an unexpected place is an error and never left out unseen.
"""

from __future__ import annotations

import ast
import io
import json
import tokenize
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jmespath
from jmespath import functions
from jmespath.exceptions import JMESPathError

from configs.files.json_keys import KeyTwice, read_json
from configs.import_words import import_words
from data.importers.columns import plain_name
from data.importers.messages import KINDS, TEXT_TYPES

DEPTH = 40  # of dotted keys


class Unreadable(JMESPathError):  # type: ignore[misc]
    """A value has another form than the function takes."""


class Functions(functions.Functions):  # type: ignore[misc]
    """Our functions. Each returns a new value and leaves its arguments as they are."""

    @functions.signature({"types": ["array", "null"]}, {"types": []})  # type: ignore[untyped-decorator]
    def _func_within(self, items: list[Any] | None, parent: Any) -> list[dict[str, Any]]:
        """Return the objects of a list, each with `parent`."""
        return [{**_object(item), "parent": parent} for item in items or ()]

    @functions.signature({"types": ["object", "null"]})  # type: ignore[untyped-decorator]
    def _func_pairs(self, fields: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Return an object's fields as `key` and `value`."""
        return [{"key": key, "value": value} for key, value in (fields or {}).items()]

    @functions.signature({"types": ["array", "null"]}, {"types": ["array", "null"]})  # type: ignore[untyped-decorator]
    def _func_zip(self, first: list[Any] | None, second: list[Any] | None) -> list[list[Any]]:
        """Return the pairs of two lists of the same length."""
        if len(first or ()) != len(second or ()):
            raise Unreadable("the lists differ in length")
        return [list(pair) for pair in zip(first or (), second or (), strict=True)]

    @functions.signature({"types": ["string", "null"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_split(self, text: str | None, separator: str) -> list[str]:
        """Return the parts of a text between separators; [] for null."""
        return [part.strip() for part in text.split(separator)] if text is not None else []

    @functions.signature({"types": []})  # type: ignore[untyped-decorator]
    def _func_parsed(self, value: Any) -> Any:
        """Return what a text holds as JSON or as Python prints it; null for "", another value unchanged."""
        return _parsed(value) if isinstance(value, str) else value

    @functions.signature({"types": []}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_talk(self, value: Any, role: str) -> list[Any]:
        """Return the messages of a request or reply in one of the usual forms; a plain text has the role."""
        return _talk(value, role)

    @functions.signature({"types": ["array", "string", "null"]})  # type: ignore[untyped-decorator]
    def _func_blocks(self, parts: list[Any] | str | None) -> Any:
        """Return the parts of a message, each with its `type`; a text or null unchanged."""
        return [_block(part) for part in parts] if isinstance(parts, list) else parts

    @functions.signature({"types": ["object", "array", "null"]})  # type: ignore[untyped-decorator]
    def _func_nested(self, value: Any) -> Any:
        """Return objects with keys such as "a.0.b" as objects in lists in objects."""
        return _nested(value)

    @functions.signature({"types": ["object"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_named(self, row: dict[str, Any], name: str) -> Any:
        """Return the cell of the column with one of the usual names of a field, such as rater."""
        column = _usual_column(row, name)
        return None if column is None else row[column]

    @functions.signature({"types": ["object"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_column(self, row: dict[str, Any], name: str) -> str | None:
        """Return the name of the column whose cell `named` returns; null if there is none."""
        return _usual_column(row, name)

    @functions.signature({"types": ["object"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_sections(self, row: dict[str, Any], ending: str) -> list[dict[str, Any]]:
        """Return a row's fields as `key`, `value` and `status`: the cell of the next column with this ending,
        or else of the last one; null without any.
        """
        ends = [(place, row[key]) for place, key in enumerate(row) if key.endswith(ending)]
        last = ends[-1][1] if ends else None
        return [
            {"key": key, "value": cell, "status": next((end for at, end in ends if at >= place), last)}
            for place, (key, cell) in enumerate(row.items())
        ]


OPTIONS = jmespath.Options(custom_functions=Functions())


@lru_cache(maxsize=4096)
def compiled(expression: str) -> Any:
    """Return the parsed expression. Raises JMESPathError."""
    return jmespath.compile(expression)


def evaluate(expression: str, value: Any) -> Any:
    """Return what the expression finds in a value; None for nothing. Raises JMESPathError."""
    try:
        return compiled(expression).search(value, options=OPTIONS)
    except (
        RecursionError,
        TypeError,
        ValueError,
        AttributeError,
        KeyError,
        IndexError,
        OverflowError,
    ) as error:
        if isinstance(error, JMESPathError):
            raise
        raise Unreadable(type(error).__name__) from None


def _usual_column(row: Mapping[str, Any], name: str) -> str | None:
    usual = {plain_name(word) for word in (*import_words().columns.get(name, ()), name)}
    return next((key for key in row if plain_name(key) in usual), None)


def _object(item: Any) -> Mapping[str, Any]:
    if not isinstance(item, dict):
        raise Unreadable("expected an object")
    return item


def _parsed(text: str) -> Any:
    if not text.strip():
        return None
    try:
        return read_json(text)
    except KeyTwice as error:
        raise Unreadable(str(error)) from None
    except (ValueError, RecursionError):
        pass  # perhaps as Python prints it
    try:
        return json.loads(json.dumps(ast.literal_eval(_with_commas(text.strip())), allow_nan=False))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, tokenize.TokenError):
        raise Unreadable("a text that should hold JSON is cut off or holds something else") from None


def _with_commas(text: str) -> str:
    """Return a list of objects as numpy prints it, with the commas that it leaves out."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    signs = [token for token in tokens if token.type not in (tokenize.NL, tokenize.NEWLINE)]
    written = [
        token.string + ("," if token.string == "}" and after.string == "{" else "")
        for token, after in zip(signs, [*signs[1:], signs[-1]], strict=True)
    ]
    return " ".join(written)


def _talk(value: Any, role: str) -> list[Any]:
    if isinstance(value, str):
        if value.lstrip().startswith(("[", "{")):
            try:
                return _talk(_parsed(value), role)
            except Unreadable:
                pass
        return [{"role": role, "content": value}] if value.strip() else []
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list) and value[0]:  # a batch of one
            return _talk(value[0], role)
        return [_object(item) for item in value]
    if isinstance(value, dict):
        if isinstance(value.get("messages"), list):
            return _talk(value["messages"], role)
        if isinstance(value.get("choices"), list):
            return [_object(_object(choice).get("message")) for choice in value["choices"][:1]]
        if "role" in value or isinstance(value.get("content"), str | list):
            return [{"role": role, **value}]
    if value is None:
        return []
    raise Unreadable("the messages have another form")


def _block(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    if part.get("thought") is True:
        return {"type": "thinking", "thinking": part.get("text")}
    written = part.get("type")
    if written in TEXT_TYPES and "text" not in part:
        return {**part, "text": part.get("content")}
    if written == "tool_call_response":
        return {**part, "type": "tool_result", "content": part.get("response", part.get("result"))}
    if written is not None or isinstance(part.get("text"), str):
        return part
    kind = next((key for key in part if key in KINDS), None)
    if kind is None:
        return {"type": next(iter(part), "part"), **part}
    inner = part[kind] if isinstance(part[kind], dict) else {"content": part[kind]}
    return {**inner, "type": kind}


def _nested(value: Any, depth: int = 0) -> Any:
    if depth > DEPTH:
        raise Unreadable("nested too deeply")
    if isinstance(value, list):
        return [_nested(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    tree: dict[str, Any] = {}
    for key, inner in value.items():
        place, names = tree, key.split(".")
        for name in names[:-1]:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise Unreadable(f"{key!r} is given twice")
        if names[-1] in place:
            raise Unreadable(f"{key!r} is given twice")
        place[names[-1]] = _nested(inner, depth + 1)
    return _numbered(tree, depth)


def _numbered(tree: dict[str, Any], depth: int) -> Any:
    """Return objects whose keys are 0, 1, 2 ... as lists, in the order of the numbers."""
    if depth > DEPTH:
        raise Unreadable("nested too deeply")
    inner = {
        key: _numbered(value, depth + 1) if isinstance(value, dict) else value for key, value in tree.items()
    }
    if not inner or not all(key.isascii() and key.isdigit() for key in inner):
        return inner
    if sorted(map(int, inner)) != list(range(len(inner))):
        raise Unreadable("a number is missing among the messages")
    return [inner[key] for key in sorted(inner, key=int)]
