"""The mean of a metric turn by turn as a Plotly figure: gaps stay gaps, and how many conversations stand
behind each turn is said with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def mean_curve(title: str, values: Sequence[float | None], counts: Sequence[int]) -> Any:
    """`values`: the mean at each turn, from 1, None for a gap; `counts`: of conversations."""
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Scatter(
            x=list(range(1, len(values) + 1)),
            y=list(values),
            mode="lines+markers",
            connectgaps=False,
            customdata=list(counts),
            hovertemplate="turn %{x}: %{y:.3f}, %{customdata} conversations<extra></extra>",
        )
    )
    figure.update_layout(
        title=title,
        height=300,
        margin={"l": 40, "r": 10, "t": 40, "b": 40},
        xaxis={"title": "turn", "range": [0.5, len(values) + 0.5]},
        yaxis={"rangemode": "tozero"},
    )
    return figure
