"""Two sides on the same units: who labelled what beside whom, as tables of counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.labels.labels import Labels, numbered, numbered_with
from scoring.agreement.labels.rarity import Rarity, rarity_of_tables
from scoring.arrays import Array, IntArray, Mask, small_column

Counts = NDArray[np.int64]


def confusion(pairs: Iterable[tuple[str, str]], domain: Sequence[str]) -> Counts:
    """Count pairs of labels in a table (k, k), the first label in rows, in the order of `domain`.

    Args:
        pairs: (first, second) labels.
        domain: all k labels of the scale, used or not.

    Raises:
        ValueError: a label is not in `domain`; dropping it silently would change every coefficient.
    """
    index = {label: i for i, label in enumerate(domain)}
    table = np.zeros((len(domain), len(domain)), dtype=np.int64)
    for first, second in pairs:
        if first not in index or second not in index:
            outside = first if first not in index else second
            raise ValueError(f"the label {outside!r} is not on this scale: {', '.join(domain)}")
        table[index[first], index[second]] += 1
    return table


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """Pairs of labels on one unit: `first` by one rater, `second` by another or by the judge. `side` numbers
    the two who made the pair: the rater where the other is a judge, or the two raters. Arrays of one length,
    codes on `domain`. `times`: how many parts the pair's part stands for; None where each stands for itself.
    """

    domain: tuple[str, ...]
    side: IntArray = small_column()
    unit: IntArray = small_column()
    part: IntArray = small_column()
    first: IntArray = small_column()
    second: IntArray = small_column()
    weight: Array | None = None
    times: IntArray | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def n(self) -> int:
        """The number of pairs, each counted `times` times."""
        return len(self) if self.times is None else int(self.times.sum())

    @property
    def parts(self) -> tuple[IntArray, IntArray]:
        """The numbers of the C parts, ascending, and how many identical parts each stands for."""
        names, _, times = numbered_with(self.part, self.times)
        return names, times

    def where(self, chosen: Mask) -> LabelPairs:
        """Return the pairs that `chosen` selects; `self` if it selects all, because a copy costs memory."""
        if chosen.all():
            return self
        return LabelPairs(
            self.domain,
            self.side[chosen],
            self.unit[chosen],
            self.part[chosen],
            self.first[chosen],
            self.second[chosen],
            None if self.weight is None else self.weight[chosen],
            None if self.times is None else self.times[chosen],
        )

    def table(self) -> Counts:
        """Return unweighted counts (k, k) of all pairs, first labels in rows, each counted `times` times."""
        k = len(self.domain)
        return (
            np.bincount(self.first * k + self.second, weights=self.times, minlength=k * k)
            .astype(np.int64)
            .reshape(k, k)
        )

    def by_part(self) -> Array:
        """Return counts (C, k, k), one table per part in the order of `parts`; weighted if units are."""
        parts, part = numbered(self.part)
        return self._tables(part, len(parts))

    def by_side(self) -> SideTables:
        """Return one table (k, k) of counts per side and part that have a pair; weighted if units are."""
        sides, side = numbered(self.side)
        parts, part, times = numbered_with(self.part, self.times)
        many = max(len(parts), 1)
        both, place = numbered(side * many + part)
        return SideTables(
            sides,
            np.bincount(side, weights=self.times, minlength=len(sides)).astype(float),
            both // many,
            parts,
            both % many,
            self._tables(place, len(both)),
            np.bincount(place, minlength=len(both)).astype(float),
            times,
            int(numbered_with(self.unit, self.times)[2].sum()),
        )

    def _tables(self, place: NDArray[np.intp], count: int) -> Array:
        k = len(self.domain)
        counted = np.bincount(
            (self.second * k + self.first) * count + place, weights=self.weight, minlength=k * k * count
        )
        return counted.astype(float).reshape(k, k, count).T


@dataclass(frozen=True, eq=False)
class SideTables:
    """`tables` (P, k, k): of the side `sides[side[p]]` in the part `parts[part[p]]`; only where there is a
    pair. `pairs` (R,): of each side, and `pairs_here` (P,): of each table, unweighted. `times` (C,): how many
    parts each of `parts` stands for. `units`: how many were labelled.
    """

    sides: IntArray
    pairs: Array
    side: IntArray
    parts: IntArray
    part: IntArray
    tables: Array
    pairs_here: Array
    times: IntArray
    units: int

    def rarity(self) -> Rarity:
        """Return the rarity of each of `parts` over all sides; the commonest label is that of all parts."""
        counts = np.zeros((len(self.parts), *self.tables.shape[1:]))
        np.add.at(counts, self.part, self.tables)
        return rarity_of_tables(counts, self.times)


def answers(first: Labels, second: Labels) -> IntArray:
    """Return, for every label of `first`, the code that `second` has for the same unit; -1 if it has none.

    Args:
        first: labels of any number of raters.
        second: labels of a single rater, such as a judge.
    """
    units, place = numbered(np.concatenate([second.unit, first.unit]))
    codes = np.full(len(units), -1)
    codes[place[: len(second)]] = second.code
    return codes[place[len(second) :]]


def pair_with_judge(first: Labels, second: Labels) -> LabelPairs:
    """Pair every label of `first` with the label that `second` has for the same unit, if it has one.

    Args:
        first: labels of any number of raters.
        second: labels of a single rater, such as a judge.

    Returns:
        The pairs; `side` is the rater of the first label.
    """
    codes = answers(first, second)
    mine = np.flatnonzero(codes >= 0)
    return LabelPairs(
        first.domain,
        first.rater[mine],
        first.unit[mine],
        first.part[mine],
        first.code[mine],
        codes[mine],
        None if first.weight is None else first.weight[mine],
        None if first.times is None else first.times[mine],
    )


def pair_raters(labels: Labels) -> LabelPairs:
    """Pair every two raters on every unit that both labelled; the rater with the lower number comes first."""
    order = np.lexsort((labels.rater, labels.unit))
    unit, rater = labels.unit[order], labels.rater[order]
    lefts, rights = [], []
    step = 1
    while step < len(unit):  # as often as the unit with most raters has raters
        left = np.flatnonzero(unit[step:] == unit[:-step])
        if not len(left):
            break
        lefts.append(left)
        rights.append(left + step)
        step += 1
    left, right = (np.concatenate(side) if side else np.zeros(0, dtype=np.intp) for side in (lefts, rights))
    most = int(rater.max(initial=0)) + 1
    first, second = order[left], order[right]
    return LabelPairs(
        labels.domain,
        rater[left] * most + rater[right],
        unit[left],
        labels.part[first],
        labels.code[first],
        labels.code[second],
        None if labels.weight is None else labels.weight[first],
        None if labels.times is None else labels.times[first],
    )
