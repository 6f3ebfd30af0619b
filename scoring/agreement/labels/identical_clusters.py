"""Conversations in which the same was said: each adds the same to every statistic, so that one of them with
their number stands for all.

With few raters and short scales there are few ways in which the labels of a conversation can fall, however
many conversations there are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.labels.labels import Labels, numbered
from scoring.arrays import IntArray, Mask


def collapse_identical(labels: Labels, *notes: NDArray[np.integer] | Mask) -> Labels:
    """Keep one conversation of each group with identical labels, and count the group in `times`.

    Two conversations (`part`) are identical if the same raters gave the same labels to as many units of the
    same weight, and all notes are equal.

    Args:
        labels: the labels to collapse.
        notes: further columns that must be equal, one entry per label.

    Returns:
        The labels of the first conversation of each group.
    """
    order = np.lexsort((labels.rater, labels.unit, labels.part))
    part, unit = labels.part[order], labels.unit[order]
    weight = (
        np.zeros(len(labels), dtype=np.int64)
        if labels.weight is None
        else np.unique(labels.weight, return_inverse=True)[1]
    )
    item = numbered(labels.rater)[1][order]
    for column in (
        np.concatenate([[True], unit[1:] != unit[:-1]])[: len(unit)],
        *(column_values[order] for column_values in (labels.code, weight, *notes)),
    ):
        least = int(column.min(initial=0))
        item = item * (int(column.max(initial=0)) - least + 1) + column - least
    place = numbered(part)[1]
    kind = identical_groups(place, item)
    first = np.zeros(int(kind.max(initial=-1)) + 1, dtype=np.int64)
    first[kind[::-1]] = np.arange(len(kind))[::-1]
    chosen, times = np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=np.int64)
    chosen[order] = (first[kind] == np.arange(len(kind)))[place]
    times[order] = np.bincount(kind)[kind][place]
    return replace(labels.where(chosen), times=times[chosen])


def identical_groups(group: IntArray | NDArray[np.intp], item: IntArray) -> IntArray | NDArray[np.intp]:
    """Number the groups by what they hold: groups with the same items in the same order get one number.

    Args:
        group: the group of each item, 0, 1, ..., ascending and without gaps.
        item: the items.

    Returns:
        The number of each group, in the order of groups. Only whether two numbers are equal has a meaning;
        if every group holds one item, they are 0, 1, ... in the order of the items' values.
    """
    item = numbered(item)[1]
    while len(group) and group[-1] + 1 < len(
        group
    ):  # two items that follow each other become one, until each group has one
        start = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        left = np.flatnonzero((np.arange(len(group)) - start[group]) % 2 == 0)
        paired = left[left + 1 < len(group)]
        paired = paired[group[paired] == group[paired + 1]]
        after = np.zeros(len(group), dtype=np.int64)
        after[paired] = item[paired + 1] + 1
        item, group = numbered(item[left] * (int(item.max()) + 2) + after[left])[1], group[left]
    return item
