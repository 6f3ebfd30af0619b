"""The forest of a report as a Plotly figure: for the page. In a file it is a still picture
(reports/pictures/forest.py)."""

from __future__ import annotations

from html import escape
from typing import Any

from reports.document import Forest, ForestMark, ForestRow
from reports.figures.axis_ticks import plain_ticks
from reports.pictures.forest import describe_mark

COLOURS = ("#3f7fc4", "#c46a10")  # to be told from each other and from white and from black
SHAPES = ("circle", "diamond")


def forest(block: Forest) -> Any:
    """One line a row, one mark an estimate: hollow where it rests on too little, a cross where it cannot be
    estimated. Readable in grey.
    """
    import plotly.graph_objects as go

    names = [mark.name for mark in block.rows[0].marks] if block.rows else []
    figure = go.Figure()
    for place, name in enumerate(names):
        offset = (place - (len(names) - 1) / 2) * 0.22
        marks = [(row, row.marks[place], len(block.rows) - at - offset) for at, row in enumerate(block.rows)]
        valued_marks = [drawn for drawn in marks if drawn[1].estimate.value is not None]
        lost = [drawn for drawn in marks if drawn[1].estimate.value is None]
        figure.add_trace(
            go.Scatter(
                x=[mark.estimate.value for _, mark, _ in valued_marks],
                y=[y for _, _, y in valued_marks],
                name=name,
                mode="markers",
                marker={
                    "symbol": [
                        SHAPES[place % 2] + ("-open" if mark.hollow else "") for _, mark, _ in valued_marks
                    ],
                    "size": 10,
                    "color": COLOURS[place % 2],
                    "line": {"width": 2, "color": COLOURS[place % 2]},
                },
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "thickness": 1.5,
                    "color": COLOURS[place % 2],
                    "array": [_reach(mark, 1) for _, mark, _ in valued_marks],
                    "arrayminus": [_reach(mark, -1) for _, mark, _ in valued_marks],
                },
                hovertext=[escape(describe_mark(row, mark)) for row, mark, _ in valued_marks],
                hoverinfo="text",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=[block.low + 0.03 + 0.05 * place for _ in lost],
                y=[y for _, _, y in lost],
                mode="markers",
                marker={"symbol": "x-thin", "size": 9, "line": {"width": 2, "color": COLOURS[place % 2]}},
                hovertext=[escape(describe_mark(row, mark)) for row, mark, _ in lost],
                hoverinfo="text",
                name=f"{name}: cannot be estimated",
                showlegend=bool(lost),
            )
        )
    count = len(block.rows)
    figure.add_vline(x=0, line_width=1, line_dash="dot", line_color="#888888")
    for at, row in enumerate(block.rows):
        if row.shaded:
            figure.add_hrect(
                y0=count - at - 0.45, y1=count - at + 0.45, fillcolor="#888888", opacity=0.12, line_width=0
            )
    figure.update_layout(
        title={"text": escape(block.title), "font": {"size": 15}},
        height=110 + 44 * count,
        margin={"l": 10, "r": 10, "t": 40, "b": 40},
        legend={"orientation": "h", "y": 1.0, "x": 1, "xanchor": "right", "yanchor": "bottom"},
        hovermode="closest",
        xaxis={
            "title": {"text": escape(block.axis)},
            "range": [block.low, block.high + 0.03],
            "zeroline": False,
            **plain_ticks((block.low, block.high)),
        },
        yaxis={
            "tickvals": [count - at for at in range(count)],
            "ticktext": [_line(row) for row in block.rows],
            "range": [0.4, count + 0.6],
            "automargin": True,
        },
    )
    return figure


def _line(row: ForestRow) -> str:
    name = row.name if len(row.name) <= 46 else row.name[:45] + "\u2026"
    return f'{escape(name)}<br><span style="font-size: 11px">{escape(row.beside)}</span>'


def _reach(mark: ForestMark, way: int) -> float:
    estimate = mark.estimate
    end = estimate.high if way > 0 else estimate.low
    return 0.0 if end is None or estimate.value is None else abs(end - estimate.value)
