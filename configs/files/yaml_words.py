"""Explain what is wrong with a YAML file to a person who edits it and is not a programmer."""

from __future__ import annotations

import re
from typing import Any

from configs.files import limited_yaml
from words.plurals import inflect

QUOTES = "put it in quotes"
LONGEST = 200  # characters of a value that are shown
# Message of the YAML reader, in terms of its grammar -> what to do.
_UNREADABLE = (
    (r"character '\\t'", "the line is indented with a tab; use blanks"),
    (r"character '(.+?)' that cannot start", rf"a text can't begin with \1; {QUOTES}"),
    (r"repeats itself", "what follows * contains this line itself, so it never ends; write it out"),
    (r"nested too deeply", f"fields are nested more than {limited_yaml.DEPTH} levels deep; flatten them"),
    (
        r"too many values",
        f"the file holds more than {limited_yaml.NODES:,} values, counting what * repeats each time; shorten "
        "it",
    ),
    (
        r"too many characters",
        f"the file holds more than {limited_yaml.CHARACTERS:,} characters, counting what * repeats each "
        "time; shorten it",
    ),
    (r"complex key", "the name of a field must be a text, not a list or fields; remove the ?"),
    (r"merge", "<< must be followed by fields, or a list of fields"),
    (r"too large a number", f"the number is too large; if it is a name, {QUOTES}"),
    (
        r"too many digits",
        f"a number has at most {limited_yaml.DIGITS} digits, with a point at most {limited_yaml.FRACTION} "
        "characters; "
        f"if it is a name, {QUOTES}",
    ),
    (r"file too large", f"the file is larger than {limited_yaml.BYTES // 1_000_000} MB; shorten it"),
    (
        r"second occurrence|alias|anchor",
        f"a text that begins with & or * means something else in YAML; {QUOTES}",
    ),
    (r"tag", f"a text that begins with ! means something else in YAML; {QUOTES}"),
    (
        r"mapping values are not allowed",
        "there is a colon too many, or the line is indented too far; put a text with a colon in quotes",
    ),
    (
        r"<block end>|could not find expected ':'",
        "the line is not indented like its neighbours, or a colon is missing after the name of a field",
    ),
    (r"end of stream|<stream end>|expected ','", "a quote or a bracket above is never closed"),
    (r"another document", "there is a --- in the middle of the file; remove it"),
    (r"unacceptable character", "it holds a character that is not text; delete it"),
)
_PATTERNS = {
    r"^\d{4}-\d{2}-\d{2}$": 'a date in quotes, such as "2026-11-01"',
    r"^[A-Z]{3}$": "three capital letters, such as USD",
    r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$": "a name of letters, digits, dots, hyphens and underscores, "
    "without blanks, 64 at most",
    r"^[a-z0-9]$": "one small letter or one digit",
    r"^[0-9a-f]{64}$": "64 digits and letters from a to f",
    r"\S": "a text that is not empty",
}
_KINDS = {
    "list": "a list, such as [first, second]",
    "tuple": "a list, such as [first, second]",
    "set": "a list, such as [first, second]",
    "dict": "fields with values, indented, one per line",
    "model": "fields with values, indented, one per line",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
}
_LIMITS = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "{} or less"),
    "less_than": ("lt", "less than {}"),
}


def unreadable(problem: str) -> str:
    """Return why a file is not valid YAML, and what to do, such as "the line is indented with a tab; use
    blanks".

    `problem` is the parser's message. For an unknown one "the line is not valid YAML; compare it with the
    original file".
    """
    for pattern, said in _UNREADABLE:
        match = re.search(pattern, problem)
        if match:
            return match.expand(said)
    return "the line is not valid YAML; compare it with the original file"


def describe_value(value: object) -> str:
    """Return in words what a value in a file is, such as "nothing", "a list" or the text in quotation
    marks.
    """
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "fields"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "yes or true" if value else "no, off or false"
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST else f"{value[:LONGEST]}…")
    return str(value)


def expected(error: Any) -> str:
    """Return in words what one error of pydantic means, without capital and full stop.

    For example "this field is missing and must be given" or "expected at least 1 entry, found 0";
    pydantic's own message for a type without words here.
    """
    kind, context = error["type"], error.get("ctx", {})
    if kind == "missing":
        return "this field is missing and must be given"
    if kind == "extra_forbidden":
        return "there is no such field; check its spelling"
    instead = error.get("input")
    if kind == "value_error":
        message = str(error["msg"]).removeprefix("Value error, ")
        return (
            message
            if isinstance(instead, dict | list) or instead is None
            else f"{message}, found {describe_value(instead)}"
        )
    if kind in ("too_short", "too_long"):
        least = kind == "too_short"
        limit = context["min_length" if least else "max_length"]
        return (
            f"expected at {'least' if least else 'most'} {limit:,} {inflect(limit, 'entry', 'entries')}, "
            f"found {context['actual_length']:,}"
        )
    wanted = _wanted(kind, context)
    if wanted is None:
        return str(error["msg"])
    quoted = (
        f"; {QUOTES}"
        if kind == "string_type" and not isinstance(instead, dict | list) and instead is not None
        else ""
    )
    return f"expected {wanted}, found {describe_value(instead)}{quoted}"


def _wanted(kind: str, context: dict[str, Any]) -> str | None:
    if kind in _LIMITS:
        name, pattern = _LIMITS[kind]
        return pattern.format(f"{context[name]:g}")
    if kind == "literal_error":
        return str(context["expected"])
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind in ("string_type", "string_too_short"):
        return "a text that is not empty" if kind == "string_too_short" else "a text"
    return _KINDS.get(kind.partition("_")[0])
