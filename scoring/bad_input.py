"""Arguments of a wrong kind, refused by name."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from numbers import Integral, Real


class BadInput(ValueError):
    """`argument` is the name of the argument, `problem` what is wrong with it, `message` both in one
    sentence.
    """

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f"{argument}: {problem}")
        self.argument = argument
        self.problem = problem

    @property
    def message(self) -> str:
        return str(self)


def text(argument: str, value: object) -> str:
    """Return `value`, a text; "" for None. Raise BadInput, naming `argument`, for anything else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadInput(argument, f"expected a text, found {type(value).__name__}")
    return value


def texts(argument: str, value: object) -> list[str]:
    """Return a list or tuple of texts as a list, with "" for None in it. Raise BadInput that names the
    entry.
    """
    return [text(f"{argument}[{index}]", item) for index, item in enumerate(listed(argument, value, "texts"))]


def listed(argument: str, value: object, of: str) -> Sequence[object]:
    """Return `value`, a list or tuple. Raise BadInput for anything else, also for a text.

    `of` names the expected entries in the message.
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise BadInput(argument, f"expected a list of {of}, found {type(value).__name__}")
    return value


def values(argument: str, value: object) -> list[float | None]:
    """Return a list or tuple of finite numbers as floats, None in it as None. Raise BadInput that names the
    entry.
    """
    found = enumerate(listed(argument, value, "numbers"))
    return [None if item is None else number(f"{argument}[{index}]", item) for index, item in found]


def number(argument: str, value: object) -> float:
    """Return a finite number as a float. Raise BadInput for anything else, also for a Boolean or infinity."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(argument, f"expected a number, found {type(value).__name__}")
    try:
        parsed = float(value)
    except OverflowError:
        parsed = math.inf
    if not math.isfinite(parsed):
        raise BadInput(argument, "expected a finite number")
    return parsed


def names(argument: str, value: object) -> list[str]:
    """Return a set, list or tuple of ids as a list. Raise BadInput if it is a text, or an entry is not a
    text.
    """
    if isinstance(value, (str, bytes)) or not isinstance(value, Collection):
        raise BadInput(argument, f"expected a set of ids, found {type(value).__name__}")
    for item in value:
        if not isinstance(item, str):
            raise BadInput(argument, f"expected ids as texts, found {type(item).__name__}")
    return list(value)


def name_sets(argument: str, value: object) -> list[frozenset[str]]:
    """Return a list or tuple of sets (or lists) of ids as frozensets. Raise BadInput that names the entry."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise BadInput(argument, f"expected a list of sets of ids, found {type(value).__name__}")
    return [frozenset(names(f"{argument}[{number}]", item)) for number, item in enumerate(value)]


def count(argument: str, value: object) -> int:
    """Return a whole number from 0. Raise BadInput for a Boolean, a fraction, or a number below 0."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise BadInput(argument, f"expected a whole number, found {type(value).__name__}")
    if value < 0:
        raise BadInput(argument, f"expected a count from 0, found {value}")
    return int(value)


def inside(argument: str, value: object, low: float, high: float) -> float:
    """Return a number strictly between `low` and `high`, as a float. Raise BadInput for anything else."""
    found = number(argument, value)
    if not low < found < high:
        raise BadInput(argument, f"expected a number between {low:g} and {high:g}, found {found:g}")
    return found
