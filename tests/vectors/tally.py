"""What one vector file gave: cases, compared values, failures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.vectors.tracked import plain

MOST_FAILURES = 40  # in one message


@dataclass
class Tally:
    """`number` and `same` compare one value each and remember where it failed."""

    name: str
    tolerance: float = 1e-9
    cases: int = 0
    compared: int = 0
    failures: list[str] = field(default_factory=list)

    def number(self, where: str, found: float | None, expected: float | None) -> None:
        """Numbers within the tolerance of the file; None only meets None."""
        both = (
            found is not None
            and expected is not None
            and math.isfinite(found)
            and abs(found - expected) <= self.tolerance
        )
        self._note(where, both or (found is None and expected is None), found, expected)

    def numbers(self, where: str, found: Sequence[float | None], expected: Sequence[float | None]) -> None:
        """A curve: the same length, and each entry by itself."""
        self.same(f"{where}, length", len(found), len(expected))
        for index, (one, other) in enumerate(zip(found, expected, strict=False)):
            self.number(f"{where}[{index}]", one, other)

    def same(self, where: str, found: Any, expected: Any) -> None:
        expected = plain(expected)
        self._note(where, type(found) is type(expected) and found == expected, found, expected)

    def published(self, where: str, found: float | None, figure: float) -> None:
        """A figure as a publication prints it, rounded to its last digit."""
        digits = len(repr(figure).partition(".")[2])
        self._note(where, found is not None and abs(found - figure) <= 0.5001 * 10**-digits, found, figure)

    def fail(self, failure: str) -> None:
        """What is wrong with a case or a file as a whole."""
        self.failures.append(failure)

    def _note(self, where: str, alike: bool, found: object, expected: object) -> None:
        self.compared += 1
        if not alike:
            self.failures.append(f"{where}: {found!r}, expected {expected!r}")

    def line(self) -> str:
        return (
            f"{self.name}: {self.cases} cases, {self.compared} compared values, {len(self.failures)} failures"
        )

    def report(self) -> str:
        more = len(self.failures) - MOST_FAILURES
        return "\n".join(
            [self.line(), *self.failures[:MOST_FAILURES], *([f"and {more} more"] if more > 0 else [])]
        )
