"""Raters over time, rater by rater: how each moved, then levels, the same label again and minutes as a chart
(a panel for each rater, all on the same axes) and as a table; and the calibration rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from reports.document import Panel, PanelPoint, Panels, Table
from reports.drift.rater_words import describe_movement, measure_name, moved, pace, steady
from reports.drift.raters import RaterDrift
from reports.wording import (
    CANNOT,
    agreement_share,
    interval_words,
    limits,
    listed,
    number,
    percent_or_none,
)
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.people.rounds import AgreementShare
from scoring.confidence import ALPHA
from scoring.drift.periods import MIN_PERIODS_FOR_TREND
from scoring.drift.rater_habits import RatingMinutes, RepeatShare
from scoring.drift.recalibrate import share_below
from words.figures import chance, decimal, percent, signed_decimal
from words.plurals import count

UNITS = {"day": "day", "week": "week, by its Monday", "month": "month"}
BEGIN = {"day": "Day (UTC)", "week": "Week from (UTC)", "month": "Month (UTC)"}


def rater_table(drift: RaterDrift) -> Table:
    """Return the table "raters_moved", one row per rater in the order of `drift.names`.

    A row holds the rater, units rated, conversations compared, the means of both halves, the slope in 4
    weeks with its interval, the p value after Holm, what the rater did, and the trend by period. Numbers
    are "" for a rater who can't be compared.
    """
    moving = _describe_trends(
        drift, {rater: [estimate.value for estimate in some] for rater, some in drift.levels.items()}
    )
    rows: list[tuple[str, ...]] = []
    for rater, name in drift.names.items():
        movement, (shape, seen) = drift.movements.get(rater), describe_movement(drift, rater)
        numbers: tuple[str, ...] = ("0", *[""] * 5)
        if movement is not None:
            slope, adjusted = movement.slope, movement.adjusted
            numbers = (
                f"{movement.conversations:,}",
                *(
                    CANNOT if half is None else signed_decimal(half, 2)
                    for half in (movement.first, movement.second)
                ),
                "" if slope.value is None else signed_decimal(slope.value, 2),
                limits(slope),
                "" if adjusted is None else chance(adjusted),
            )
        rows.append(
            (
                name,
                f"{int((drift.source.moments.rater == rater).sum()):,}",
                *numbers,
                f"not tested: {seen}" if shape == "unknown" else seen,
                moving.get(rater, "") if movement is not None else "",
            )
        )
    header = (
        "Rater",
        f"{drift.source.noun.plural.capitalize()} rated",
        "Conversations compared",
        "First half",
        "Second half",
        "In 4 weeks",
        "95% interval",
        "p after Holm",
        "The rater",
        f"{drift.periods.length.capitalize()} by {drift.periods.length}",
    )
    return Table(
        "raters_moved",
        f"{measure_name(drift).capitalize()}, own minus the others', over time",
        header,
        rows,
        (1, 2, 3, 4, 5, 7),
    )


def level_panels(drift: RaterDrift) -> Panels | None:
    """Return the chart "levels", a panel per rater with a point per period; None if no rater shares work
    with another.

    A point is the rater's level minus the others', or the share failing where scales have no order.
    """
    return _panels(
        drift,
        "levels",
        moved(drift),
        "levels, own minus the others'" if drift.source.ordered else "share failing, own minus the others'",
        {
            rater: (sum(estimate.n for estimate in some), list(map(PanelPoint.of, some)))
            for rater, some in drift.levels.items()
            if any(estimate.n for estimate in some)
        },
        "labels",
        line=0.0,
        line_name="same as the others",
    )


def levels_table(drift: RaterDrift) -> Table:
    """Return the table "rater_levels" of each rater's difference from the others, its interval and number
    of labels, by period.
    """

    def describe(estimate: Estimate) -> tuple[str, ...]:
        value = number(estimate) if estimate.value is None else signed_decimal(estimate.value, 2)
        return value if estimate.n else "none", limits(estimate), f"{estimate.n:,}"

    return _tabulate(
        drift,
        "rater_levels",
        f"Own minus the others' mean on the same {drift.source.noun.singular} and question",
        ("Difference", "95% interval", "Labels"),
        {rater: list(map(describe, some)) for rater, some in drift.levels.items()},
        (2, 4),
    )


def same_panels(drift: RaterDrift) -> Panels | None:
    """Return the chart "same", a panel per rater of the share of same labels again, a point per period;
    None if there are none. A line marks the threshold.
    """
    threshold = drift.source.threshold
    return _panels(
        drift,
        "same",
        steady(drift),
        "same label again",
        {
            rater: (drift.same[rater].pairs, [PanelPoint.of(repeats.share) for repeats in some])
            for rater, some in drift.same_by_period.items()
        },
        "repeated labels",
        line=threshold,
        line_name=f"threshold {percent(threshold)}",
        percents=True,
    )


def same_table(drift: RaterDrift) -> Table:
    """Return the table "same_again" by rater and period: "3 of 4" ("none" without pairs), percent and
    interval; each rater's total has the trend.
    """

    def describe(repeats: RepeatShare) -> tuple[str, ...]:
        share = repeats.share
        return (
            f"{repeats.same:,} of {repeats.pairs:,}" if repeats.pairs else "none",
            percent_or_none(share),
            "" if share.value is None else interval_words(share).removeprefix("plausible range "),
        )

    moving = _describe_trends(
        drift,
        {rater: [repeats.share.value for repeats in some] for rater, some in drift.same_by_period.items()},
    )
    return _tabulate(
        drift,
        "same_again",
        "The same label again on hidden repeats",
        ("Same", "Percent", "95% interval", "Over time"),
        {
            rater: [(*describe(repeats), "") for repeats in some]
            for rater, some in drift.same_by_period.items()
        },
        (2, 3),
        {rater: (*describe(drift.same[rater]), words) for rater, words in moving.items()},
    )


def minute_panels(drift: RaterDrift) -> Panels | None:
    """Return the chart "minutes", a panel per rater of the median minutes per unit with the middle half, a
    point per period; None if no time is known.
    """
    return _panels(
        drift,
        "minutes",
        pace(drift),
        f"minutes for a {drift.source.noun.singular}",
        {
            rater: (
                drift.minutes[rater].n,
                [PanelPoint(each.median, each.low, each.high, each.n) for each in some],
            )
            for rater, some in drift.minutes_by_period.items()
            if drift.minutes[rater].n
        },
        drift.source.noun.plural,
        digits=1,
    )


def minutes_table(drift: RaterDrift) -> Table:
    """Return the table "minutes" by rater and period: median ("unknown" without any), middle half and
    number of units; each rater's total has the trend.
    """

    def describe(minutes: RatingMinutes) -> tuple[str, ...]:
        low, high = minutes.low, minutes.high
        return (
            "unknown" if minutes.median is None else decimal(minutes.median, 1),
            "" if low is None or high is None else f"{decimal(low, 1)} to {decimal(high, 1)}",
            f"{minutes.n:,}",
        )

    moving = _describe_trends(
        drift, {rater: [each.median for each in some] for rater, some in drift.minutes_by_period.items()}
    )
    return _tabulate(
        drift,
        "minutes",
        f"Minutes for a {drift.source.noun.singular}",
        ("Median", "Middle half", drift.source.noun.plural.capitalize(), "Over time"),
        {rater: [(*describe(each), "") for each in some] for rater, some in drift.minutes_by_period.items()},
        (2, 4),
        {rater: (*describe(drift.minutes[rater]), words) for rater, words in moving.items()},
    )


CHARTS: tuple[tuple[Callable[[RaterDrift], Panels | None], Callable[[RaterDrift], Table]], ...] = (
    (level_panels, levels_table),
    (same_panels, same_table),
    (minute_panels, minutes_table),
)


def _panels(
    drift: RaterDrift,
    key: str,
    title: str,
    y_name: str,
    points: Mapping[int, tuple[int, Sequence[PanelPoint]]],
    n_of: str,
    *,
    digits: int = 2,
    line: float | None = None,
    line_name: str = "",
    percents: bool = False,
) -> Panels | None:
    """`points`: of each rater, with n of all of them; None without any."""
    if not points:
        return None
    return Panels(
        key,
        title,
        f"{UNITS[drift.periods.length]} (UTC)",
        y_name,
        drift.periods.names,
        tuple(Panel(f"{drift.names[rater]}, n {n:,}", tuple(some)) for rater, (n, some) in points.items()),
        n_of,
        digits,
        line,
        line_name,
        percents,
    )


def _tabulate(
    drift: RaterDrift,
    key: str,
    caption: str,
    header: tuple[str, ...],
    cells: Mapping[int, Sequence[tuple[str, ...]]],
    numeric: tuple[int, ...],
    together: Mapping[int, tuple[str, ...]] | None = None,
) -> Table:
    """`cells`: of each rater and period; `together`: of each rater over all periods."""
    rows = []
    for rater, some in cells.items():
        periods = [*zip(drift.periods.names, some, strict=True)]
        every = [("all together", together[rater]), *periods] if together else periods
        rows += [(drift.names[rater], name, *row) for name, row in every]
    return Table(key, caption, ("Rater", BEGIN[drift.periods.length], *header), rows, numeric)


def _describe_trends(drift: RaterDrift, series: Mapping[int, Sequence[float | None]]) -> dict[int, str]:
    """Whether the periods of each rater rise or fall."""
    each = drift.periods.length
    return {
        rater: (
            f"only {count(valued, each, f'{each}s')} with a value; {MIN_PERIODS_FOR_TREND} are needed"
            if valued < MIN_PERIODS_FOR_TREND
            else f"{'rises' if sign > 0 else 'falls'} (p {chance(p)} after Holm)"
            if p is not None and p < ALPHA
            else "no clear trend"
        )
        for rater, (p, sign, valued) in drift.trends(series).items()
    }


def rounds_table(drift: RaterDrift) -> Table | None:
    """Return a table of calibration rounds, newest first; None if there was none.

    For a rater, their agreement with the others; for a lead, everybody's, and who lies below the threshold.
    """
    if not drift.rounds:
        return None
    threshold = drift.source.threshold
    rows: list[tuple[str, ...]] = []
    for result in drift.rounds:
        shares = {rater: result.of(rater).share for rater in drift.names if rater in result.raters}
        below: tuple[str, ...] = ()
        if drift.own:
            mine = result.of(next(iter(drift.names)))
            cells = ("after" if mine.again else "before", agreement_share(mine.share))
            last = mine.share
        else:
            before, after = result.shares
            last = after if after.pairs else before
            cells = (
                agreement_share(before),
                agreement_share(after) if after.pairs else "not rated again yet",
            )
            names = [drift.names[rater] for rater, share in shares.items() if share_below(share, threshold)]
            below = (listed(names, 20) or "nobody",)
        rows.append(
            (result.title, result.at[:10], *cells, percent(threshold), _below(last, threshold), *below)
        )
    header = (
        ("Discussion", "You and the others: same label", "Threshold now", "")
        if drift.own
        else ("Before the discussion", "After it", "Threshold now", "All together", "Raters below it")
    )
    return Table(
        "calibration",
        "Calibration rounds: pairs of raters who gave the same label",
        ("Round", "Started (UTC)", *header),
        rows,
        (4,),
    )


def _below(share: AgreementShare, threshold: float) -> str:
    return "" if share.value is None else "below" if share_below(share, threshold) else "not below"
