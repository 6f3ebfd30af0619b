"""Singular or plural after a number, and lists of words."""

from __future__ import annotations

from collections.abc import Sequence


def inflect(number: float, singular: str, plural: str) -> str:
    """Return the form for a number: singular for 1, plural for 0, 2 and 1.5."""
    return singular if number == 1 else plural


def count(number: int, singular: str, plural: str) -> str:
    """Return the number with its noun: "1 unit", "1,200 units"."""
    return f"{number:,} {inflect(number, singular, plural)}"


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Return the words as a list in a sentence: "a", "a and b", "a, b and c"; "" for none."""
    *before, last = words or ("",)
    return f"{', '.join(before)} {conjunction} {last}" if before else last
