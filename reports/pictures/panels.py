"""Small multiples as a still picture: where everything stands, in units of the picture, for
reports/render/templates/panels.html.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reports.document import Panel, PanelPoint, Panels
from reports.pictures.axis_ticks import AxisTick, round_values
from words.figures import decimal, percent
from words.plurals import count

WIDTH, GAP, LEFT, TOP, FOOT = 960.0, 30.0, 46.0, 30.0, 30.0
LONE, SMALL = 260.0, 150.0  # the height of a chart alone, and of one of several
ROOM_FOR_LABEL = 24.0  # right of a panel: half of a date below its last point
ACROSS = 2
HEIGHTS, TIMES = 5, 6  # labels at most
MIN_FILLED_POINT = 5  # below so many a point is hollow


@dataclass(frozen=True)
class PointMark:
    """`bar`: the ends of the interval, None where there is none."""

    x: float
    y: float
    bar: tuple[float, float] | None
    hollow: bool
    words: str


@dataclass(frozen=True)
class PanelPicture:
    """`paths`: lines between points that follow each other; a gap stays a gap."""

    name: str
    left: float
    right: float
    top: float
    bottom: float
    heights: tuple[AxisTick, ...]
    times: tuple[AxisTick, ...]
    line: float | None
    change: AxisTick | None
    paths: tuple[str, ...]
    marks: tuple[PointMark, ...]


@dataclass(frozen=True)
class PanelsPicture:
    title: str
    line_name: str
    x_name: str
    y_name: str
    width: float
    height: float
    panels: tuple[PanelPicture, ...]


def draw_panels(block: Panels) -> PanelsPicture:
    """Return all panels as a picture, two in a row; a single one takes the whole width."""
    across = min(ACROSS, len(block.panels)) or 1
    height = LONE if across == 1 else SMALL
    rows = math.ceil(len(block.panels) / across)
    return PanelsPicture(
        block.title,
        block.line_name if block.line is not None else "",
        block.x_name,
        block.y_name,
        WIDTH,
        rows * (TOP + height + FOOT) + FOOT,
        tuple(
            _PanelDrawing(block, at % across, at // across, across, height).draw(panel)
            for at, panel in enumerate(block.panels)
        ),
    )


class _PanelDrawing:
    """One panel at its place among the others."""

    def __init__(self, block: Panels, column: int, row: int, across: int, height: float) -> None:
        self.block = block
        width = (WIDTH - (across - 1) * GAP) / across
        self.left = column * (width + GAP) + LEFT
        self.right = column * (width + GAP) + width - ROOM_FOR_LABEL
        self.top = row * (TOP + height + FOOT) + TOP
        self.bottom = self.top + height
        self.low, self.high = reach(block)

    def draw(self, panel: Panel) -> PanelPicture:
        block = self.block
        values, digits = round_values(self.low, self.high, HEIGHTS)
        step = max(1, math.ceil(len(block.x) / TIMES))
        return PanelPicture(
            panel.name,
            self.left,
            self.right,
            self.top,
            self.bottom,
            tuple(
                AxisTick(self._y(value), percent(value) if block.percents else decimal(value, digits))
                for value in values
                if not block.percents or 0 <= value <= 1
            ),
            tuple(AxisTick(self._x(at), block.x[at]) for at in range(0, len(block.x), step)),
            self._y(block.line) if block.line is not None and self.low <= block.line <= self.high else None,
            AxisTick(self._x(block.change[0]), block.change[1]) if block.change is not None else None,
            tuple(self._paths(panel)),
            tuple(
                self._mark(at, name, point, point.value)
                for at, (name, point) in enumerate(zip(block.x, panel.points, strict=True))
                if point.value is not None
            ),
        )

    def _paths(self, panel: Panel) -> list[str]:
        runs: list[list[str]] = [[]]
        for at, point in enumerate(panel.points):
            if point.value is None:
                runs.append([])
            else:
                runs[-1].append(f"{self._x(at)} {self._y(point.value)}")
        return ["M" + "L".join(run) for run in runs if len(run) > 1]

    def _mark(self, at: int, name: str, point: PanelPoint, value: float) -> PointMark:
        bar = (
            (self._y(point.low), self._y(point.high))
            if point.low is not None and point.high is not None
            else None
        )
        return PointMark(
            self._x(at),
            self._y(value),
            bar,
            point.n < MIN_FILLED_POINT,
            describe_point(self.block, name, point),
        )

    def _x(self, at: int) -> float:
        count = max(1, len(self.block.x) - 1)
        return round(self.left + 12 + (self.right - self.left - 24) * at / count, 2)

    def _y(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return round(self.bottom - (self.bottom - self.top) * (inside - self.low) / (self.high - self.low), 2)


def reach(shown: Panels) -> tuple[float, float]:
    """Return the lowest and highest value of the axis, the same in every panel.

    Every value is inside, and 0; the widest tenth of the bars is cut, because a week of two conversations
    would flatten all others.
    """
    if shown.percents:
        return -0.03, 1.05
    points = [point for panel in shown.panels for point in panel.points if point.value is not None]
    values = [point.value for point in points if point.value is not None]
    lows, highs = (
        [point.low for point in points if point.low is not None],
        [point.high for point in points if point.high is not None],
    )
    low = min([0.0, *values, *([float(np.quantile(lows, 0.1))] if lows else [])])
    high = max([0.1, *values, *([float(np.quantile(highs, 0.9))] if highs else [])])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def describe_point(shown: Panels, name: str, point: PanelPoint) -> str:
    """Return the tooltip of a point: "NAME: 83%, 79% to 87%, 12 labels", or "NAME: none".

    `name`: of its place on the axis.
    """

    def figure(value: float) -> str:
        return percent(value) if shown.percents else decimal(value, shown.digits)

    if point.value is None:
        return f"{name}: none"
    between = (
        f", {figure(point.low)} to {figure(point.high)}"
        if point.low is not None and point.high is not None
        else ""
    )
    return (
        f"{name}: {figure(point.value)}{between}, {count(point.n, shown.n_of.removesuffix('s'), shown.n_of)}"
    )
