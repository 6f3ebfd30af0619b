"""Estimates in words: n beside every number, an interval or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from data.keeping.erase import StudyWords
from data.labels.begun_work import BegunWork
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.people.rounds import AgreementShare
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS
from words.figures import decimal, percent, signed_decimal
from words.plurals import count, inflect, join_words

CANNOT = "cannot be estimated"
MAX_DIGITS = 6
# Programs that read the files know these fields by an older name.
NAMES_IN_FILES = {"influential_part": "hinge", "influence": "hinge_share"}


def share(estimate: Estimate) -> str:
    """Return "83% (plausible range 79% to 87%)", or CANNOT without a value."""
    return CANNOT if estimate.value is None else f"{percent(estimate.value)} ({interval_words(estimate)})"


def interval_words(estimate: Estimate) -> str:
    """Return "plausible range 79% to 87%", or "no interval: " and the reason."""
    if estimate.low is None or estimate.high is None:
        return f"no interval: {estimate.no_interval}"
    return f"plausible range {percent(estimate.low)} to {percent(estimate.high)}"


def odds(chance: float) -> str:
    """Return "about 6 of 10" for 0.58; "fewer than 1 of 10" below 0.05, "more than 9 of 10" from 0.95."""
    if chance < 0.05:
        return "fewer than 1 of 10"
    return "more than 9 of 10" if chance >= 0.95 else f"about {decimal(10 * chance, 0)} of 10"


def percent_or_none(estimate: Estimate) -> str:
    """Return "83%", or "none" without a value."""
    return "none" if estimate.value is None else percent(estimate.value)


def number(estimate: Estimate, digits: int = 2) -> str:
    """Return "0.54", or CANNOT, ": " and the reason."""
    return f"{CANNOT}: {estimate.undefined}" if estimate.value is None else decimal(estimate.value, digits)


def limits(estimate: Estimate, digits: int = 2, bars: Sequence[float] = (0.0,)) -> str:
    """Return "0.42 to 0.65", with a note if conversations are few; "" without a value, "none: ..." without
    an interval.

    `bars`: values that a rounded limit must not fall on by rounding alone.
    """
    if estimate.value is None:
        return ""
    if estimate.low is None or estimate.high is None:
        return f"none: {estimate.no_interval}"
    low, high = (write_limit(limit, digits, bars) for limit in (estimate.low, estimate.high))
    return f"{low} to {high}{_rough(estimate)}"


def write_limit(limit: float, digits: int, bars: Sequence[float] = (0.0,)) -> str:
    """Return a limit with as many more digits as show on which side of each bar it lies.

    "-0.004" for example, where "-0.00" would not tell whether the interval holds 0.
    """
    while digits < MAX_DIGITS and any(
        abs(limit - bar) > 1e-9 and float(decimal(limit, digits)) == float(decimal(bar, digits))
        for bar in bars
    ):
        digits += 1
    return decimal(limit, digits)


def _rough(estimate: Estimate) -> str:
    few = estimate.conversations is not None and estimate.conversations < MINIMUM_CONVERSATIONS
    return ", too little data to rely on" if few else ""


def average_levels(bias: Estimate, whom: str = "them") -> str:
    """Return "on average 0.35 levels below them (0.14 to 0.56)"; "" without a value.

    "away from" instead of a direction where the value rounds to 0.
    """
    if bias.value is None:
        return ""
    way = _way(bias.value)
    return (
        f"on average {decimal(abs(bias.value), 2)} levels {way or 'away from'} {whom} ({_level_limits(bias)})"
    )


def _level_limits(bias: Estimate) -> str:
    if bias.value is None or bias.low is None or bias.high is None:
        return f"no interval: {bias.no_interval}"
    way = _way(bias.value)
    ends = (bias.high, bias.low) if way == "below" else (bias.low, bias.high)
    sizes = [decimal(abs(end), 2) for end in ends]
    if any(_way(end) not in ("", way) for end in ends):
        sizes = [f"{size} {_way(end)}".strip() for size, end in zip(sizes, ends, strict=True)]
    return f"{' to '.join(sizes)}{_rough(bias)}"


def levels_away(levels: float) -> str:
    """Return "1.62 levels above" or "below"; "no levels" if it rounds to 0."""
    size, way = decimal(abs(levels), 2), _way(levels)
    return f"{size} {inflect(float(size), 'level', 'levels')} {way}" if way else "no levels"


def _way(levels: float) -> str:
    """Nothing where it rounds to nothing."""
    if float(decimal(abs(levels), 2)) == 0:
        return ""
    return "above" if levels > 0 else "below"


def number_with_limits(estimate: Estimate) -> str:
    """Return "0.54 (0.42 to 0.65)", "0.54 (no interval: ...)", or CANNOT without a value."""
    if estimate.value is None:
        return CANNOT
    why_none = f"no interval: {estimate.no_interval}" if estimate.low is None else ""
    return f"{number(estimate)} ({why_none or limits(estimate)})"


def agreement_share(share: AgreementShare) -> str:
    """Return "5 of 6, 83% (40% to 100%)", or why there is no value or interval."""
    if share.value is None:
        return f"{CANNOT}: {share.undefined}"
    return f"{share.same:,} of {share.pairs:,}, {percent(share.value)} ({_limits(share, percent)})"


def agreement_change(share: AgreementShare) -> str:
    """Return "+10 points (-5 to +20)", or why there is no value or interval."""
    if share.value is None:
        return f"{CANNOT}: {share.undefined}"
    value = signed_points(share.value)
    return f"{value} {inflect(abs(float(value)), 'point', 'points')} ({_limits(share, signed_points)})"


def _limits(share: AgreementShare, words: Callable[[float], str]) -> str:
    if share.low is None or share.high is None:
        return f"no interval: {share.undefined}"
    return f"{words(share.low)} to {words(share.high)}"


def listed(names: list[str], most: int = 6) -> str:
    """Return "a, b and c"; with more than `most` names "a, b and 3 more"."""
    shown, more = names[:most], len(names) - most
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return join_words(shown)


def plain_words(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate's fields that are not None, by their names in files, for a program; the field
    "hinge" is left out.
    """
    fields = asdict(estimate, dict_factory=name_fields_of_files)
    return {name: value for name, value in fields.items() if value is not None and name != "hinge"}


