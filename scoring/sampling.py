"""Drawing units so that the chance of each is known, and estimates that weigh each unit by its chance.

A draw cuts the units into strata and takes of each stratum h a fraction f_h of the units that no draw took
before: f_h = min(1, wanted_h / E[R_h]), where R_h is how many of h are not taken yet and E[R_h] the sum of 1
- chance over h. f_h * R_h of them are taken by simple random sampling, rounded up or down at random so that
the mean stays.

Why the chance is exactly 1 - prod (1 - f) over the draws, whatever strata follow whatever strata: f_h is made
of chances alone, never of who was taken; and whatever was taken before, each unit of h still there is taken
with the chance E[number taken] / R_h = f_h. So every draw multiplies the chance to be still there by 1 - f_h.
(Strata must not be made of who was taken either.) Where strata stay as they were, R_h = E[R_h] and exactly
wanted_h are taken.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scoring.agreement.intervals.bootstrap import Interval
from scoring.agreement.intervals.limits import symmetric
from scoring.arrays import Array, IntArray, Mask
from scoring.bad_input import BadInput
from scoring.leave_one_out import measure_spread

Allocation = Literal["proportional", "equal"]
NO_STRATUM = -1
ROUNDING_ERROR = (
    1e-9  # sums of chances are sums of floats; what is this near to a whole number is that number
)
METHOD = "weighted by chance, delete-one-conversation jackknife, t"
NO_LABELS = "nothing that was drawn has a label yet"
ONE_CONVERSATION = "an interval needs at least two conversations"
SPREADLESS = "every conversation says the same, so how much it varies by chance can't be estimated"


# Drawing


def expected_left(untaken: Array, strata: IntArray, count: int) -> Array:
    """Return, for each of `count` strata, the expected number of units that no draw has taken.

    Args:
        untaken: (N,), the chance of each unit that no draw took it.
        strata: (N,), the number of each unit's stratum, or NO_STRATUM (-1).
        count: number of strata.
    """
    inside = strata != NO_STRATUM
    return _whole_where_near(
        np.bincount(strata[inside], weights=untaken[inside], minlength=count).astype(np.float64)
    )


def allocate(
    size: int, room: Sequence[float], allocation: Allocation, random_share: float = 1.0
) -> list[float]:
    """Return how many of `size` units each stratum gets, at most its `room`; together min(size, all the
    room).

    Every stratum with room gets 1 (or its room, if that is less). "proportional": the rest by the room, one
    at a time by the method of Webster and Sainte-Laguë. "equal": by the room until `random_share` of the
    size is given away, then always to the stratum that has least. Numbers are whole where the room is.

    Raises:
        BadInput: `size` is smaller than the number of strata with room.
    """
    strata = sum(capacity > 0 for capacity in room)
    if size < strata:
        raise BadInput("size", f"expected at least 1 for each of {strata} strata, found {size}")
    given = [min(1.0, capacity) for capacity in room]
    _give(
        given,
        room,
        float(size)
        if allocation == "proportional"
        else float(math.ceil(random_share * size - ROUNDING_ERROR)),
        lambda h: -room[h] / (2 * given[h] + 1),
    )
    _give(given, room, float(size), lambda h: given[h])
    return given


def _give(given: list[float], room: Sequence[float], until: float, rank: Callable[[int], float]) -> None:
    """Hand out one at a time to the stratum of the lowest rank, larger strata first, until so many are given
    away.
    """
    total = math.fsum(given)
    waiting = [(rank(h), -room[h], h) for h in range(len(room)) if room[h] - given[h] > ROUNDING_ERROR]
    heapq.heapify(waiting)
    while waiting and until - total > ROUNDING_ERROR:
        _, _, h = heapq.heappop(waiting)
        step = min(1.0, room[h] - given[h], until - total)
        given[h], total = given[h] + step, total + step
        if room[h] - given[h] > ROUNDING_ERROR:
            heapq.heappush(waiting, (rank(h), -room[h], h))


def fractions(wanted: Sequence[float], room: Sequence[float]) -> Array:
    """Return the share of each stratum to draw: min(1, wanted / room), and 0 where the room is 0."""
    asked, left = np.asarray(wanted, dtype=np.float64), np.asarray(room, dtype=np.float64)
    made = np.minimum(1.0, np.divide(asked, left, out=np.zeros_like(asked), where=left > 0))
    return np.where(made > 1 - ROUNDING_ERROR, 1.0, made)


def take(
    strata: IntArray,
    free: Mask,
    fraction: Array,
    generator: np.random.Generator,
) -> IntArray:
    """Return the positions of the units that a draw takes, in a random order that mixes the strata.

    Only uniform numbers are asked of the generator, so that the same seed gives the same units under any
    version of numpy.

    Args:
        strata: (N,), the number of each unit's stratum, or NO_STRATUM (-1).
        free: (N,), whether no draw has taken the unit yet.
        fraction: (H,), the share of each stratum to draw; a fraction of a unit is rounded at random.
        generator: a seeded generator.
    """
    start, keys, order = generator.random(), generator.random(len(strata)), generator.random(len(strata))
    inside = np.flatnonzero((strata != NO_STRATUM) & free)
    left = np.bincount(strata[inside], minlength=len(fraction))
    number = _rounded_at_random(fraction * left, start)
    ranked = inside[np.lexsort((keys[inside], strata[inside]))]
    first = np.concatenate(([0], np.cumsum(left)[:-1])).astype(np.int64)
    in_stratum = np.arange(len(ranked)) - first[strata[ranked]]
    taken = ranked[in_stratum < number[strata[ranked]]]
    return taken[np.argsort(order[taken], kind="stable")]


def _rounded_at_random(exact: Array, start: float) -> IntArray:
    """Each number rounded up with its fractional part as chance; together as near to their sum as can be
    (systematic, Madow 1949).
    """
    exact = _whole_where_near(exact)
    down = np.floor(exact)
    ends = np.concatenate(([0.0], np.cumsum(exact - down))) + start
    return (down + np.diff(np.floor(ends))).astype(np.int64)


def _whole_where_near(numbers: Array) -> Array:
    nearest = np.round(numbers)
    return np.where(np.abs(numbers - nearest) < ROUNDING_ERROR * np.maximum(1.0, nearest), nearest, numbers)


# Estimating


@dataclass(frozen=True, slots=True)
class SampledUnit:
    """What was found of one unit that was drawn: `value` 0 to 1 (1: it has the property), `chance` above 0,
    at most 1.
    """

    conversation: int
    chance: float
    value: float


@dataclass(frozen=True)
class WeightedShare:
    """`share`: of all units, how many have the property (Hájek: sum of value/chance by sum of 1/chance), with
    its interval.

    `total`: how many that are (Horvitz-Thompson: sum of value/chance). Both None where `share.undefined` says
    why;
    `error` and `total_error`, their standard errors, also where there is no interval. `effective_n`: as many
    units drawn with equal chances would tell as much (Kish 1965: square of the sum of weights by the sum of
    their squares).
    """

    share: Interval
    error: float | None
    total: float | None
    total_error: float | None
    effective_n: float | None


def weighted(sampled: Sequence[SampledUnit], unreachable: int = 0) -> WeightedShare:
    """Estimate a share and a total over all units from those drawn, each weighted by one over its chance.

    The error is a delete-one-conversation jackknife without correction for a finite study, so it also
    covers how conversations like these would vary. Everything that was drawn must be in, or a random part
    of every draw. Units chosen by hand have no chance and must stay out. There is no value without units or
    with `unreachable` ones, and no interval for one conversation.

    Args:
        sampled: the drawn units.
        unreachable: number of units that had no chance in any draw.

    Raises:
        BadInput: a chance or value is out of range.
    """
    for number, sampled_unit in enumerate(sampled):
        if sampled_unit.chance is None or not 0 < sampled_unit.chance <= 1:
            raise BadInput(
                f"sampled[{number}].chance",
                f"expected a chance above 0, at most 1, found {sampled_unit.chance}",
            )
        if not 0 <= sampled_unit.value <= 1:
            raise BadInput(f"sampled[{number}].value", f"expected 0 to 1, found {sampled_unit.value}")
    if not sampled:
        return _cannot(NO_LABELS, 0)
    if unreachable:
        return _cannot(
            f"{unreachable} had no chance to be drawn, so nothing can be said of all", len(sampled)
        )
    weights = np.array([1 / sampled_unit.chance for sampled_unit in sampled])
    values = weights * np.array([sampled_unit.value for sampled_unit in sampled])
    _, group = np.unique([sampled_unit.conversation for sampled_unit in sampled], return_inverse=True)
    w, v = np.bincount(group, weights=weights), np.bincount(group, weights=values)
    share, total, count = float(v.sum() / w.sum()), float(v.sum()), len(w)
    effective = float(w.sum() ** 2 / (weights**2).sum())
    if count < 2:
        return WeightedShare(
            Interval(share, None, None, len(sampled), METHOD, ONE_CONVERSATION), None, total, None, effective
        )
    error = measure_spread((v.sum() - v) / (w.sum() - w)).error
    total_error = measure_spread(count / (count - 1) * (v.sum() - v)).error
    if error < ROUNDING_ERROR:
        return WeightedShare(
            Interval(share, None, None, len(sampled), METHOD, SPREADLESS), None, total, None, effective
        )
    low, high = symmetric(share, error, count - 1)
    return WeightedShare(
        Interval(share, max(0.0, low), min(1.0, high), len(sampled), METHOD),
        error,
        total,
        total_error,
        effective,
    )


def _cannot(reason: str, n: int) -> WeightedShare:
    return WeightedShare(Interval(None, None, None, n, METHOD, reason), None, None, None, None)
