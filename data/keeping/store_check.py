"""The result of a check of the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from data.store.trail import START

MOST_KEPT = 1000  # a store altered throughout has millions of problems


@dataclass
class StoreCheck:
    """`head`: the hash of the last entry; keep it elsewhere, and a later check proves that nothing was
    rewritten.

    `problems`: what differs from the record, one sentence each, the first 1,000; `more_problems` counts the
    rest. `remarks`: what a study lead should know, but which doesn't mean that anything was altered.
    """

    entries: int = 0
    rows: int = 0
    erased: int = 0
    head: str = START
    problems: list[str] = field(default_factory=list)
    more_problems: int = 0
    remarks: list[str] = field(default_factory=list)

    @property
    def problem_count(self) -> int:
        return len(self.problems) + self.more_problems

    def add_problems(self, sentences: Iterable[str]) -> None:
        """Add sentences to `problems` up to MOST_KEPT (1,000); the rest are only counted in
        `more_problems`.
        """
        for sentence in sentences:
            if len(self.problems) < MOST_KEPT:
                self.problems.append(sentence)
            else:
                self.more_problems += 1
