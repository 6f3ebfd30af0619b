"""Labels of any number of raters on one declared domain, as parallel arrays: the only form that coefficients
are made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.arrays import Array, IntArray, Mask, small_column
from scoring.bad_input import BadInput


def number_pairs(first: IntArray, second: IntArray) -> IntArray:
    """Return one number for each pair (first, second) of numbers from 0: equal for equal pairs only."""
    return np.asarray(first * (int(second.max(initial=0)) + 1) + second)


def numbered(names: IntArray) -> tuple[IntArray, NDArray[np.intp]]:
    """Return the distinct numbers, ascending, and the position of each entry among them.

    The same as np.unique with return_inverse, but it does not sort if the numbers lie close together.
    """
    low = int(names.min()) if len(names) else 0
    span = int(names.max()) - low + 1 if len(names) else 0
    if span > 8 * len(names):
        names_present, place = np.unique(names, return_inverse=True)
        return names_present, place
    present, above = np.zeros(span, dtype=bool), names - low
    present[above] = True
    return np.flatnonzero(present) + low, (np.cumsum(present) - 1)[above]


def every_number(columns: Sequence[IntArray]) -> IntArray:
    """Return the distinct numbers of all columns together, ascending."""
    return numbered(np.concatenate([np.zeros(0, dtype=np.int64), *(numbered(one)[0] for one in columns)]))[0]


def places(among: IntArray, of: IntArray) -> NDArray[np.intp]:
    """Return the position of each `of` in `among`, ascending and complete; faster than np.searchsorted if
    dense.
    """
    span = int(among[-1] - among[0]) + 1 if len(among) else 0
    if span > 8 * len(among):
        return np.searchsorted(among, of)
    place = np.zeros(span, dtype=np.intp)
    place[among - (among[0] if span else 0)] = np.arange(len(among))
    return place[of - (among[0] if span else 0)]


def numbered_with(names: IntArray, times: IntArray | None) -> tuple[IntArray, NDArray[np.intp], IntArray]:
    """Return what `numbered` returns, and the `times` of each distinct number.

    Args:
        names: the numbers.
        times: one entry per name, equal for equal names; None for 1 each.
    """
    distinct, place = numbered(names)
    distinct_times = np.ones(len(distinct), dtype=np.int64)
    if times is not None:
        distinct_times[place] = times
    return distinct, place, distinct_times


@dataclass(frozen=True, eq=False)
class Labels:
    """One entry a label; who did not label a unit has no entry, so nothing is ever filled in for what is
    missing.

    `domain`: the labels of the scale in its order, declared and never inferred: a scale on which nobody used
    the middle is still that scale. `code`: position in the domain. `unit`, `rater`, `part`: whole numbers
    that name the unit, who labelled it, and the independent part it belongs to (its conversation, or its
    person where one has several). A rater has at most one label a unit. `weight`: of the unit, one over its
    chance of being drawn; None where every unit counts alike.
    `values`: what the labels count on an interval scale; by default 0, 1, 2, ... `times`: how many parts the
    label's part stands for; None where each stands for itself.
    """

    domain: tuple[str, ...]
    unit: IntArray = small_column()
    rater: IntArray = small_column()
    part: IntArray = small_column()
    code: IntArray = small_column()
    weight: Array | None = None
    values: tuple[float, ...] | None = None
    times: IntArray | None = None

    def __post_init__(self) -> None:
        sizes = {
            len(self.unit),
            len(self.rater),
            len(self.part),
            len(self.code),
            len(self.unit if self.weight is None else self.weight),
        }
        if len(sizes) != 1:
            raise BadInput("labels", "expected arrays of one length")
        if len(self.code) and not (self.code.min() >= 0 and self.code.max() < len(self.domain)):
            raise BadInput("labels.code", f"expected positions on the scale {', '.join(self.domain)}")
        if self.values is not None and not (
            len(set(self.values)) == len(self.domain) and np.isfinite(self.values).all()
        ):
            raise BadInput(
                "labels.values", "expected one number for each label of the scale, no two the same"
            )
        if self.weight is not None and not (np.isfinite(self.weight).all() and (self.weight > 0).all()):
            raise BadInput("labels.weight", "expected numbers above 0")

    def __len__(self) -> int:
        return len(self.code)

    @property
    def n(self) -> int:
        """The number of labels, each counted `times` times."""
        return len(self) if self.times is None else int(self.times.sum())

    @property
    def scale(self) -> Array:
        return np.array(self.values if self.values is not None else range(len(self.domain)), dtype=float)

    def where(self, chosen: Mask) -> Labels:
        """Return the labels that `chosen` selects; `self` if it selects all, because a copy costs memory."""
        if chosen.all():
            return self
        return Labels(
            self.domain,
            self.unit[chosen],
            self.rater[chosen],
            self.part[chosen],
            self.code[chosen],
            None if self.weight is None else self.weight[chosen],
            self.values,
            None if self.times is None else self.times[chosen],
        )

    def leave_out(self, raters: frozenset[int]) -> Labels:
        """Return the labels of all other raters; `self` where `raters` is empty."""
        return self.where(~np.isin(self.rater, sorted(raters))) if raters else self

    @cached_property
    def units(self) -> LabelledUnits:
        """These labels, counted by unit; `times` does not change the counts."""
        names, place = numbered(self.unit)
        k, some = len(self.domain), np.zeros(len(names), dtype=np.intp)
        some[place] = np.arange(len(place))  # a label of each unit, which one makes no difference
        counts = (
            np.bincount(self.code * len(names) + place, minlength=k * len(names))
            .reshape(k, len(names))
            .T.astype(float)
        )
        parts, part, times = numbered_with(self.part[some], None if self.times is None else self.times[some])
        return LabelledUnits(
            names,
            counts,
            parts,
            part,
            np.ones(len(names)) if self.weight is None else self.weight[some],
            times,
        )


@dataclass(frozen=True, eq=False)
class LabelledUnits:
    """Labels counted by unit, for U units, C parts (conversations or persons) and k labels.

    `names` (U,): the number of each unit, ascending. `counts` (U, k): how often each label was given to it.
    `part` (U,): its position in `parts`. `weight` (U,): its weight. `parts` (C,): the number of each part,
    ascending. `times` (C,): how many identical parts each stands for.
    """

    names: IntArray = small_column()
    counts: Array = small_column()
    parts: IntArray = small_column()
    part: NDArray[np.intp] = small_column()
    weight: Array = small_column()
    times: IntArray = small_column()

    @property
    def shared(self) -> int:
        """The number of units with two labels or more, each counted as often as its part stands for."""
        return int(self.times[self.part[self.counts.sum(axis=1) > 1]].sum()) if len(self.names) else 0

    def by_part(self, amounts: Array) -> Array:
        """Return the weighted sums (C, ...) of the amounts (U, ...) over the units of each part."""
        shape, count = amounts.shape[1:], len(self.parts)
        made, part, weight = np.empty((count, *shape), order="F"), self.part, self.weight
        for cell in np.ndindex(shape):
            made[:, *cell] = np.bincount(part, weights=amounts[:, *cell] * weight, minlength=count)
        return made


def label_by_unit(labels: Labels) -> dict[object, str]:
    """Return unit -> label; of a unit with several labels, the last one."""
    return {
        unit: labels.domain[code]
        for unit, code in zip(labels.unit.tolist(), labels.code.tolist(), strict=True)
    }
