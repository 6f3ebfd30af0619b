"""How steady raters are with themselves and how long a unit takes them, over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.intervals.additive_counts import over_conversations, ratio
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import ALIKE
from scoring.agreement.intervals.proportions import clopper_pearson
from scoring.agreement.people.repeats import NO_REPEATS, RepeatedAnswer
from scoring.agreement.significance_tests.trend import trend
from scoring.arrays import Array
from scoring.drift.periods import MIN_PERIODS_FOR_TREND, Periods

_SAME = ratio("same label again", NO_REPEATS, all_agree=1.0)


@dataclass(frozen=True)
class RepeatShare:
    """`same` of `pairs` answers were the same again."""

    same: int
    pairs: int
    share: Estimate


@dataclass(frozen=True)
class RatingMinutes:
    """Of the `n` units whose time is known: half of them took `low` to `high` minutes. All None without
    any.
    """

    n: int
    median: float | None
    low: float | None
    high: float | None


def same_again(pairs: Sequence[RepeatedAnswer]) -> RepeatShare:
    """Return how often one rater gave the same label again, 0 to 1, with an interval over conversations.

    Where all conversations show the same share, the interval is Clopper and Pearson's over conversations
    instead of the jackknife. Without pairs the share's value is None.
    """
    same, n = sum(repeated_answer.first == repeated_answer.second for repeated_answer in pairs), len(pairs)
    share = over_conversations(
        _SAME,
        (
            (repeated_answer.conversation, (repeated_answer.first == repeated_answer.second, 1))
            for repeated_answer in pairs
        ),
        (2,),
        n,
    )
    if share.no_interval == ALIKE and share.value is not None and share.conversations:
        exact = clopper_pearson(round(share.value * share.conversations), share.conversations)
        share = replace(
            share,
            method=f"{share.method}, Clopper-Pearson over conversations",
            no_interval=None,
            low=min(exact.low or 0.0, share.value),
            high=max(1.0 if exact.high is None else exact.high, share.value),
        )
    return RepeatShare(same, n, share)


def same_by_period(pairs: Sequence[RepeatedAnswer], periods: Periods) -> list[RepeatShare]:
    """Return `same_again` of the pairs in each period, in the order of the periods.

    `periods.of` has one entry per pair, by the day of its second answer.
    """
    return [
        same_again(
            [
                repeated_answer
                for repeated_answer, at in zip(pairs, periods.of.tolist(), strict=True)
                if at == place
            ]
        )
        for place in range(len(periods.first))
    ]


def minutes(known: Array) -> RatingMinutes:
    """Return how many of `known` are not NaN, and their median and quartiles, in minutes."""
    some = known[~np.isnan(known)]
    if not len(some):
        return RatingMinutes(0, None, None, None)
    low, middle, high = np.percentile(some, [25, 50, 75]).tolist()
    return RatingMinutes(len(some), middle, low, high)


def minutes_by_period(known: Array, periods: Periods) -> list[RatingMinutes]:
    """Return `minutes` of each period, in order; `periods.of` has one entry per entry of `known`."""
    return [minutes(known[periods.of == place]) for place in range(len(periods.first))]


def over_periods(series: Sequence[float | None]) -> tuple[float | None, int, int]:
    """Test whether a series of one value per period rises or falls (Mann and Kendall).

    None is a period without a value.

    Returns:
        (p, direction, periods with a value); direction is 1 rising, -1 falling or 0. With fewer than
        MIN_PERIODS_FOR_TREND (8) values p is None and direction 0.
    """
    known = sum(one is not None for one in series)
    if known < MIN_PERIODS_FOR_TREND:
        return None, 0, known
    mann_kendall = trend(series).mann_kendall
    return (None, 0, known) if mann_kendall is None else (mann_kendall.p, int(np.sign(mann_kendall.s)), known)
