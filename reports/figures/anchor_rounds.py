"""The rounds of the anchors as a Plotly figure: one mark a round, another shape for each judge, a line where
another judge came into use.
"""

from __future__ import annotations

from datetime import timedelta
from html import escape
from typing import Any

from reports.drift.anchor_rounds import AnchorRoundRow, drawn_rounds, name_round
from reports.figures.bars import draw_estimates
from reports.wording import share
from scoring.drift.periods import EPOCH
from services.anchors import AnchorDrift

MARKS = (
    "circle",
    "diamond",
    "square",
    "triangle-up",
    "cross",
    "x",
    "star",
    "triangle-down",
    "pentagon",
    "hexagon",
)
SHADES = ("#3f7fc4", "#c2700a", "#7d7d7d", "#a864c4")  # to be seen on white and on black


def anchor_chart(drift: AnchorDrift, shown: list[AnchorRoundRow]) -> Any:
    """Return a Plotly figure of each judge's share right by round."""
    import plotly.graph_objects as go

    figure = go.Figure()
    judges = list(dict.fromkeys(row.judge_id for row in shown))
    for at, judge_id in enumerate(judges):
        mine = [
            (row, row.round.days[1])
            for row in drawn_rounds(shown)
            if row.judge_id == judge_id and row.round.days
        ]
        figure.add_trace(
            draw_estimates(
                [EPOCH + timedelta(days=day) for _, day in mine],
                [row.round.right for row, _ in mine],
                [
                    escape(
                        f"{drift.name(judge_id)}, {name_round(row.round)}: {share(row.round.right)}; "
                        f"{row.round.labels:,} labels"
                    )
                    for row, _ in mine
                ],
                name=escape(drift.name(judge_id)),
                mode="lines+markers+text",
                text=[f"  {row.round.labels:,}" for row, _ in mine],
                textposition="middle right",
                line={"color": SHADES[at % len(SHADES)], "dash": ("solid", "dash", "dot", "dashdot")[at % 4]},
                marker={"symbol": MARKS[at % len(MARKS)], "size": 10},
            )
        )
    for adoption in drift.history:
        figure.add_vline(x=adoption.at[:10], line_width=1, line_dash="dash", line_color="#555555")
        figure.add_annotation(
            x=adoption.at[:10],
            y=1.0,
            yref="paper",
            text=escape(f"{drift.name(adoption.judge_id)} in use"),
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 11},
        )
    figure.update_layout(
        height=330,
        margin={"l": 60, "r": 10, "t": 30, "b": 50},
        xaxis={"title": {"text": "day of the round's last answer (UTC)"}, "tickformat": "%Y-%m-%d"},
        showlegend=len(judges) > 1,
        yaxis={
            "title": {"text": "share of answers that match the settled labels"},
            "range": [0, 1.03],
            "tickformat": ".0%",
        },
        legend={"orientation": "h", "y": -0.25},
    )
    return figure
