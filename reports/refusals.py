"""The sentence for each reason for which something is refused or told, from reports/refusals.toml: pages and
the command line take it from nowhere else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from pydantic import ValidationError

from data.access.permissions import Decision
from data.store.errors import Notice, StoreError
from words.plurals import inflect


class _SentenceFormatter(Formatter):
    """Also fills in `{count:is|are}`, the first word for 1 and the second for other numbers, and
    `{fields:plan_field_}`, the sentence of each field of a form whose reason begins so.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return inflect(value, *format_spec.split("|"))
        if format_spec.endswith("_"):
            sentences = read_sentences()
            other = sentences[f"{format_spec}other"]
            return " ".join(dict.fromkeys(sentences.get(f"{format_spec}{name}", other) for name in value))
        return str(super().format_field(value, format_spec))


@cache
def read_sentences() -> Mapping[str, str]:
    """Return reason -> the sentence that a person reads, with placeholders."""
    rooms = tomllib.loads((files("reports") / "refusals.toml").read_text(encoding="utf-8"))
    return {reason: sentence for room in rooms.values() for reason, sentence in room.items()}


def word_error(error: BaseException) -> str:
    """Return the sentence that tells a person what went wrong and what to do.

    For a StoreError with a known reason it is the sentence of refusals.toml, for a ValidationError one on
    an unreadable entry, for any other error its own text.
    """
    if isinstance(error, ValidationError):  # of an entry that a browser sent
        return _word_unreadable_entry(error)
    if isinstance(error, StoreError) and error.reason in read_sentences():
        return word_reason(error.reason, **error.facts)
    return str(error)


def word_reason(reason: str, **facts: object) -> str:
    """Return the sentence of a reason in refusals.toml with its placeholders filled, for a page that shows
    it before anybody is refused.

    Raise KeyError for an unknown reason or a missing fact.
    """
    return _SentenceFormatter().vformat(read_sentences()[reason], (), facts)


def word_notice(notice: Notice) -> str:
    """Return the sentence of a notice."""
    return word_reason(notice.reason, **notice.facts)


def word_decision(decision: Decision) -> str:
    """Return why something is not permitted, for a decision of data/access/permissions.py that says no."""
    assert decision.reason is not None
    return word_reason(decision.reason, left=decision.left)


def _word_unreadable_entry(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    if problem["type"] == "string_too_long":
        return f"What you wrote is longer than {problem['ctx']['max_length']:,} characters and was not saved."
    if problem["type"] == "string_unicode":
        return "What you wrote contains a character that can't be saved. Remove it and save again."
    return "An entry could not be read and was not saved. Reload the page and enter it again."
