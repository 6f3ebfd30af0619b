"""The charts of raters over time: one panel a rater, all on the same axes."""

from __future__ import annotations

from runs.drift.blocks import Panel, Panels, Point
from runs.drift.rater_words import moved, pace, steady
from runs.drift.raters import RaterDrift
from scoring.agreement.estimate import Estimate
from scoring.figures import percent

UNITS = {"day": "day", "week": "week, by its Monday", "month": "month"}


def level_panels(found: RaterDrift) -> Panels | None:
    """None where nobody's labels stand beside others'."""
    panels = [
        Panel(
            f"{found.names[rater]}, n {sum(one.n for one in some):,}",
            tuple(_point(one, one.n) for one in some),
        )
        for rater, some in found.levels.items()
        if any(one.n for one in some)
    ]
    name = "levels, own less the others'" if found.source.ordered else "share failing, own less the others'"
    return (
        _panels(found, "levels", moved(found), name, panels, "labels", line=0.0, line_name="as the others")
        if panels
        else None
    )


def same_panels(found: RaterDrift) -> Panels | None:
    panels = [
        Panel(
            f"{found.names[rater]}, n {found.same[rater].pairs:,}",
            tuple(_point(one.share, one.pairs) for one in some),
        )
        for rater, some in found.same_by_period.items()
    ]
    threshold = found.source.threshold
    return (
        _panels(
            found,
            "same",
            steady(found),
            "same label again",
            panels,
            "repeated labels",
            line=threshold,
            line_name=f"threshold {percent(threshold)}",
            percents=True,
        )
        if panels
        else None
    )


def minute_panels(found: RaterDrift) -> Panels | None:
    panels = [
        Panel(
            f"{found.names[rater]}, n {found.minutes[rater].n:,}",
            tuple(Point(one.median, one.low, one.high, one.n) for one in some),
        )
        for rater, some in found.minutes_by_period.items()
        if found.minutes[rater].n
    ]
    return (
        _panels(found, "minutes", pace(found), "minutes for a unit", panels, "units", digits=1)
        if panels
        else None
    )


def _point(one: Estimate, n: int) -> Point:
    return Point(one.value, one.low, one.high, n)


def _panels(
    found: RaterDrift,
    key: str,
    title: str,
    y_name: str,
    panels: list[Panel],
    n_of: str,
    *,
    digits: int = 2,
    line: float | None = None,
    line_name: str = "",
    percents: bool = False,
) -> Panels:
    return Panels(
        key,
        title,
        f"{UNITS[found.periods.length]} (UTC)",
        y_name,
        found.periods.names,
        tuple(panels),
        n_of,
        digits,
        line,
        line_name,
        percents,
    )
