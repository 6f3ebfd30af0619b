"""Intervals from leaving out one conversation at a time (Tukey 1958), for statistics of counts that add up
over conversations.

Labels of one conversation are alike, so it is conversations that are left out, never labels. The limits that
the error (scoring/leave_one_out.py) gives depend on what is estimated (limits.py): a share between 0 and
1, a coefficient between -1 and 1, or an amount. Where a person has several conversations, the person is what
is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.limits import (
    TAIL,
    Limits,
    at_least,
    at_most,
    fisher,
    korn_graubard,
    symmetric,
)
from scoring.agreement.labels.rarity import MIN_RARER, Rarity, too_few
from scoring.arrays import Array, IntArray, Mask
from scoring.leave_one_out import measure_spread

Kind = Literal["coefficient", "share", "amount"]
ONE = "one conversation can't show how much this varies"
ALIKE = "every conversation shows the same, so how much this varies can't be estimated"
RESTS_ON_ONE = "all of it rests on one conversation, without which it can't be estimated"
ROUNDING_ERROR = 1e-12


def _counted(counts: Array) -> Mask:
    return np.asarray(counts.any(axis=tuple(range(1, counts.ndim))))


@dataclass(frozen=True)
class Statistic:
    """A function of counts that add up over conversations, by default a coefficient from -1 to 1.

    `kind`: which limits hold for it. "coefficient": on Fisher's scale, and where `rarity` tells from counts
    (C, *s) how much there is of the rarer labels, with the degrees of freedom of what it rests on. "share":
    of labels, from 0 to 1. "amount": symmetric.

    `of` takes counts of shape (..., *s) to values of shape (...), NaN where there is none, and never warns;
    `reason` takes the counts (*s) of the whole, for which there is no value, and says why. `low`, `high`:
    what no value can pass.
    `all_agree`: the value that says that everybody always agreed.
    `takes`: from which conversations, of counts (C, *s), it takes anything. `shows`: which of those show
    whether people agree, where others count for chance alone: a conversation in which every unit has one
    label is no evidence that everybody agrees.
    """

    name: str
    of: Callable[[Array], Array]
    reason: Callable[[Array], str]
    low: float = -1.0
    high: float = 1.0
    all_agree: float | None = 1.0
    takes: Callable[[Array], Mask] = _counted
    shows: Callable[[Array], Mask] = _counted
    kind: Kind = "coefficient"
    rarity: Callable[[Array, IntArray], Rarity] | None = None


def jackknife(
    statistic: Statistic, counts: Array, n: int, times: IntArray | None = None, units: int | None = None
) -> Estimate:
    """Estimate a statistic of all counts, with the interval from leaving out one conversation at a time.

    Conversations that hold no count that `statistic` takes are ignored.

    Args:
        statistic: what to estimate; takes counts of shape (..., *s).
        counts: (C, *s), one entry per conversation.
        n: the number of labels or pairs to report.
        times: (C,), how many identical conversations each entry stands for, itself included
            (identical_clusters.py); None for one each.
        units: how many units were labelled, if a unit may have several labels; None for `n`. Only the
            interval of a share uses it.

    Returns:
        The estimate; its `influential_part` is a position in `counts`.
    """
    numbers = np.flatnonzero(statistic.takes(counts))
    here = np.asfortranarray(
        counts if len(numbers) == len(counts) else counts[numbers]
    )  # sums over a few labels are fast along many conversations
    times = np.ones_like(numbers) if times is None else times[numbers]
    total = np.tensordot(times, here, axes=1)
    value, showing = float(statistic.of(total)), int(times[statistic.shows(here)].sum())
    if np.isnan(value):
        return undefined_estimate(statistic.reason(total), n, statistic.name, showing)
    shared = (
        int(times[statistic.rarity(here, times).shared].sum())
        if statistic.rarity is not None and len(here)
        else None
    )
    without = statistic.of(total - here) if len(here) else np.zeros(0)
    return around(value, without, n, statistic, numbers, showing, times, shared, units)


def around(
    value: float,
    without: Array,
    n: int,
    statistic: Statistic,
    numbers: NDArray[np.intp] | None = None,
    showing: int | None = None,
    times: IntArray | None = None,
    shared: int | None = None,
    units: int | None = None,
) -> Estimate:
    """Return `value` with its interval, made from the values with one conversation left out at a time.

    Args:
        value: the statistic of all conversations.
        without: (C,), the statistic without each conversation; NaN where it then has no value.
        n: the number of labels or pairs to report.
        statistic: decides which kind of limits hold.
        numbers: (C,), the number of each conversation, for `influential_part`; None for 0, 1, ...
        showing: how many conversations show whether people agree, on which the interval rests; None for all.
        times: (C,), how many identical conversations each stands for; None for one each.
        shared: in how many conversations two people gave a rarer label to one unit (rarity.py); None if the
            statistic does not depend on rarer labels.
        units: as in `jackknife`.
    """
    called = numbers if numbers is not None else np.arange(len(without))
    times = times if times is not None else np.ones(len(without), dtype=np.int64)
    conversations = int(times.sum())
    count = conversations if showing is None else showing

    def bare(reason: str, furthest: int | None = None) -> Estimate:
        return Estimate(
            value,
            n,
            statistic.name,
            no_interval=reason,
            conversations=count,
            influential_part=furthest,
            influence=None if furthest is None else 1.0,
        )

    if conversations < 2:
        return bare(ONE)
    missing = np.flatnonzero(np.isnan(without))
    if len(missing):
        return bare(RESTS_ON_ONE, int(called[missing[0]]))
    if shared is not None and shared < MIN_RARER:
        return bare(too_few(shared))
    spread = measure_spread(without, times)
    error = spread.error
    if error < ROUNDING_ERROR:
        if statistic.all_agree is not None and abs(value - statistic.all_agree) < ROUNDING_ERROR:
            low = at_least(count if shared is None else shared, count if shared is None else shared, TAIL)
            return Estimate(
                value,
                n,
                f"{statistic.name}, all agree: Clopper-Pearson over conversations",
                low=low,
                high=value,
                conversations=count,
            )
        if statistic.kind == "share" and statistic.all_agree is not None and abs(value) < ROUNDING_ERROR:
            none = f"{statistic.name}, never: Clopper-Pearson over conversations"
            return Estimate(value, n, none, low=value, high=at_most(0, count), conversations=count)
        return bare(ALIKE)
    furthest = int(spread.squares.argmax())
    low, high = _limits(statistic, value, error, count, n if units is None else units, shared)
    # A coefficient of very few labels may itself lie beyond what it can reach with many.
    low, high = min(value, max(statistic.low, low)), max(value, min(statistic.high, high))
    return Estimate(
        value,
        n,
        statistic.name,
        low=low,
        high=high,
        conversations=count,
        influential_part=int(called[furthest]),
        influence=float(spread.squares[furthest] / spread.total),
        error=error,
    )


def _limits(
    statistic: Statistic, value: float, error: float, conversations: int, units: int, shared: int | None
) -> Limits:
    if statistic.kind == "share":
        return korn_graubard(value, error, conversations, units)
    if statistic.kind == "coefficient":
        return fisher(value, error, (conversations if shared is None else shared) - 1)
    return symmetric(value, error, conversations - 1)
