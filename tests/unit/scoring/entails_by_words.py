"""A model for the tests that decides by words: all of the hypothesis' words in the premise entail it, "not"
denies it.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.entailment import Verdict


class ByWords:
    label = "by words"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.calls = 0

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        self.calls += 1
        self.asked += pairs
        return [
            self._verdict(set(premise.lower().split()), set(hypothesis.lower().split()))
            for premise, hypothesis in pairs
        ]

    @staticmethod
    def _verdict(premise: set[str], hypothesis: set[str]) -> Verdict:
        if "not" in hypothesis:
            return "contradiction"
        return "entailment" if hypothesis <= premise else "neutral"
