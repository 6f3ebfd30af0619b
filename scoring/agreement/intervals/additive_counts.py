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
    """Estimate a statistic, with its jackknife interval, from counts that are summed by conversation.

    Args:
        statistic: takes counts of shape (..., *shape).
        parts: (conversation, counts of `shape`); a conversation may come several times.
        shape: the shape of the counts.
        n: the number of labels or pairs to report.

    Returns:
        The estimate; its `influential_part` is the number of a conversation.
    """
    conversations, summed = add_up(parts, shape)
    return over_summed(statistic, conversations, summed, n)


def add_up(parts: Iterable[tuple[int, ArrayLike]], shape: tuple[int, ...]) -> tuple[list[int], Array]:
    """Sum counts by their number: return the C numbers in order of first appearance, and sums (C, *shape).

    Args:
        parts: (number, counts of `shape`); a number may come several times.
        shape: the shape of the counts.
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
    """Estimate a statistic, with its jackknife interval, from counts that `add_up` has summed.

    Args:
        statistic: takes counts of shape (..., *shape).
        conversations: the number of each of the C conversations.
        summed: (C, *shape), the counts of each.
        n: the number of labels or pairs to report.

    Returns:
        The estimate; its `influential_part` is the number of a conversation.
    """
    estimate = jackknife(statistic, summed, n)
    return (
        estimate
        if estimate.influential_part is None
        else replace(estimate, influential_part=conversations[estimate.influential_part])
    )


def divide_counts(counts: Array) -> Array:
    """Return the first over the second of counts (..., 2), shape (...); NaN where the second is 0."""
    below = counts[..., 1]
    ratios: Array = np.divide(counts[..., 0], below, out=np.full(below.shape, np.nan), where=below != 0)
    return ratios


def ratio(
    name: str, empty: str, low: float = 0.0, high: float = 1.0, all_agree: float | None = None
) -> Statistic:
    """Return the first count over the second as a statistic of counts (..., 2).

    Args:
        name: what the estimate calls it.
        empty: the reason for no value, where the second count is 0.
        low: the lowest possible value.
        high: the highest possible value; a ratio from 0 to 1 gets the interval of a share.
        all_agree: the value that means that everybody always agreed; None if no value does.
    """
    return Statistic(
        name,
        divide_counts,
        lambda _: empty,
        low,
        high,
        all_agree,
        kind="share" if (low, high) == (0.0, 1.0) else "amount",
    )
