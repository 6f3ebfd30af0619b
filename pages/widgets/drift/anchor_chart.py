"""The rounds of the anchors as a Plotly figure: one mark a round, another shape for each judge, a line where
another judge came into use.
"""

from __future__ import annotations

from datetime import timedelta
from html import escape
from typing import Any

from pages.widgets.drift.bars import bars
from pages.widgets.drift.charts import MARKS
from runs.agreement.words import share
from runs.drift.anchors import Line, OnAnchors, named, title
from scoring.drift.periods import EPOCH

SHADES = ("#1f4e8c", "#b35c00", "#4a4a4a", "#7a3b8f")


def anchor_chart(found: OnAnchors, shown: list[Line]) -> Any:
    import plotly.graph_objects as go

    figure = go.Figure()
    judges = list(dict.fromkeys(one.judge_id for one in shown))
    for at, judge_id in enumerate(judges):
        mine = [
            (one, one.round.days[1])
            for one in shown
            if one.judge_id == judge_id and one.round.right.value is not None and one.round.days
        ]
        right = [one.round.right for one, _ in mine]
        figure.add_trace(
            go.Scatter(
                x=[EPOCH + timedelta(days=day) for _, day in mine],
                y=[one.value for one in right],
                name=escape(found.name(judge_id)),
                mode="lines+markers+text",
                text=[f"  {one.round.labels:,}" for one, _ in mine],
                textposition="middle right",
                line={"color": SHADES[at % len(SHADES)], "dash": ("solid", "dash", "dot", "dashdot")[at % 4]},
                marker={"symbol": MARKS[at % len(MARKS)], "size": 10},
                error_y=bars(right),
                hovertext=[
                    escape(
                        f"{found.name(judge_id)}, {named(one.round)}: {share(one.round.right)}; "
                        f"{one.round.labels:,} labels"
                    )
                    for one, _ in mine
                ],
                hoverinfo="text",
            )
        )
    for one in found.history:
        figure.add_vline(x=one.at[:10], line_width=1, line_dash="dash", line_color="#555555")
        figure.add_annotation(
            x=one.at[:10],
            y=1.0,
            yref="paper",
            text=escape(f"{found.name(one.judge_id)} in use"),
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 11},
        )
    figure.update_layout(
        title={"text": escape(title(found, shown)), "font": {"size": 15}},
        height=360,
        margin={"l": 60, "r": 10, "t": 80, "b": 50},
        xaxis={"title": {"text": "day of the round's last answer (UTC)"}, "tickformat": "%Y-%m-%d"},
        showlegend=len(judges) > 1,
        yaxis={
            "title": {"text": "share of answers that are as settled"},
            "range": [0, 1.03],
            "tickformat": ".0%",
        },
        legend={"orientation": "h", "y": -0.25},
    )
    return figure
