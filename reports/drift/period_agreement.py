"""Agreement with the judge, period by period: what the line says, in sentences and tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reports.document import Block, Panel, PanelPoint, Panels, Paragraph, Table
from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import mark_change
from reports.wording import limits, number, share, signed_points
from scoring.agreement.intervals.estimate import Estimate
from scoring.drift.periods import MIN_PERIODS_FOR_TREND
from words.figures import chance, percent
from words.plurals import count, inflect

MISSES = (
    "The test looks for one rise or fall from end to end, so it misses a fall followed by a rise. A period "
    "with few labels counts as much as one with many."
)
NOT_KNOWN = "unknown"


def title(shown: PeriodView) -> str:
    """Return the title of the line: that days are unknown, too few periods, no clear rise or fall, or
    which.

    For example "Agreement with the judge is falling over 12 weeks".
    """
    line, each = shown.line, shown.length
    if not line.known:
        return "Agreement with the judge: the day is unknown"
    if line.known < MIN_PERIODS_FOR_TREND:
        return f"Agreement with the judge in {count(line.known, each, each + 's')}: too few to test a trend"
    if not shown.trend.named:
        return (
            "Agreement with the judge: no clear steady rise or fall over "
            f"{count(line.known, each, each + 's')}"
        )
    return (
        f"Agreement with the judge is {'rising' if shown.trend.direction > 0 else 'falling'} over "
        f"{count(line.known, each, each + 's')}"
    )


def blocks(shown: PeriodView) -> Iterator[Block]:
    """Yield the sentences and tables below the line of agreement."""
    line, each = shown.line, shown.length
    valued_periods = [
        (name, period)
        for name, period in zip(shown.begin_names, line.periods, strict=True)
        if period.agreement.value is not None
    ]
    if line.known < MIN_PERIODS_FOR_TREND:
        ends = [valued_periods[0], valued_periods[-1]] if len(valued_periods) > 1 else valued_periods
        yield Paragraph(
            "Agreement "
            + "; ".join(
                f"{'on' if each == 'day' else 'in'} {name}: {share(period.agreement)}, {period.same:,} of "
                f"{count(period.pairs, 'label', 'labels')} the same"
                for name, period in ends
            )
            + f". A trend needs {MIN_PERIODS_FOR_TREND} {each}s with a value; there "
            f"{inflect(line.known, 'is', 'are')} {line.known}."
        )
    else:
        slope = (
            ""
            if line.theil_sen is None
            else f"; the median slope is {slope_in_points(line.theil_sen)} per 4 weeks"
        )
        fixed = (
            ""
            if line.fixed_sen is None
            else f" ({slope_in_points(line.fixed_sen)} with the mix of cases kept the same)"
        )
        trend_word = {1: "rising", -1: "falling"}.get(
            shown.trend.direction if shown.trend.named else 0, "no clear steady rise or fall"
        )
        p = (
            ""
            if shown.trend.p is None or shown.trend.corrected is None
            else f" (p {chance(shown.trend.p)}, corrected {chance(shown.trend.corrected)})"
        )
        yield Paragraph(
            f"Agreement: {trend_word}{p}{slope}{fixed}.", "strong" if shown.trend.named else "plain"
        )
        yield Paragraph(MISSES, "small")
    yield from _always(shown)
    if shown.source.units.weighted:
        yield Paragraph(
            "The sample was chosen with different chances. Shares are weighted by these chances; counts of "
            "labels are not.",
            "small",
        )
    yield from _gaps(shown)
    if shown.undated:
        yield Paragraph(
            f"{count(shown.undated, 'label', 'labels')} compared with the judge's "
            f"{inflect(shown.undated, 'has', 'have')} no known day and "
            f"{inflect(shown.undated, 'is', 'are')} not on the line: the imported file gives no date.",
            "small",
        )


def _always(shown: PeriodView) -> Iterator[Block]:
    """What being the same is worth: a judge that says the commonest label of everything."""
    pairs = sum(period.pairs for period in shown.line.periods)
    if pairs:
        same = sum(number for number, _ in shown.always)
        yield Paragraph(
            f"A judge that always gave the commonest label for each question would agree on {same:,} of "
            f"{pairs:,} labels ({percent(same / pairs)}); the judge actually agrees on "
            f"{sum(period.same for period in shown.line.periods):,}.",
            "small",
        )


def _gaps(shown: PeriodView) -> Iterator[Block]:
    """What of the line with a fixed mix cannot be drawn, and what to do."""
    valued = [period for period in shown.line.periods if period.agreement.value is not None]
    gaps = sum(period.fixed is not None and period.fixed.value is None for period in valued)
    each = shown.length
    if not any(period.fixed for period in valued):
        why = (
            "under \u201cGroup cases by\u201d, choose a fact that differs between cases"
            if shown.by is None
            else "all labels are from one condition"
        )
        yield Paragraph(f"There is no line with the mix of cases kept the same: {why}.", "small")
        return
    yield Paragraph(
        "With the mix of cases kept the same (a constant mix), each condition has the same weight in every "
        "period as it has overall, so that a change in the cases does not look like a change in the "
        "judge. A period in which a condition is missing is a gap.",
        "small",
    )
    if 2 * gaps > len(valued):
        longer = "longer periods or another division" if shown.length != "month" else "another division"
        yield Paragraph(
            f"In {gaps} of {count(len(valued), each, each + 's')} a condition is missing, so the line with "
            "the mix of cases kept the same is mostly gaps: "
            f"choose {longer}."
        )


def slope_in_points(slope: float) -> str:
    """Return a slope in shares as "+1.2 percentage points"."""
    return f"{signed_points(slope, 1)} percentage points"


def agreement_chart(shown: PeriodView) -> Panels:
    """Return the chart "agreement_over_time": one panel without a name, with the share of labels that equal
    the judge's, a point per period.
    """
    return Panels(
        "agreement_over_time",
        title(shown),
        f"each {shown.length}",
        "labels equal to the judge's",
        shown.periods.names,
        (Panel("", tuple(PanelPoint.of(period.agreement) for period in shown.line.periods)),),
        "labels",
        percents=True,
        change=mark_change(shown),
    )


def periods_table(shown: PeriodView) -> Table:
    """Return the numbers of the line of agreement as the table "agreement_over_time", one row per period.

    A row holds the period, same labels, labels compared, conversations or persons, agreement and its
    interval, both again with a fixed mix ("" without one), and the same labels if the judge always gave the
    commonest.
    """
    rows = []
    for name, period, (always, _) in zip(shown.periods.names, shown.line.periods, shown.always, strict=True):
        fixed = ("", "") if period.fixed is None else (_value(period.fixed), limits(period.fixed, 3))
        rows.append(
            (
                name,
                f"{period.same:,}",
                f"{period.pairs:,}",
                f"{period.agreement.conversations or 0:,}",
                _value(period.agreement),
                limits(period.agreement, 3),
                *fixed,
                f"{always:,}",
            )
        )
    return Table(
        "agreement_over_time",
        f"Agreement with the judge by {shown.length}",
        (
            shown.column,
            "The same",
            "Labels compared",
            "Conversations or persons",
            "Agreement",
            "95% interval",
            "With a constant mix",
            "its 95% interval",
            "Same if it always gave the commonest label",
        ),
        rows,
        (1, 2, 3, 4, 8),
    )


def mix_table(shown: PeriodView) -> Table:
    """Return the table "mix_over_time" of how many conversations of each condition have labels in each
    period.

    There is a row per period and a column per condition; a last column counts conversations of unknown
    condition, if there are any.
    """
    pairs, many = shown.source.pairs, len(shown.periods.first)
    conditions = [*shown.names, NOT_KNOWN]
    dated = shown.periods.of >= 0
    count_ = len(shown.source.moments.conversation)
    pairs_present = np.unique(shown.periods.of[dated] * max(count_, 1) + pairs.talk[dated])
    condition = shown.condition[pairs_present % max(count_, 1)]
    cells = np.bincount(
        pairs_present // max(count_, 1) * len(conditions)
        + np.where(condition < 0, len(shown.names), condition),
        minlength=many * len(conditions),
    )
    square = cells.reshape(many, len(conditions))
    columns = [at for at in range(len(conditions)) if at < len(shown.names) or square[:, at].any()]
    rows = [
        (name, *(f"{square[row, at]:,}" for at in columns)) for row, name in enumerate(shown.periods.names)
    ]
    return Table(
        "mix_over_time",
        f"Conversations with labels, by {shown.length} and {(shown.by or 'condition').replace('_', ' ')}",
        (shown.length.capitalize(), *(conditions[at] for at in columns)),
        rows,
        tuple(range(1, len(columns) + 1)),
    )


def changes_words(shown: PeriodView) -> str:
    """Return "Vertical lines: gpt5 in use on 2026-03-23; ..."; "" if there are none."""
    if not shown.changes:
        return ""
    return "Vertical lines: " + "; ".join(f"{what} on {day}" for day, what in shown.changes) + "."


def _value(estimate: Estimate) -> str:
    return f"none: {estimate.undefined}" if estimate.value is None else number(estimate, 3)
