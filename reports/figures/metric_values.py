"""The values of one metric as Plotly figures: how many lie where, and each beside clinicians' labels."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from reports.figures.axis_ticks import plain_ticks
from reports.figures.colours import COLOURS

BINS = 20  # bars at most
HEIGHT = 280
MAX_VALUES_WITH_TICKS = 12  # values, up to which every count has its tick


def histogram(values: Sequence[float], name: str, counted: str) -> Any:
    """Return a Plotly histogram. `name`: of the values; `counted`: what the bars count."""
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Histogram(
            x=list(values),
            nbinsx=BINS,
            marker={"color": COLOURS[0], "line": {"width": 1, "color": "rgba(255, 255, 255, 0.7)"}},
            hovertemplate=f"%{{x}}: %{{y}} {escape(counted)}<extra></extra>",
        )
    )
    figure.update_layout(**_layout(escape(name), escape(counted)))
    figure.update_yaxes(
        rangemode="tozero", tickformat=",d", dtick=1 if len(values) <= MAX_VALUES_WITH_TICKS else None
    )
    return figure


def values_beside_labels(
    values: Sequence[float], labels: Sequence[float], points: Sequence[str], name: str, criterion: str
) -> Any:
    """Return a Plotly scatter of values against labels; `points[i]` is the tooltip of point i."""
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Scatter(
            x=list(labels),
            y=list(values),
            mode="markers",
            marker={"size": 8, "opacity": 0.65, "color": COLOURS[0]},
            hovertext=[escape(point) for point in points],
            hovertemplate="%{hovertext}: %{y:.3f}, labels %{x:.2f}<extra></extra>",
        )
    )
    figure.update_layout(**_layout(f"{escape(criterion)}: mean of clinicians' labels", escape(name)))
    figure.update_xaxes(**plain_ticks(labels))
    figure.update_yaxes(**plain_ticks(values))
    return figure


def _layout(x: str, y: str) -> dict[str, Any]:
    return {
        "height": HEIGHT,
        "margin": {"l": 50, "r": 10, "t": 10, "b": 45},
        "showlegend": False,
        "bargap": 0.04,
        "xaxis": {"title": {"text": x}, "zeroline": False},
        "yaxis": {"title": {"text": y}, "zeroline": False},
    }
