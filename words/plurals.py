"""One of a thing or several: the form of the words that goes with a number, and several in a row."""

from __future__ import annotations

from collections.abc import Sequence


def inflect(number: float, singular: str, plural: str) -> str:
    """The words for so many: "unit" of 1, "units" of 0, 2 and 1.5."""
    return singular if number == 1 else plural


def count(number: int, singular: str, plural: str) -> str:
    """1 unit; 1,200 units."""
    return f"{number:,} {inflect(number, singular, plural)}"


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """a; a and b; a, b and c; nothing of nothing."""
    *before, last = words or ("",)
    return f"{', '.join(before)} {conjunction} {last}" if before else last
