"""Days gathered into periods that follow each other without a gap: a week in which nothing was said keeps its
place.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from re import compile as compile_pattern
from typing import Any, Literal

import numpy as np

from scoring.arrays import IntArray, small_column
from scoring.bad_input import BadInput

Length = Literal["day", "week", "month"]
LENGTHS: tuple[Length, ...] = ("day", "week", "month")
MAX_PERIODS = 520  # ten years of weeks; of more, nothing can be seen
MIN_PERIODS_FOR_TREND = 8  # periods with a value, from which on a trend is told in more than words
EPOCH = date(1970, 1, 1)
UNKNOWN = -1  # no moment is known
ISO_DATE = compile_pattern(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, eq=False)
class Periods:
    """`first`: the first day of each period; `of` (N,): the period of each moment, UNKNOWN where its day is
    not known.
    """

    length: Length
    first: tuple[date, ...]
    of: IntArray = small_column()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of each period: "2026-03" for a month, else the ISO date of its first day."""
        return tuple(f"{one:%Y-%m}" if self.length == "month" else one.isoformat() for one in self.first)


def periods(days: IntArray, length: Length) -> Periods:
    """Divide days into consecutive periods, from the first known day's to the last's, without gaps.

    Weeks begin on Monday, months on the 1st. Without any known day there are no periods and `of` is UNKNOWN
    (-1) throughout.

    Args:
        days: (N,), days since 1970-01-01 in UTC; UNKNOWN where not known.
        length: "day", "week" or "month".

    Raises:
        BadInput: there would be more than MAX_PERIODS (520) periods.
    """
    dated = days[days > UNKNOWN]
    if not len(dated):
        return Periods(length, (), np.full(len(days), UNKNOWN, dtype=np.int64))
    every, inverse = np.unique(days, return_inverse=True)
    begins = np.array(
        [
            _begin(EPOCH + timedelta(days=day), length).toordinal() if day > UNKNOWN else UNKNOWN
            for day in every.tolist()
        ],
        dtype=np.int64,
    )
    first, last = date.fromordinal(int(begins[every > UNKNOWN].min())), date.fromordinal(int(begins.max()))
    first_days = [first]
    while first_days[-1] < last:
        first_days.append(_after(first_days[-1], length))
        if len(first_days) > MAX_PERIODS:
            raise BadInput(
                "period",
                f"from {first} to {last} there are more than {MAX_PERIODS} {length}s: choose longer periods",
            )
    place = np.searchsorted(np.array([day.toordinal() for day in first_days]), begins)
    return Periods(length, tuple(first_days), np.where(begins > UNKNOWN, place, UNKNOWN)[inverse])


def fitting(days: IntArray) -> Length:
    """Return the period length that suits the span of `days`: "day" below 56 days, "week" below 420, else
    "month".

    Days that are UNKNOWN (-1) are ignored; without any known day the answer is "day".
    """
    known = days[days > UNKNOWN]
    span = int(np.ptp(known)) if len(known) else 0
    return "day" if span < 7 * MIN_PERIODS_FOR_TREND else "week" if span < 7 * 60 else "month"


def _begin(day: date, length: Length) -> date:
    return (
        day
        if length == "day"
        else day - timedelta(days=day.weekday())
        if length == "week"
        else day.replace(day=1)
    )


def _after(begin: date, length: Length) -> date:
    if length == "month":
        return (begin.replace(day=28) + timedelta(days=4)).replace(day=1)
    return begin + timedelta(days=1 if length == "day" else 7)


def day_of(text: Any) -> int:
    """Return days since 1970-01-01 (in UTC) of an ISO date or date and time.

    A time zone is converted to UTC; a time without one is taken as it is. UNKNOWN (-1) is returned for
    anything else, and for days before 1970.
    """
    if not isinstance(text, str) or not ISO_DATE.match(text.strip()):
        return UNKNOWN
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return UNKNOWN
    day: date = (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    return max((day - EPOCH).days, UNKNOWN)
