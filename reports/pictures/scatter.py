"""Points by group as a still picture, each group under a letter, for reports/render/templates/panels.html."""

from __future__ import annotations

from dataclasses import dataclass

from reports.document import Scatter
from reports.pictures.axis_ticks import AxisTick, round_values
from words.figures import decimal, letters

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960.0, 360.0, 60.0, 700.0, 12.0, 310.0
TICKS = 7
ROOM = 0.05  # of the range, beside the outermost points


@dataclass(frozen=True)
class GroupMark:
    group: int
    letter: str
    x: float
    y: float
    words: str


@dataclass(frozen=True)
class GroupEntry:
    group: int
    letter: str
    name: str
    y: float


@dataclass(frozen=True)
class ScatterPicture:
    title: str
    x_name: str
    y_name: str
    width: float
    height: float
    left: float
    right: float
    bottom: float
    widths: tuple[AxisTick, ...]
    heights: tuple[AxisTick, ...]
    marks: tuple[GroupMark, ...]
    legend: tuple[GroupEntry, ...]


def draw_scatter(block: Scatter) -> ScatterPicture:
    """Return the points as a picture, with a letter per group."""
    groups = {name: number for number, name in enumerate(dict.fromkeys(block.groups))}
    across, up = _reach(block.x), _reach(block.y)

    def x_of(value: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (value - across[0]) / (across[1] - across[0]), 2)

    def y_of(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (value - up[0]) / (up[1] - up[0]), 2)

    x_values, x_digits = round_values(*across, TICKS)
    y_values, y_digits = round_values(*up, TICKS)
    return ScatterPicture(
        block.title,
        block.x_name,
        block.y_name,
        WIDTH,
        max(HEIGHT, TOP + 18 * len(groups) + 30),
        LEFT,
        RIGHT,
        BOTTOM,
        tuple(AxisTick(x_of(value), decimal(value, x_digits)) for value in x_values),
        tuple(AxisTick(y_of(value), decimal(value, y_digits)) for value in y_values),
        tuple(
            GroupMark(
                groups[name], letters(groups[name]), x_of(x), y_of(y), f"{name}: {x:g}, {decimal(y, 3)}"
            )
            for x, y, name in zip(block.x, block.y, block.groups, strict=True)
        ),
        tuple(
            GroupEntry(number, letters(number), name, TOP + 12 + 18 * number)
            for name, number in groups.items()
        ),
    )


def _reach(values: tuple[float, ...]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = ROOM * (high - low) or 0.5
    return low - room, high + room
