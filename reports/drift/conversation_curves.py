"""How a metric moves over the turns of conversations, by condition: the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.record.curves import CurveTable
from reports.drift.curve_kinds import CurveKind, Embedders, curve_bounds, curve_name
from scoring.agreement.intervals.estimate import Estimate
from scoring.arrays import Array, Mask
from scoring.drift.average_curves import (
    ANY_NUMBER,
    SLOPE,
    by_person,
    by_turn,
    mean,
    slopes,
)
from scoring.drift.lowest_alignment import LowestAlignment, lowest_alignment
from scoring.drift.slope_changes import SlopeChange, slope_changes
from words.unit_nouns import CONVERSATION, UnitNoun

ALL = "All conversations"
UNKNOWN = "unknown"


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
        """Return what comes before a conversation's number; where replies are rated it is that of its last
        reply.
        """
        return "conversation" if self.noun == CONVERSATION else f"conversation of {self.noun.singular}"

    @cached_property
    def slopes(self) -> Array:
        """Return each conversation's slope over its turns alone.

        Over everything so far if the metric has no number of a turn alone: a running mean moves by itself
        if its beginning was unusual.
        """
        return slopes(self.table.local) if self.has_local else self.cumulative_slopes

    @cached_property
    def cumulative_slopes(self) -> Array:
        """Return each conversation's slope over everything so far."""
        return slopes(self.table.values)

    @cached_property
    def levels(self) -> Array:
        """Return the mean of each conversation's turns; NaN if no turn has a value."""
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
        """Return the condition of each conversation."""
        if self.by is None:
            return (ALL,) * len(self.table.conversation)
        return tuple(UNKNOWN if one is None else one for one in self.table.facts[self.by])

    @cached_property
    def conditions(self) -> list[ConditionCurves]:
        """Return the conditions by name, numbers in numeric order, the unknown condition last."""
        names = np.array(self.names, dtype=object)
        return [
            self._condition(name, np.asarray(names == name)) for name in sorted(set(self.names), key=_order)
        ]

    def _condition(self, name: str, chosen: Mask) -> ConditionCurves:
        part = self.table.part[chosen]
        local = by_turn(self.table.local[chosen], part, self.bounds) if self.has_local else []
        return ConditionCurves(
            name,
            chosen,
            by_turn(self.table.values[chosen], part, self.bounds),
            local,
            mean(*by_person(self.slopes[chosen], part), SLOPE),
            mean(*by_person(self.cumulative_slopes[chosen], part), SLOPE),
        )

    @cached_property
    def changes(self) -> list[SlopeChange]:
        """Return the change of slope of each condition, tested together."""
        return slope_changes(
            [
                by_person(self.slopes[condition.chosen], self.table.part[condition.chosen])
                for condition in self.conditions
            ]
        )

    @cached_property
    def of_turns(self) -> list[Estimate]:
        """Return the mean of each turn over all conversations."""
        return by_turn(self.table.values, self.table.part, self.bounds)

    @property
    def shared(self) -> bool:
        """Tell whether any person has several of the conversations."""
        return len(np.unique(self.table.part)) < len(self.table.part)


def _order(name: str) -> tuple[int, float, str]:
    try:
        return 0, float(name), name
    except ValueError:
        return (2 if name == UNKNOWN else 1), 0.0, name


def name_curves(
    table: CurveTable, by: str | None, kind: CurveKind, embedders: Embedders, noun: UnitNoun
) -> ConversationDrift:
    """Return the curves of one kind with its name and bounds, divided by the fact `by` (None: not
    divided).
    """
    return ConversationDrift(table, by, curve_name(kind, embedders), curve_bounds(kind, embedders), noun)
