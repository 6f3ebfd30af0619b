"""One number of each of very many conversations, or units: as two columns, which take a tenth of the memory
of a dictionary and are compared at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np

from scoring.arrays import Array, IntArray


class SubjectNumbers:
    """`subject`: (N,) their ids in ascending order; `value`: (N,) the number of each."""

    def __init__(self, subject: IntArray, value: Array) -> None:
        """`subject`: each once, in any order."""
        order = np.argsort(subject, kind="stable")
        self.subject: IntArray = subject[order]
        self.value: Array = value[order]

    @classmethod
    def of(cls, numbers: Mapping[int, float]) -> SubjectNumbers:
        """Return the numbers of a mapping subject -> number, in ascending order of the subjects."""
        return cls(
            np.fromiter(numbers.keys(), dtype=np.int64, count=len(numbers)),
            np.fromiter(numbers.values(), dtype=np.float64, count=len(numbers)),
        )

    def __len__(self) -> int:
        return len(self.subject)

    def get(self, subject: int) -> float | None:
        """Return the number of a subject, or None."""
        at = bisect_left(self.subject, subject)  # numpy would look at more than the one
        return float(self.value[at]) if at < len(self.subject) and self.subject[at] == subject else None

    def beside(self, other: SubjectNumbers) -> tuple[IntArray, Array, Array]:
        """Return the M subjects that have a number in both, ascending, and both numbers, (M,) each."""
        both, here, there = np.intersect1d(
            self.subject, other.subject, assume_unique=True, return_indices=True
        )
        return both, self.value[here], other.value[there]