def name_fields_of_files(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return a data class's fields by their names in files, for `asdict`."""
    return {NAMES_IN_FILES.get(name, name): value for name, value in fields}


def signed_points(difference: float, digits: int = 0) -> str:
    """Return a difference of shares in percentage points: "+4" for 0.04, "0" for what rounds to 0."""
    return signed_decimal(100 * difference, digits)


def describe_time(minutes: float | None, units_left: int | None) -> str:
    """Return for example "about 3 hours of work left, about 4 min each".

    "" if `minutes` (per unit) is None; only the pace if `units_left` is None or 0.
    """
    if minutes is None:
        return ""
    pace = "under a minute each" if minutes < 0.75 else f"about {decimal(max(minutes, 1), 0)} min each"
    if not units_left:
        return pace
    return f"about {describe_minutes(minutes * units_left)} of work left, {pace}"


def describe_minutes(minutes: float) -> str:
    """Return a coarse duration: "5 min", "40 min", "1.5 hours", "12 hours"; at least "1 min"."""
    if minutes < 55:
        whole = max(1, round(minutes))
        return f"{whole if whole <= 10 else 5 * round(whole / 5)} min"
    hours = round(minutes / 30) / 2 if minutes < 5 * 60 else float(round(minutes / 60))
    return f"{decimal(hours, 0 if hours.is_integer() else 1)} {inflect(hours, 'hour', 'hours')}"


def word_begun_work(work: BegunWork) -> str:
    """Return for example "Continue: conversation 6 of 50, about 40 min left", or "Continue: number 6 of your
    list" if the rater shares the work.
    """
    place = (
        f"number {work.place:,} of your list"
        if work.total is None
        else f"{work.study.noun.singular} {work.place:,} of {work.total:,}"
    )
    return f"Continue: {place}" + (
        "" if work.minutes is None else f", about {describe_minutes(work.minutes)} left"
    )


def describe_time_left(seconds: float | None) -> str:
    """Return for example "about 20 s left", "about 3 min left", "a few seconds left"; "" for None."""
    if seconds is None:
        return ""
    if seconds < 7.5:
        return "a few seconds left"
    if seconds < 52.5:
        return f"about {5 * round(seconds / 5)} s left"
    return f"about {describe_minutes(seconds / 60)} left"


def describe_erasure(words: StudyWords) -> str:
    """Return what erasing a study's words takes, what stays, and that it can't be undone."""
    conversations = count(words.conversations, "conversation", "conversations")
    elsewhere = (
        f" Conversations shared with {join_words(words.elsewhere)} lose their words there, too."
        if words.elsewhere
        else ""
    )
    return (
        f"This erases {count(words.texts, 'text', 'texts')}: the words of {conversations}, and all notes, "
        f"reasons, comments and replies of judges.{elsewhere} Labels, numbers, ids, names and titles stay. "
        "It can't be undone, and backups made earlier still contain the words."
    )
