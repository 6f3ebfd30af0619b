"""What raters are called in a report: Rater A, Rater B, ..., or their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def pseudonym_of(people: Mapping[int, str], arrived: Sequence[int], pseudonyms: bool) -> dict[int, str]:
    """Rater A, B, ... in the order in which they first rated, whatever the report is narrowed down to; or
    their names.
    """
    return {
        rater: f"Rater {letters(number)}" if pseudonyms else people.get(rater, "?")
        for number, rater in enumerate(arrived)
    }


def letters(number: int) -> str:
    """A, B, ... Z, AA, AB, ..."""
    name = ""
    while True:
        name = chr(65 + number % 26) + name
        number = number // 26 - 1
        if number < 0:
            return name
