"""How a metric moves over the turns of conversations, by condition: what is drawn, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from data.record.curves import CurveTable
from reports.document import Block, Paragraph, Table
from reports.wording import CANNOT, limits, listed, number
from scoring.agreement.intervals.estimate import Estimate
from scoring.arrays import Array, Mask
from scoring.drift.average_curves import (
    ANY_NUMBER,
    SLOPE,
    Curves,
    by_person,
    by_turn,
    difference,
    mean,
    slopes,
)
from scoring.drift.lowest_alignment import LowestAlignment, lowest_alignment
from scoring.drift.slope_changes import ConditionSlopes, SlopeChange, slope_changes
from words.figures import chance
from words.unit_nouns import CONVERSATION, UnitNoun

ALL = "All conversations"
UNKNOWN = "not known"
PAIRS = 4  # conditions up to which every two are compared; with more, each with all others


@dataclass(frozen=True)
class ConditionCurves:
    """Conversations under one condition. `cumulative` and `local`: the mean of each turn; `slope` and
    `cumulative_slope`: the mean over persons of their conversations' slopes.
    """

    name: str
    chosen: Mask
    cumulative: list[Estimate]
    local: list[Estimate]
    slope: Estimate
    cumulative_slope: Estimate

    @property
    def conversations(self) -> int:
        return int(self.chosen.sum())


@dataclass(frozen=True)
class ConversationDrift:
    """`by`: the fact that divides them, or None. `what`: how the metric is called in a sentence. `bounds`:
    what none of its values can pass. `noun`: of what is rated in them.
    """

    table: CurveTable
    by: str | None
    what: str
    bounds: tuple[float, float] = ANY_NUMBER
    noun: UnitNoun = CONVERSATION

    @property
    def numbered(self) -> str:
        """What stands before the number of one, which is that of its last reply where replies are rated."""
        return "conversation" if self.noun == CONVERSATION else f"conversation of {self.noun.singular}"

    @cached_property
    def slopes(self) -> Array:
        """Of each conversation, over its turns alone; where a metric has no number of a turn alone, over
        everything so far. A running mean moves by itself where its beginning was unusual.
        """
        return slopes(self.table.local) if self.has_local else self.cumulative_slopes

    @cached_property
    def cumulative_slopes(self) -> Array:
        """Of each conversation, over everything so far."""
        return slopes(self.table.values)

    @cached_property
    def levels(self) -> Array:
        """The mean of each conversation's turns, NaN where none has a value."""
        known = ~np.isnan(self.table.values)
        n = known.sum(axis=1)
        sums = np.where(known, self.table.values, 0.0).sum(axis=1)
        return np.where(n > 0, sums / np.maximum(n, 1), np.nan)

    @cached_property
    def furthest(self) -> LowestAlignment:
        return lowest_alignment(self.table.local)

    @cached_property
    def has_local(self) -> bool:
        return bool((~np.isnan(self.table.local)).any())

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The condition of each conversation."""
        if self.by is None:
            return (ALL,) * len(self.table.conversation)
        return tuple(UNKNOWN if one is None else one for one in self.table.facts[self.by])

    @cached_property
    def conditions(self) -> list[ConditionCurves]:
        """In the order of their names, numbers as numbers; those of which nobody knows last."""
        names = np.array(self.names, dtype=object)
        return [
            self._condition(name, np.asarray(names == name)) for name in sorted(set(self.names), key=_order)
        ]

    def _condition(self, name: str, chosen: Mask) -> ConditionCurves:
        part = self.table.part[chosen]
        local = by_turn(Curves(self.table.local[chosen], part), self.bounds) if self.has_local else []
        return ConditionCurves(
            name,
            chosen,
            by_turn(Curves(self.table.values[chosen], part), self.bounds),
            local,
            mean(*by_person(self.slopes[chosen], part), SLOPE),
            mean(*by_person(self.cumulative_slopes[chosen], part), SLOPE),
        )

    @cached_property
    def changes(self) -> list[SlopeChange]:
        """Of each condition, tested together."""
        return slope_changes(
            [
                ConditionSlopes(*by_person(self.slopes[condition.chosen], self.table.part[condition.chosen]))
                for condition in self.conditions
            ]
        )

    @cached_property
    def of_turns(self) -> list[Estimate]:
        """The mean of each turn over all conversations."""
        return by_turn(Curves(self.table.values, self.table.part), self.bounds)

    @property
    def shared(self) -> bool:
        """Whether a person has several of them."""
        return len(np.unique(self.table.part)) < len(self.table.part)


def _order(name: str) -> tuple[int, float, str]:
    try:
        return 0, float(name), name
    except ValueError:
        return (2 if name == UNKNOWN else 1), 0.0, name


def change_words(change: SlopeChange) -> str:
    """falls, rises, shows no clear change; or what cannot be told."""
    if change.untold is not None:
        return "cannot be told to move"
    return {1: "rises", -1: "falls", 0: "shows no clear change"}[change.direction]


def title(drift: ConversationDrift) -> str:
    """What the chart shows, in a sentence."""
    names_by_slope: dict[str, list[str]] = {}
    for condition, change in zip(drift.conditions, drift.changes, strict=True):
        names_by_slope.setdefault(change_words(change), []).append(condition.name)
    if drift.by is None:
        return (
            f"{drift.what} {change_words(drift.changes[0])} over the turns"
            if drift.conditions
            else drift.what
        )
    return f"{drift.what} " + "; ".join(
        f"{how} with {listed(names, 4)}" for how, names in names_by_slope.items()
    )


def blocks(drift: ConversationDrift) -> Iterator[Block]:
    """Slopes and differences as tables, each number with n and interval."""
    rows = [
        (
            condition.name,
            f"{condition.conversations:,}",
            f"{int((~np.isnan(drift.slopes[condition.chosen])).sum()):,}",
            number(condition.slope, 4),
            limits(condition.slope, 4),
            *(
                (number(condition.cumulative_slope, 4), limits(condition.cumulative_slope, 4))
                if drift.has_local
                else ()
            ),
            _at(condition.cumulative, 0),
            _at(condition.cumulative, -1),
            "" if change.corrected is None else chance(change.corrected),
            change_words(change),
        )
        for condition, change in zip(drift.conditions, drift.changes, strict=True)
    ]
    yield Table(
        "slopes",
        f"{drift.what}: change per turn",
        (
            "Condition",
            "Conversations",
            "with a slope",
            "Slope per turn",
            "95% interval, uncorrected",
            *(("Slope of everything so far", "its 95% interval") if drift.has_local else ()),
            "First turn with a value",
            "Last turn with a value",
            "p, corrected for all of these",
            "Change",
        ),
        rows,
        (1, 2, 3, 5, 9) if drift.has_local else (1, 2, 3, 7),
    )
    or_person = ", or one person with several," if drift.shared else ""
    alone = " over its turns alone" if drift.has_local else ""
    yield Paragraph(
        f"Every conversation gives one slope (least squares on the number of the turn){alone}; the mean is "
        f"over {'persons' if drift.shared else 'conversations'}, and the interval leaves out one conversation"
        f"{or_person} at a time. A change is named where it holds for all conditions "
        "together (t and Hall's t, Holm). "
        "Few conversations reach late turns: read their number first.",
        "small",
    )
    if len(drift.conditions) > 1:
        yield Table(
            "differences",
            "Between conditions",
            ("Difference", "Level", "95 % interval", "Slope per turn", "95 % interval of the slope"),
            [*_differences(drift)],
            (1, 3),
        )
        yield Paragraph(
            "Level: the mean over a conversation's turns. Intervals are not adjusted for the number of "
            "comparisons.",
            "small",
        )


def _at(turns: list[Estimate], place: int) -> str:
    known = [(turn, estimate) for turn, estimate in enumerate(turns, start=1) if estimate.value is not None]
    if not known:
        return CANNOT
    turn, estimate = known[place]
    return f"{number(estimate, 3)} (turn {turn}, n {estimate.n:,})"


def _differences(drift: ConversationDrift) -> Iterator[tuple[str, ...]]:
    sides = (
        [
            (condition.name, other.name, condition.chosen, other.chosen)
            for condition, other in combinations(drift.conditions, 2)
        ]
        if len(drift.conditions) <= PAIRS
        else [
            (condition.name, "all others", condition.chosen, ~condition.chosen)
            for condition in drift.conditions
        ]
    )
    part = drift.table.part
    for name, other, first, second in sides:
        level, slope = (
            difference(values[first], part[first], values[second], part[second])
            for values in (drift.levels, drift.slopes)
        )
        yield f"{name} less {other}", number(level, 3), limits(level, 3), number(slope, 4), limits(slope, 4)


def by_turn_table(drift: ConversationDrift) -> Table:
    """What is drawn, for a screen reader and for a file."""
    rows = []
    for condition in drift.conditions:
        for turn, cumulative in enumerate(condition.cumulative, start=1):
            local = condition.local[turn - 1] if turn <= len(condition.local) else None
            rows.append(
                (
                    condition.name,
                    f"{turn}",
                    number(cumulative, 3) if cumulative.n else "none",
                    limits(cumulative, 3),
                    f"{cumulative.n:,}",
                    *(
                        ("none" if not local.n else number(local, 3), limits(local, 3), f"{local.n:,}")
                        if local
                        else ()
                    ),
                )
            )
    more = ("Of this turn alone", "its 95% interval", "its n") if drift.has_local else ()
    return Table(
        "by_turn",
        f"{drift.what}, turn by turn",
        ("Condition", "Turn", "Mean", "95 % interval", "n", *more),
        rows,
        (1, 2, 4, 5, 7) if more else (1, 2, 4),
    )
