"""Where in a conversation care is furthest from its plan: read off the local alignment, the one of each
turn's own actions.

The cumulative curve carries everything said before, so it cannot tell a turn that leaves the plan from one
that adds little. What stands here describes one conversation; it is no test, because a single curve has no
interval of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.arrays import Array, IntArray, Mask

MIN_TURNS_OF_SIDE = 2  # turns with a value that each side of a step needs
ROUNDING_ERROR = 1e-9  # below it two means differ by rounding only


@dataclass(frozen=True)
class LowestAlignment:
    """For each of C conversations: `turn` (from 1) with the lowest local alignment, the first of equals, 0
    where none has any; `value` of it.

    `step`: the turn (from 1) with which the largest step down begins, 0 where there is none; `before` and
    `after`: the mean local alignment of the turns before it and from it on.
    """

    turn: IntArray
    value: Array
    step: IntArray
    before: Array
    after: Array


def lowest_alignment(local: Array) -> LowestAlignment:
    """Return each conversation's turn of lowest local alignment, and where its largest step down begins.

    `local` is (C, T), NaN where a turn has no clinical action: such a turn is not one away from the plan. A
    step needs MIN_TURNS_OF_SIDE (2) turns with a value on both sides and a lower mean after it. Turns count
    from 1; 0 (with NaN values) means there is none.
    """
    if not local.size:
        nothing = np.full(len(local), np.nan)
        return LowestAlignment(
            np.zeros(len(local), dtype=np.int64),
            nothing,
            np.zeros(len(local), dtype=np.int64),
            nothing,
            nothing,
        )
    present = ~np.isnan(local)
    some = present.any(axis=1)
    lowest = np.where(present, local, np.inf).argmin(axis=1)
    value = np.where(some, local[np.arange(len(local)), lowest], np.nan)
    step, before, after = _step(local, present)
    return LowestAlignment(np.where(some, lowest + 1, 0), value, step, before, after)


def _step(local: Array, present: Mask) -> tuple[IntArray, Array, Array]:
    """The split with the largest sum of squares between its sides (Page 1955's change of level), among those
    that go down.
    """
    filled = np.where(present, local, 0.0)
    n = present.cumsum(axis=1)[:, :-1]  # before turn 2, 3, ..., T
    sums = filled.cumsum(axis=1)[:, :-1]
    n_after, sums_after = present.sum(axis=1)[:, None] - n, filled.sum(axis=1)[:, None] - sums
    with np.errstate(invalid="ignore", divide="ignore"):
        before, after = sums / n, sums_after / n_after
        between = n * n_after / (n + n_after) * (before - after) ** 2
    # A step begins at a turn that has a value: without one, it is the same step as that of the next turn.
    allowed = (
        (n >= MIN_TURNS_OF_SIDE)
        & (n_after >= MIN_TURNS_OF_SIDE)
        & (before - after > ROUNDING_ERROR)
        & present[:, 1:]
    )
    if not allowed.size:
        nothing = np.full(len(local), np.nan)
        return np.zeros(len(local), dtype=np.int64), nothing, nothing
    at = np.where(allowed, between, -1.0).argmax(axis=1)
    allowed_rows, row = allowed.any(axis=1), np.arange(len(local))
    return (
        np.where(allowed_rows, at + 2, 0),
        np.where(allowed_rows, before[row, at], np.nan),
        np.where(allowed_rows, after[row, at], np.nan),
    )
