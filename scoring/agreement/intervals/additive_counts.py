"""Counts of single labels, added up by conversation, on the way to a statistic with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.arrays import Array


def over_conversations(
    statistic: Statistic, parts: Iterable[tuple[int, ArrayLike]], shape: tuple[int, ...], n: int
) -> Estimate:
    """`parts`: (conversation, counts of `shape`), as many of a conversation as there are.
    `influential_part` is then the conversation's own number.
    """
    conversations, summed = add_up(parts, shape)
    return over_summed(statistic, conversations, summed, n)


def add_up(parts: Iterable[tuple[int, ArrayLike]], shape: tuple[int, ...]) -> tuple[list[int], Array]:
    """The numbers of `parts` (number, counts of `shape`), each once as they first come, and the counts of
    each added up, (C, *shape).
    """
    place: dict[int, int] = {}
    rows: list[int] = []
    counts: list[ArrayLike] = []
    for part, count in parts:
        rows.append(place.setdefault(part, len(place)))
        counts.append(count)
    summed = np.zeros((len(place), *shape))
    if rows:
        np.add.at(summed, rows, np.asarray(counts, dtype=float))
    return list(place), summed


def over_summed(statistic: Statistic, conversations: Sequence[int], summed: Array, n: int) -> Estimate:
    """The same of counts that are summed already. `conversations`: their numbers; `summed`: (C, *shape)."""
    estimate = jackknife(statistic, summed, n)
    return (
        estimate
        if estimate.influential_part is None
        else replace(estimate, influential_part=conversations[estimate.influential_part])
    )


def divide_counts(counts: Array) -> Array:
    """(...,) the first over the second of counts (..., 2); NaN where the second is 0."""
    below = counts[..., 1]
    ratios: Array = np.divide(counts[..., 0], below, out=np.full(below.shape, np.nan), where=below != 0)
    return ratios


def ratio(
    name: str, empty: str, low: float = 0.0, high: float = 1.0, all_agree: float | None = None
) -> Statistic:
    """The first count over the second, of counts (..., 2). `empty` is the reason where the second is 0."""
    return Statistic(
        name,
        divide_counts,
        lambda _: empty,
        low,
        high,
        all_agree,
        kind="share" if (low, high) == (0.0, 1.0) else "amount",
    )
