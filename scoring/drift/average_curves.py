"""How curves of many conversations move: by turn, by condition, and from one condition to another.

Turns of one curve lean on each other (each stands on all before it), so that nothing is tested along a curve:
every conversation gives one slope, and what is estimated is the mean of slopes over conversations. Intervals
leave out one conversation at a time, or one person where one has several (intervals/jackknife.py); two
conditions that share persons are compared with them left out of both.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.agreement.intervals.additive_counts import divide_counts
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import ALIKE, RESTS_ON_ONE, ROUNDING_ERROR, Statistic, jackknife
from scoring.agreement.intervals.limits import symmetric
from scoring.arrays import Array, IntArray
from scoring.leave_one_out import measure_spread

NOBODY = "no conversation has a value here"
SLOPE = "mean over persons of the slopes of their conversations, least squares on turn number"


def _apart(counts: Array) -> Array:
    return divide_counts(counts[..., :2]) - divide_counts(counts[..., 2:])


MEAN = Statistic(
    "mean over conversations",
    divide_counts,
    lambda _: NOBODY,
    low=-np.inf,
    high=np.inf,
    all_agree=None,
    kind="amount",
    takes=lambda c: c[:, 1] > 0,
    shows=lambda c: c[:, 1] > 0,
)
APART = "difference of means over conversations"
ANY_NUMBER = (-np.inf, np.inf)


def slopes(values: Array) -> Array:
    """Return the least-squares slope of each curve on turn 1, 2, ..., in units of the value per turn.

    `values` (..., T) gives a result of shape (...,). NaN is a turn without a value and keeps its place. A
    curve with fewer than two values has slope NaN.
    """
    present = ~np.isnan(values)
    n = present.sum(axis=-1)
    turn = np.arange(1, values.shape[-1] + 1, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        away = np.where(present, turn - (present @ turn / n)[..., None], 0.0)
        return np.asarray(
            np.where(n > 1, (away * np.nan_to_num(values)).sum(axis=-1) / (away**2).sum(axis=-1), np.nan)
        )


def by_person(values: Array, part: IntArray) -> tuple[Array, IntArray]:
    """Return (means, persons): the mean of each person's numbers that are not NaN, and the person numbers.

    Persons are in ascending order. A person with no number has mean NaN.
    """
    sums = sums_by_part(values, part)
    people = np.unique(part).astype(np.int64)
    return divide_counts(sums[people]), people


def mean(
    values: Array,
    part: IntArray,
    method: str = MEAN.name,
    bounds: tuple[float, float] = ANY_NUMBER,
) -> Estimate:
    """Return the mean of one number per conversation, with a jackknife interval over persons.

    Args:
        values: (C,), NaN where a conversation has no number.
        part: (C,), the person of each conversation; conversations of one person are left out together.
        method: the name that the estimate carries.
        bounds: limits that no value can pass, so that the interval is cut there.

    Returns:
        An estimate whose `n` counts the conversations with a number; its value is None where there are
        none.
    """
    counts = sums_by_part(values, part)
    bounded = replace(MEAN, low=bounds[0], high=bounds[1])
    return replace(jackknife(bounded, counts, int(counts[:, 1].sum())), method=method)


def by_turn(values: Array, part: IntArray, bounds: tuple[float, float] = ANY_NUMBER) -> list[Estimate]:
    """Return the mean of each of T turns over the conversations that have a value there, as `mean` does.

    `n` falls as conversations end.

    Args:
        values: (C, T), NaN where a turn has no value or the conversation has ended.
        part: (C,), the person of each conversation; conversations of one person are left out together.
        bounds: limits that no value can pass.
    """
    return [mean(column, part, bounds=bounds) for column in values.T]


def difference(
    first: Array, first_part: IntArray, second: Array, second_part: IntArray, method: str = APART
) -> Estimate:
    """Return the mean of `first` less the mean of `second`, each one number per conversation, NaN for none.

    Parts with the same number are the same person. Persons of the first only, of the second only, and of
    both are strata of one jackknife, with degrees of freedom after Satterthwaite (1946): of different
    persons that is Welch's (1947) interval, of the same ones the paired one. A condition of three
    conversations is not made safer by a hundred in the other. The value is None, with a reason, where
    either side has no number.
    """
    parts = int(max(first_part.max(initial=-1), second_part.max(initial=-1))) + 1
    counts = np.concatenate(
        [sums_by_part(first, first_part, parts), sums_by_part(second, second_part, parts)], axis=1
    )
    counts = counts[(counts[:, 1] > 0) | (counts[:, 3] > 0)]
    total, n = counts.sum(axis=0), int(counts[:, 1].sum() + counts[:, 3].sum())
    value = float(_apart(total))
    if np.isnan(value):
        return undefined_estimate("one of the two has no conversation with a value", n, method, len(counts))
    without = _apart(total - counts)
    if np.isnan(without).any():
        return Estimate(value, n, method, no_interval=RESTS_ON_ONE, conversations=len(counts))
    variance, freedom = _spread(value, without, (counts[:, 1] > 0) + 2 * (counts[:, 3] > 0))
    if np.sqrt(variance) < ROUNDING_ERROR:
        return Estimate(value, n, method, no_interval=ALIKE, conversations=len(counts))
    low, high = symmetric(value, float(np.sqrt(variance)), freedom)
    return Estimate(value, n, method, low=low, high=high, conversations=len(counts))


def _spread(value: float, without: Array, stratum: IntArray) -> tuple[float, float]:
    """Variance and degrees of freedom. A stratum of one person has no spread of its own: how far the value
    moves without them stands for it.
    """
    variances, shares = [], []
    for level_ in np.unique(stratum):
        here = without[stratum == level_]
        size = len(here)
        variances.append(measure_spread(here).variance if size > 1 else float((here[0] - value) ** 2))
        shares.append(variances[-1] ** 2 / max(size - 1, 1))
    return sum(variances), sum(variances) ** 2 / sum(shares) if sum(shares) > 0 else 1.0


def sums_by_part(values: Array, part: IntArray, parts: int | None = None) -> Array:
    """Return (parts, 2): the sum of each part's values that are not NaN, and how many they are.

    Row k belongs to part number k. Without `parts` there are as many rows as the largest number plus one.
    """
    known = ~np.isnan(values)
    size = parts if parts is not None else int(part.max(initial=-1)) + 1
    return np.stack(
        [np.bincount(part[known], values[known], size), np.bincount(part[known], minlength=size)], axis=1
    ).astype(float)
