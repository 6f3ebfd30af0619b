"""Each metric by itself: its numbers of conversations, or those that a judge's labels make of units, and how
they lie.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.record.metrics import MetricValue
from reports.document import Spread
from runs.scoring import shown_metrics
from scoring.subject_numbers import SubjectNumbers
from words.figures import decimal
from words.unit_nouns import CONVERSATION, UnitNoun

MAX_POINTS_DRAWN = 12  # values, up to which each is drawn
HALVES = 4  # values, from which a middle half is told
SLOPES = "_slope"  # how numbers end that tell a slope over the turns


@dataclass(frozen=True)
class MetricNumbers:
    """`of`: how many conversations or units there are, be they computed or not; None where that is not to be
    told. `judge`: of whose labels it is made, None where it is made of no labels. `unread`: so many judged
    conversations were not read. `noun`: of what it is computed for. `withheld`: so many conversations
    are left out, because they may not be shown yet.
    """

    key: str
    name: str
    values: tuple[MetricValue, ...]
    of: int | None
    judge: int | None = None
    unread: int = 0
    noun: UnitNoun = CONVERSATION
    withheld: int = 0

    @cached_property
    def scores(self) -> SubjectNumbers:
        """Return each conversation's value, or each unit's of a judge; those without a value are absent."""
        return SubjectNumbers.of(
            {
                (value.subject.conversation_id if self.judge is None else value.subject.unit_id)
                or 0: value.value
                for value in self.values
                if value.value is not None
            }
        )

    @property
    def reasons(self) -> Counter[str]:
        """Return reason -> how often there is no value for it."""
        return Counter(value.undefined or "" for value in self.values if value.value is None)

    @property
    def median(self) -> float | None:
        return float(np.median(self.scores.value)) if len(self.scores) else None

    @property
    def is_slope(self) -> bool:
        return self.values[0].metric.endswith(SLOPES)

    @property
    def counted(self) -> tuple[str, str]:
        """Return what the metric is computed for, in singular and plural."""
        return self.noun.singular, self.noun.plural


def numbers_of_conversations(values: Sequence[MetricValue], of: int | None) -> list[MetricNumbers]:
    """Return the numbers of each metric, in the order of the metrics' specifications.

    `of`: how many conversations there are, None if that may not be shown.
    """
    by_column: dict[tuple[str, str], list[MetricValue]] = {}
    for value in values:
        by_column.setdefault((value.metric, value.variant), []).append(value)
    return [
        MetricNumbers(f"{column[0]}/{column[1]}", title, tuple(by_column[column]), of)
        for column, title in shown_metrics.titles_of(values).items()
        if column in by_column
    ]


def numbers_of_units(
    values: Sequence[MetricValue],
    judges: Mapping[int, str],
    of: int,
    unread: int = 0,
    noun: UnitNoun = CONVERSATION,
) -> Iterator[MetricNumbers]:
    """Yield the numbers of each metric and judge.

    Args:
        values: the numbers.
        judges: judge id -> name; other judges are left out.
        of: how many units there are, judged or not.
        unread: how many judged conversations were not read.
        noun: what a unit is called.
    """
    groups: dict[tuple[str, str, int], list[MetricValue]] = {}
    for value in values:
        subject = value.subject
        if subject.unit_id and subject.judge_id in judges:
            groups.setdefault((value.metric, value.variant, subject.judge_id or 0), []).append(value)
    for (metric, variant, judge), of_judge in groups.items():
        title = shown_metrics.unit_title(of_judge[0])
        yield MetricNumbers(
            f"{metric}/{variant}/{judge}",
            f"{title[:1].upper()}{title[1:]} from {judges[judge]}'s labels",
            tuple(of_judge),
            of,
            judge,
            unread,
            noun,
        )


def spread_of(numbers: MetricNumbers) -> Spread | None:
    """Return how the values are spread; None without any value."""
    scores = np.sort(numbers.scores.value)
    if not len(scores):
        return None
    low, quarter, median, three_quarters, high = (
        float(end) for end in np.percentile(scores, [0, 25, 50, 75, 100])
    )
    axis_high = round_end(max(abs(low), abs(high)))
    words = (
        decimal(low, 3)
        if low == high
        else f"{decimal(low, 3)} to {decimal(high, 3)}"
        + (
            f", middle half {decimal(quarter, 3)} to {decimal(three_quarters, 3)}"
            if len(scores) >= HALVES
            else ""
        )
    )
    return Spread(
        low,
        quarter,
        median,
        three_quarters,
        high,
        -axis_high if low < 0 else 0.0,
        axis_high,
        words,
        tuple(scores.tolist()) if len(scores) <= MAX_POINTS_DRAWN else (),
    )


def round_end(largest: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is at least `largest`; 1.0 for 0 or less."""
    if largest <= 0:
        return 1.0
    power = math.floor(math.log10(largest))
    return next(
        float(f"{step}e{power}") for step in (1, 2, 5, 10) if float(f"{step}e{power}") >= largest - 1e-12
    )
