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
    """A text; None counts as an empty one. Raises BadInput for anything else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadInput(argument, f"expected a text, found {type(value).__name__}")
    return value


def texts(argument: str, value: object) -> list[str]:
    """A list of texts, None in it as an empty one. Raises BadInput that names the entry."""
    return [text(f"{argument}[{index}]", item) for index, item in enumerate(listed(argument, value, "texts"))]


def listed(argument: str, value: object, of: str) -> Sequence[object]:
    """A list or tuple of anything; a text is none, although it has letters. Raises BadInput."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise BadInput(argument, f"expected a list of {of}, found {type(value).__name__}")
    return value


def values(argument: str, value: object) -> list[float | None]:
    """A list of finite numbers, None in it as a gap. Raises BadInput that names the entry."""
    found = enumerate(listed(argument, value, "numbers"))
    return [None if item is None else number(f"{argument}[{index}]", item) for index, item in found]


def number(argument: str, value: object) -> float:
    """A finite number. A truth value is none: as 0 or 1 it would pass for a measurement."""
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
    """A set or a list of ids, each a text. Raises BadInput that names the argument."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Collection):
        raise BadInput(argument, f"expected a set of ids, found {type(value).__name__}")
    for item in value:
        if not isinstance(item, str):
            raise BadInput(argument, f"expected ids as texts, found {type(item).__name__}")
    return list(value)


def name_sets(argument: str, value: object) -> list[frozenset[str]]:
    """A list of sets of ids. Raises BadInput that names the entry."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise BadInput(argument, f"expected a list of sets of ids, found {type(value).__name__}")
    return [frozenset(names(f"{argument}[{number}]", item)) for number, item in enumerate(value)]


def count(argument: str, value: object) -> int:
    """A whole number from 0. Raises BadInput for a truth value, a fraction, or a number below 0."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise BadInput(argument, f"expected a whole number, found {type(value).__name__}")
    if value < 0:
        raise BadInput(argument, f"expected a count from 0, found {value}")
    return int(value)


def inside(argument: str, value: object, low: float, high: float) -> float:
    """A number strictly between two others. Raises BadInput."""
    found = number(argument, value)
    if not low < found < high:
        raise BadInput(argument, f"expected a number between {low:g} and {high:g}, found {found:g}")
    return found
