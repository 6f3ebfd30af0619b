"""Curves over turns as Plotly figures: small multiples by condition on the same axes, and one conversation.
Gaps stay gaps; readable in grey.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

import numpy as np

from reports.drift.conversation_curves import ConversationDrift
from reports.figures.axis_ticks import plain_ticks
from reports.figures.bars import describe_estimate, draw_estimates
from reports.figures.colours import COLOURS
from reports.pictures.panels import MIN_FILLED_POINT
from scoring.agreement.intervals.estimate import Estimate
from scoring.goal_alignment import BANDS

ACROSS = 3  # panels beside each other
POINTS = 5_000  # drawn at once; of more, only some conversations are
CUMULATIVE, LOCAL, BEHIND = COLOURS[0], COLOURS[1], "rgba(128, 128, 128, 0.28)"
MOST_TURNS = (
    1_000_000  # of a conversation; a number for each point, because nested lists take a second to copy
)
CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["lasso2d", "select2d"],
    "toImageButtonOptions": {"filename": "drift"},
}


def multiples(drift: ConversationDrift, singles: bool, bands: bool) -> tuple[Any, int]:
    """Return the figure with one panel per condition, and how many single conversations are drawn behind.

    `singles`: draw single conversations, `bands`: draw published bands. `point` decodes a clicked point.
    """
    from plotly.subplots import make_subplots

    shown = drift.conditions
    columns = min(ACROSS if len(shown) <= ACROSS else ACROSS + 1, max(1, len(shown)))
    rows = math.ceil(max(1, len(shown)) / columns)
    names = [f"{escape(condition.name)}, n {condition.conversations:,}" for condition in shown]
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_xaxes="all",
        shared_yaxes="all",
        subplot_titles=names,
        vertical_spacing=0.28 / rows,
        x_title="turn",
        y_title=escape(drift.what),
    )
    drawn = _thinned(drift) if singles else np.zeros(len(drift.table.key), dtype=bool)
    for at, condition in enumerate(shown):
        where = {"row": at // columns + 1, "col": at % columns + 1}
        figure.add_trace(_singles(drift, np.flatnonzero(condition.chosen & drawn)), **where)
        figure.add_trace(
            _means(drift.what, condition.cumulative, CUMULATIVE, "circle", "solid", at == 0), **where
        )
        if condition.local:
            figure.add_trace(
                _means("actions of this turn alone", condition.local, LOCAL, "diamond", "dash", at == 0),
                **where,
            )
    if bands:
        _add_bands(figure)
    turns = drift.table.values.shape[1]
    figure.update_yaxes(range=_reach_of(drift), **plain_ticks(_reach_of(drift)))
    figure.update_xaxes(range=[0.5, turns + 0.5], dtick=max(1, math.ceil(turns / 10)))
    figure.update_layout(
        height=110 + (250 if rows == 1 else 320),
        margin={"l": 60, "r": 10, "t": 30, "b": 80},
        legend={
            "orientation": "h",
            "y": 0,
            "yref": "container",
            "x": 1,
            "xanchor": "right",
            "yanchor": "bottom",
        },
        hovermode="closest",
    )
    return figure, int(drawn.sum())


def _add_bands(figure: Any) -> None:
    for value in BANDS[0]:
        figure.add_hline(
            y=value,
            line_width=1,
            line_dash="dot",
            line_color="#888888",
            annotation_text=f"{value:g}, uncalibrated",
            annotation_font_size=11,
        )


def _reach_of(drift: ConversationDrift) -> tuple[float, float]:
    """From 0, or the lowest of what may be drawn, to the highest: the same in every panel. Intervals of a few
    conversations are cut, or two of them would flatten all others.
    """
    ends = [
        end
        for condition in drift.conditions
        for turn in (*condition.cumulative, *condition.local)
        for end in (turn.value, *((turn.low, turn.high) if turn.n >= MIN_FILLED_POINT else ()))
        if end is not None
    ]
    values = drift.table.values[~np.isnan(drift.table.values)].tolist()
    low, high = min([0.0, *ends, *values]), max([0.1, *ends, *values])
    return low - 0.04 * (high - low), high + 0.04 * (high - low)


def _thinned(drift: ConversationDrift) -> Any:
    """Which conversations are drawn: all, or evenly chosen ones, so that no more than POINTS points stand on
    the page.
    """
    count, turns = drift.table.values.shape
    some = max(1, POINTS // max(1, turns))
    drawn = np.zeros(count, dtype=bool)
    drawn[np.unique(np.linspace(0, count - 1, min(count, some)).round().astype(int))] = True
    return drawn


def _singles(drift: ConversationDrift, rows: Any) -> Any:
    """One trace for all of them, with a gap between two: hundreds of traces would take the browser
    seconds.
    """
    import plotly.graph_objects as go

    turns = drift.table.values.shape[1]
    values = np.concatenate([drift.table.values[rows], np.full((len(rows), 1), np.nan)], axis=1).ravel()
    turn = np.tile(np.arange(1, turns + 2), len(rows))
    return go.Scatter(
        x=turn,
        y=values,
        mode="lines+markers",
        connectgaps=False,
        line={"color": BEHIND, "width": 1},
        marker={"color": BEHIND, "size": 5},
        showlegend=False,
        customdata=np.repeat(rows, turns + 1) * MOST_TURNS + turn,
        text=np.repeat(drift.table.position[rows], turns + 1),
        hovertemplate=f"{drift.numbered} " + "%{text}, turn %{x}: %{y:.3f}<extra></extra>",
    )


def point(customdata: int) -> tuple[int, int]:
    """Return (row of the table, turn) of a clicked grey point."""
    return customdata // MOST_TURNS, customdata % MOST_TURNS


def _means(name: str, turns: list[Estimate], colour: str, shape: str, dash: str, legend: bool) -> Any:
    return draw_estimates(
        range(1, len(turns) + 1),
        turns,
        [
            describe_estimate(f"turn {turn}", estimate, lambda value: f"{value:.3f}")
            for turn, estimate in enumerate(turns, start=1)
        ],
        name=escape(name),
        legendgroup=name,
        showlegend=legend,
        line={"color": colour, "width": 2.5, "dash": dash},
        marker={
            "symbol": [f"{shape}-open" if estimate.n < MIN_FILLED_POINT else shape for estimate in turns],
            "size": 8,
            "color": colour,
        },
    )


def single(
    values: list[float | None],
    local: list[float | None],
    truncated: list[float | None],
    cut: int | None,
    actions: list[str],
    title: str,
    bands: bool,
) -> Any:
    """Return a Plotly figure of one conversation: the cumulative line, and bars of each turn's own actions.

    `cut`: the turn from which the truncated curve no longer sees everything, None if it always does.
    """
    import plotly.graph_objects as go

    turns = list(range(1, len(values) + 1))
    words = [
        f"turn {turn}: {action or 'no clinical action'}" if actions else f"turn {turn}"
        for turn, action in zip(turns, _folded(actions, len(turns)), strict=True)
    ]
    figure = go.Figure()
    if any(point_value is not None for point_value in local):
        figure.add_trace(
            go.Bar(
                x=turns,
                y=local,
                name="actions of this turn alone",
                marker={"color": LOCAL, "opacity": 0.55},
                customdata=turns,
                hovertext=[_line(text, value) for text, value in zip(words, local, strict=True)],
                hoverinfo="text",
                width=0.5,
            )
        )
    if any(point_value is not None for point_value in truncated):
        figure.add_trace(
            go.Scatter(
                x=turns,
                y=truncated,
                name="beginning only (truncated)",
                mode="lines",
                connectgaps=False,
                line={"color": "#888888", "width": 1.5, "dash": "dot"},
                hoverinfo="skip",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=turns,
            y=values,
            name="everything so far",
            mode="lines+markers",
            connectgaps=False,
            customdata=turns,
            line={"color": CUMULATIVE, "width": 2.5},
            marker={"size": 9, "color": CUMULATIVE},
            hovertext=[_line(text, value) for text, value in zip(words, values, strict=True)],
            hoverinfo="text",
        )
    )
    if cut is not None:
        figure.add_vline(
            x=cut,
            line_width=1,
            line_dash="dash",
            line_color="#888888",
            annotation_text="truncated stops here",
            annotation_font_size=11,
        )
    if bands:
        _add_bands(figure)
    figure.update_layout(
        title={"text": escape(title), "font": {"size": 15}},
        height=340,
        margin={"l": 60, "r": 10, "t": 50, "b": 50},
        hovermode="closest",
        legend={"orientation": "h", "y": -0.18, "x": 1, "xanchor": "right", "yanchor": "top"},
        xaxis={
            "title": {"text": "turn"},
            "range": [0.5, len(turns) + 0.5],
            "dtick": max(1, math.ceil(len(turns) / 20)),
        },
        yaxis={
            "title": {"text": "cosine with the plan"},
            **plain_ticks([0.0, *values, *local, *truncated]),
        },
    )
    return figure


def _folded(actions: list[str], turns: int) -> list[str]:
    """No hover as wide as the screen, and one for each turn."""
    shown = [*actions, *[""] * turns][:turns]
    return [one if len(one) <= 240 else one[:239] + "\u2026" for one in shown]


def _line(words: str, value: float | None) -> str:
    parts = [escape(words[at : at + 80]) for at in range(0, len(words), 80)]
    return "<br>".join([*parts, "none" if value is None else f"{value:.3f}"])
