"""The charts of raters over time: one panel a rater, all on the same axes."""

from __future__ import annotations

from reports.document import Panel, PanelPoint, Panels
from reports.drift.rater_words import moved, pace, steady
from reports.drift.raters import RaterDrift
from scoring.agreement.intervals.estimate import Estimate
from words.figures import percent

UNITS = {"day": "day", "week": "week, by its Monday", "month": "month"}


def level_panels(drift: RaterDrift) -> Panels | None:
    """None where nobody's labels stand beside others'."""
    panels = [
        Panel(
            f"{drift.names[rater]}, n {sum(estimate.n for estimate in some):,}",
            tuple(_point(estimate, estimate.n) for estimate in some),
        )
        for rater, some in drift.levels.items()
        if any(estimate.n for estimate in some)
    ]
    name = "levels, own less the others'" if drift.source.ordered else "share failing, own less the others'"
    return (
        _panels(drift, "levels", moved(drift), name, panels, "labels", line=0.0, line_name="as the others")
        if panels
        else None
    )


def same_panels(drift: RaterDrift) -> Panels | None:
    panels = [
        Panel(
            f"{drift.names[rater]}, n {drift.same[rater].pairs:,}",
            tuple(_point(repeat_share.share, repeat_share.pairs) for repeat_share in some),
        )
        for rater, some in drift.same_by_period.items()
    ]
    threshold = drift.source.threshold
    return (
        _panels(
            drift,
            "same",
            steady(drift),
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


def minute_panels(drift: RaterDrift) -> Panels | None:
    panels = [
        Panel(
            f"{drift.names[rater]}, n {drift.minutes[rater].n:,}",
            tuple(PanelPoint(minutes.median, minutes.low, minutes.high, minutes.n) for minutes in some),
        )
        for rater, some in drift.minutes_by_period.items()
        if drift.minutes[rater].n
    ]
    return (
        _panels(
            drift,
            "minutes",
            pace(drift),
            f"minutes for a {drift.source.noun.singular}",
            panels,
            drift.source.noun.plural,
            digits=1,
        )
        if panels
        else None
    )


def _point(estimate: Estimate, n: int) -> PanelPoint:
    return PanelPoint(estimate.value, estimate.low, estimate.high, n)


def _panels(
    drift: RaterDrift,
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
        f"{UNITS[drift.periods.length]} (UTC)",
        y_name,
        drift.periods.names,
        tuple(panels),
        n_of,
        digits,
        line,
        line_name,
        percents,
    )
