"""Estimates as a Plotly trace: a mark each, and its interval as a bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reports.document import PanelPoint
from scoring.agreement.intervals.estimate import Estimate


def draw_estimates(
    x: Sequence[Any], values: Sequence[Estimate | PanelPoint], hovers: Sequence[str], **style: Any
) -> Any:
    """Return a Plotly trace of estimates with bars, in which a gap stays a gap.

    `hovers`: the tooltip of each mark; `style`: settings of the trace.
    """
    import plotly.graph_objects as go

    return go.Scatter(
        {"mode": "lines+markers", "connectgaps": False, **style},
        x=list(x),
        y=[value.value for value in values],
        error_y={
            "type": "data",
            "symmetric": False,
            "thickness": 1.2,
            "width": 3,
            "array": [_reach(value, value.high) for value in values],
            "arrayminus": [_reach(value, value.low) for value in values],
        },
        hovertext=list(hovers),
        hoverinfo="text",
    )


def describe_estimate(place: str, estimate: Estimate, write: Callable[[float], str]) -> str:
    """Return the tooltip of a mark: "PLACE: 0.54, 0.42 to 0.65, n 12", "..., no interval, n 1" or "PLACE:
    none".

    `write`: returns a number as text.
    """
    if estimate.value is None:
        return f"{place}: none"
    limits = (
        ", no interval"
        if estimate.low is None or estimate.high is None
        else f", {write(estimate.low)} to {write(estimate.high)}"
    )
    return f"{place}: {write(estimate.value)}{limits}, n {estimate.n:,}"


def _reach(value: Estimate | PanelPoint, end: float | None) -> float:
    return 0.0 if end is None or value.value is None else abs(end - value.value)
