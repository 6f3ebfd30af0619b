"""What the facts of a conversation say by their names, in capitals or not: whose it is, when it was held,
under which condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PERSON = ("person", "persona")
# When it was held; the first that gives a day to most conversations counts
HELD = (
    "date",
    "held",
    "held_at",
    "held_on",
    "session_date",
    "started_at",
    "start",
    "created_at",
    "timestamp",
)
CONDITION = ("condition",)
# What replies of several models answer alike
CASE = (
    "case",
    "case_id",
    "prompt",
    "prompt_id",
    "scenario",
    "vignette",
    "task",
    "question",
    *PERSON,
    *CONDITION,
)
_MEANINGS = ((PERSON, "whose conversation it is"), (HELD, "when it was held"), (CONDITION, "the condition"))


def plain_name(name: str) -> str:
    """Return a fact's name in lower case with underscores: "Session date" becomes "session_date"."""
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").split())


def find_fact(facts: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the value of the first of `names` that the facts have, ignoring "", 0, False and None; else
    None.

    Names in the facts are compared after `plain_name`.
    """
    by_name = {plain_name(str(name)): value for name, value in reversed([*facts.items()]) if value}
    return next((by_name[name] for name in names if by_name.get(name)), None)


def fact_meaning(name: str) -> str:
    """Return what a fact of this name is used for.

    "whose conversation it is", "when it was held", "the condition", or "a fact to divide by" for any other
    name.
    """
    plain = plain_name(name)
    return next((words for names, words in _MEANINGS if plain in names), "a fact to divide by")
