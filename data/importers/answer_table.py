"""A compact table of answers by unit and question: comparing a million labels as objects would take more
memory than the file.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import Generic, TypeVar

UNITS = 64  # units whose answers to one question are stored together
NUMBERS = 2  # stored per answer: its number, from 1, and its line
Answer = TypeVar("Answer", bound=Hashable)


class AnswerTable(Generic[Answer]):
    """Answers by unit and question, each with its line in the file (0 if it has none).

    An answer takes 16 bytes where neighbouring units have one, about a kilobyte where a unit has no
    neighbours.
    """

    def __init__(self) -> None:
        self._pages: dict[tuple[Hashable, int], array[int]] = {}
        self._numbers: dict[Answer, int] = {}
        self._answers: list[Answer] = []

    def put(self, unit_id: int, question: Hashable, answer: Answer, line: int = 0) -> None:
        """Store the answer to a question about a unit, in place of an earlier one."""
        number = self._numbers.get(answer)
        if number is None:
            self._answers.append(answer)
            number = self._numbers[answer] = len(self._answers)
        block, place = divmod(unit_id, UNITS)
        page = self._pages.get((question, block))
        if page is None:
            page = self._pages[question, block] = array("q", bytes(8 * NUMBERS * UNITS))
        page[NUMBERS * place], page[NUMBERS * place + 1] = number, line

    def get(self, unit_id: int, question: Hashable) -> tuple[Answer, int] | None:
        """Return (answer, line), or None if there is no answer."""
        block, place = divmod(unit_id, UNITS)
        page = self._pages.get((question, block))
        if page is None or not page[NUMBERS * place]:
            return None
        return self._answers[page[NUMBERS * place] - 1], page[NUMBERS * place + 1]
