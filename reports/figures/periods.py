"""Agreement over time and the level as Plotly figures. Gaps stay gaps; lines differ by dash and mark, not by
colour alone.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from html import escape
from typing import Any

from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import level_scale, level_title, mark_change
from reports.drift.period_agreement import title
from reports.figures.axis_ticks import plain_ticks
from reports.figures.bars import describe_estimate, draw_estimates
from reports.figures.colours import COLOURS
from reports.wording import limits
from words.figures import decimal, percent

SHORT = 36  # characters of a judge's name beside its line
LEVELS = 3  # heights at which names stand, so that neighbours do not cover each other
TICKS = 9  # dates along the axis
GREY = "#666666"


def line(shown: PeriodView) -> Any:
    """Return a Plotly figure of agreement over time with 95% intervals, and the fixed mix if there is one."""
    import plotly.graph_objects as go

    periods = shown.line.periods
    days = [day.isoformat() for day in shown.periods.first]
    figure = go.Figure()
    for estimates, x, style in (
        (
            [period.agreement for period in periods],
            days,
            _style("as it is", COLOURS[0], "circle", "solid"),
        ),
        (
            [period.fixed for period in periods if period.fixed is not None],
            [_beside(day, shown) for day in shown.periods.first],
            _style("with the mix of cases kept the same", COLOURS[1], "diamond-open", "dash"),
        ),
    ):
        if x is days or any(estimate.value is not None for estimate in estimates):
            hovers = [
                describe_estimate(day, estimate, percent)
                for day, estimate in zip(days, estimates, strict=True)
            ]
            figure.add_trace(draw_estimates(x, estimates, hovers, **style))
    figure.add_trace(
        go.Scatter(
            x=days,
            y=[share for _, share in shown.always],
            mode="lines",
            connectgaps=False,
            name="always the commonest label",
            line={"color": GREY, "width": 1.5, "dash": "dot"},
            hovertemplate="%{x|%Y-%m-%d}: %{y:.0%}<extra></extra>",
        )
    )
    figure.add_trace(_labelled(days, [f"{period.pairs:,}" if period.pairs else "" for period in periods]))
    _changes(figure, shown)
    _laid_out(
        figure,
        title(shown),
        shown,
        {
            "title": {"text": "labels equal to the judge's"},
            "tickformat": ".0%",
            "range": [-0.06, 1.06],
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
        },
        350,
    )
    return figure


def level(shown: PeriodView) -> Any:
    """Return a Plotly figure of judge less clinicians over time, with a line where a significant step
    begins.
    """
    import plotly.graph_objects as go

    scale = level_scale(shown)
    days = [day.isoformat() for day in shown.periods.first]
    values = [scale.of(estimate) for estimate in shown.levels]
    figure = go.Figure()
    hovers = [
        f"{day}: none"
        if estimate.value is None
        else f"{day}: {decimal(estimate.value, scale.digits + 1)}, {limits(estimate, scale.digits + 1)}"
        for day, estimate in zip(days, values, strict=True)
    ]
    style = _style("judge minus clinicians", COLOURS[0], "circle", "solid")
    figure.add_trace(draw_estimates(days, values, hovers, **style))
    figure.add_hline(y=0, line_width=1.5, line_dash="dot", line_color=GREY)
    _changes(figure, shown)
    ends = [end for value in values for end in (value.value, value.low, value.high)]
    _laid_out(
        figure,
        level_title(shown),
        shown,
        {"title": {"text": scale.axis}, "zeroline": False, **plain_ticks(ends)},
        300,
    )
    figure.update_layout(showlegend=False)
    return figure


def _style(name: str, colour: str, mark: str, dash: str) -> dict[str, Any]:
    return {
        "name": name,
        "line": {"color": colour, "width": 2.5, "dash": dash},
        "marker": {"symbol": mark, "size": 9, "color": colour, "line": {"width": 2, "color": colour}},
    }


def _beside(day: date, shown: PeriodView) -> str:
    """A tenth of a period later, so that bars do not cover each other."""
    return (
        datetime.combine(day, time()) + timedelta(days={"day": 1, "week": 7, "month": 30}[shown.length] / 10)
    ).isoformat()


def _labelled(days: list[str], counts: list[str]) -> Any:
    """n of each period, along the bottom; left out where there is no room for it."""
    import plotly.graph_objects as go

    every = max(1, -(-len(days) // 26))
    return go.Scatter(
        x=days,
        y=[-0.03] * len(days),
        mode="text",
        text=[count_text if at % every == 0 else "" for at, count_text in enumerate(counts)],
        showlegend=False,
        textfont={"size": 11},
        hoverinfo="skip",
    )


def _changes(figure: Any, shown: PeriodView) -> None:
    """Draw lines where a significant step of the level begins, and at changes of the judge's identity."""
    change = mark_change(shown)
    if change is not None:
        _vertical(figure, shown, shown.periods.first[change[0]].isoformat(), change[1], 0)
    first = int(change is not None)
    by_day: dict[str, list[str]] = {}
    for day, name in shown.changes:
        by_day.setdefault(day, []).append(name)
    for number, (day, names) in enumerate(by_day.items(), start=first):
        _vertical(figure, shown, day, ", ".join(names), number % LEVELS)


def _vertical(figure: Any, shown: PeriodView, day: str, name: str, level: int) -> None:
    """By shape and annotation: add_vline cannot write beside a date. Near the right end the name stands on
    the left, or it would be cut off.
    """
    first_days = shown.periods.first
    side = (
        "right"
        if date.fromisoformat(day) > first_days[0] + 2 * (first_days[-1] - first_days[0]) / 3
        else "left"
    )
    short_name = name if len(name) <= SHORT else name[: SHORT - 1] + "\u2026"
    figure.add_shape(
        type="line",
        x0=day,
        x1=day,
        y0=0,
        y1=1,
        yref="paper",
        line={"color": GREY, "width": 1.5, "dash": "dot"},
    )
    figure.add_annotation(
        x=day,
        y=1 - 0.07 * level,
        yref="paper",
        text=escape(short_name),
        showarrow=False,
        xanchor=side,
        xshift=4 if side == "left" else -4,
        yanchor="top",
        font={"size": 12},
    )


def _laid_out(figure: Any, title: str, shown: PeriodView, y: dict[str, Any], height: int) -> None:
    days = [day.isoformat() for day in shown.periods.first]
    figure.update_layout(
        title={"text": escape(title), "font": {"size": 15}},
        height=height,
        margin={"l": 70, "r": 10, "t": 50, "b": 80},
        hovermode="closest",
        legend={"orientation": "h", "y": -0.24, "x": 1, "xanchor": "right", "yanchor": "top"},
        xaxis={
            "title": {"text": f"{shown.length} (first day, UTC)" if shown.length != "day" else "day (UTC)"},
            "type": "date",
            "tickformat": "%Y-%m-%d",
            "tickvals": days[:: max(1, -(-len(days) // TICKS))],
        },
        yaxis=y,
    )
