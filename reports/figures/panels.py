"""Small multiples of raters over time as a Plotly figure: the same axes in every panel, gaps stay gaps,
readable in grey.
"""

from __future__ import annotations

import math
from dataclasses import replace
from html import escape
from typing import Any

from reports.document import Panel, Panels
from reports.figures.axis_ticks import plain_ticks
from reports.figures.bars import draw_estimates
from reports.figures.turn_curves import ACROSS, CUMULATIVE
from reports.pictures.panels import FEW, describe_point, reach

TICKS = 5


def panels(every: Panels, most: int) -> Any:
    """The first `most` of them."""
    from plotly.subplots import make_subplots

    shown = replace(every, panels=every.panels[:most])
    columns = 2 if len(shown.panels) == 4 else min(ACROSS, len(shown.panels))
    rows = math.ceil(len(shown.panels) / columns)
    figure = make_subplots(
        rows=rows,
        cols=columns,
        shared_xaxes="all",
        shared_yaxes="all",
        subplot_titles=[escape(panel.name) for panel in shown.panels],
        vertical_spacing=0.28 / rows,
        horizontal_spacing=0.03,
        x_title=escape(shown.x_name),
        y_title=escape(shown.y_name),
    )
    for at, panel in enumerate(shown.panels):
        figure.add_trace(_trace(shown, panel), row=at // columns + 1, col=at % columns + 1)
    if shown.line is not None:
        figure.add_hline(y=shown.line, line_width=1, line_dash="dash", line_color="#888888")
    count = len(shown.x)
    step = max(1, math.ceil(count / TICKS))
    figure.update_xaxes(
        range=[-0.5, count - 0.5],
        tickvals=list(range(0, count, step)),
        ticktext=list(shown.x[::step]),
        tickfont={"size": 11},
    )
    for at in range(max(0, len(shown.panels) - columns), len(shown.panels)):  # whatever has nothing below it
        figure.update_xaxes(showticklabels=True, row=at // columns + 1, col=at % columns + 1)
    figure.update_yaxes(
        range=reach(shown),
        zeroline=False,
        **({"tickformat": ".0%"} if shown.percents else plain_ticks(reach(shown))),
    )
    title = escape(shown.title) + (
        f"<br><span style='font-size: 12px'>dashed: {escape(shown.line_name)}</span>"
        if shown.line is not None
        else ""
    )
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        height=120 + 200 * rows,
        margin={"l": 70, "r": 10, "t": 90, "b": 60},
        showlegend=False,
        hovermode="closest",
    )
    return figure


def _trace(shown: Panels, panel: Panel) -> Any:
    return draw_estimates(
        range(len(panel.points)),
        panel.points,
        [
            escape(describe_point(shown, name, point))
            for name, point in zip(shown.x, panel.points, strict=True)
        ],
        name=escape(panel.name),
        line={"color": CUMULATIVE, "width": 1.5},
        marker={
            "symbol": ["circle-open" if point.n < FEW else "circle" for point in panel.points],
            "size": 8,
            "color": CUMULATIVE,
            "line": {"width": 2, "color": CUMULATIVE},
        },
    )
