"""What a check of the store brought to light."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from data.store.trail import START

MOST_KEPT = 1000  # a store that was altered from end to end has millions of problems, and nobody reads them


@dataclass
class StoreCheck:
    """`head` is the last entry's number and hash: keep it elsewhere, and a later check proves nothing was
    rewritten.

    `problems`: what is not as it was recorded, a sentence each, the first 1,000; `more_problems` counts the
    rest. `remarks`: what a study lead should know and what does not mean that anything was altered.
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
        for sentence in sentences:
            if len(self.problems) < MOST_KEPT:
                self.problems.append(sentence)
            else:
                self.more_problems += 1
