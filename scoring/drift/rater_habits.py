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
    """Of one rater; the interval leaves out one conversation at a time. Where all conversations show the same
    share, that is Clopper and Pearson's over conversations, as in agreement/people/rounds.py: nobody who is
    never the same again goes unnoticed.
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
    """`periods`: of `pairs`, by the day of the second answer."""
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
    """Of the minutes of units, NaN where not known."""
    some = known[~np.isnan(known)]
    if not len(some):
        return RatingMinutes(0, None, None, None)
    low, middle, high = np.percentile(some, [25, 50, 75]).tolist()
    return RatingMinutes(len(some), middle, low, high)


def minutes_by_period(known: Array, periods: Periods) -> list[RatingMinutes]:
    return [minutes(known[periods.of == place]) for place in range(len(periods.first))]


def over_periods(series: Sequence[float | None]) -> tuple[float | None, int, int]:
    """(p of Mann and Kendall's test, +1 rising or -1 falling or 0, periods with a value). p None with fewer
    than MIN_PERIODS_FOR_TREND of them.
    """
    known = sum(one is not None for one in series)
    if known < MIN_PERIODS_FOR_TREND:
        return None, 0, known
    mann_kendall = trend(series).mann_kendall
    return (None, 0, known) if mann_kendall is None else (mann_kendall.p, int(np.sign(mann_kendall.s)), known)
