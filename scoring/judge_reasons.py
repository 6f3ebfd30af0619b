"""What a judge gave reasons for: label by label where words matter, and as numbers where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from scoring.arrays import IntArray, choose_rows


class ClinicianReading(NamedTuple):
    """What one clinician said of the same unit and criterion: a blind label, the turns (from 1) marked as
    evidence, and what they called the judge's reasons once they saw them (None: nothing)."""

    label: str
    marked: frozenset[int]
    called: str | None


@dataclass(frozen=True)
class ReasoningComment:
    """What one rater wrote of a judge's reasoning on one criterion of a unit. `called`: how far they say that
    it holds, None where they do not say. `text` None: the words were erased."""

    rater: int
    unit: int
    position: int
    criterion: str
    called: str | None
    text: str | None


class ReasonedLabel(NamedTuple):
    """One label of a judge. `quotes` and `lost`: how many quotations its reasons hold, and those that the
    transcript does not.

    `erased`: the words of the transcript or of the reasons are gone. `silent`: there never were reasons.
    `cited`: turns from 1. `comments`: of anybody who was shown the reasons.
    """

    conversation: int
    unit: int
    position: int
    criterion: str
    label: str
    quotes: int
    lost: tuple[str, ...]
    cited: frozenset[int]
    clinicians: tuple[ClinicianReading, ...] = ()
    erased: bool = False
    silent: bool = False
    comments: tuple[ReasoningComment, ...] = ()


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Labels that are only counted, because all their quotations occur and no clinician
    marked turns or wrote of their reasons; a row a conversation and criterion. (N,) each. `criterion`: its
    place in those of JudgeReasons. `labels`, `erased`, `silent`, `quoting`, `quotes`: as in ReasoningAudit.
    `confirmed`: as in RightLabels. `cited`: how many cite turns.
    """

    conversation: IntArray
    criterion: IntArray
    labels: IntArray
    erased: IntArray
    silent: IntArray
    quoting: IntArray
    quotes: IntArray
    confirmed: IntArray
    cited: IntArray

    def of_conversations(self, has: Callable[[int], bool]) -> LabelCounts:
        """Return the rows of the conversations for which `has` is true."""
        return choose_rows(self, np.array([has(number) for number in self.conversation.tolist()], dtype=bool))


@dataclass(frozen=True, eq=False)
class JudgeReasons:
    """What a judge gave reasons for. `labels`: one by one, where more than their number is needed; `counts`:
    of all others. `conversations`: those of the study in its order; `criteria`: in the order of the report.
    """

    labels: Iterable[ReasonedLabel]
    counts: LabelCounts
    conversations: Sequence[int]
    criteria: Sequence[str]

    def of_conversations(self, has: Callable[[int], bool]) -> JudgeReasons:
        """Return the labels and counts of the conversations for which `has` is true; both lists of names
        stay.
        """
        return replace(
            self,
            labels=(label for label in self.labels if has(label.conversation)),
            counts=self.counts.of_conversations(has),
        )
