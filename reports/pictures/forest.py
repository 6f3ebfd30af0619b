"""The forest of a report as a still picture: where everything stands, in units of the picture, for
reports/render/templates/forest.html.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reports.document import Forest, ForestMark, ForestRow
from reports.wording import limits, number
from words.figures import decimal

WIDTH, LEFT, RIGHT = 960.0, 360.0, 940.0  # of the picture; of the axis
TOP, ROW, FOOT = 34.0, 44.0, 44.0
APART = 12.0  # the marks of a row
SIZE = 5.0
NAME_LENGTH = 52  # letters of a row's name that fit beside the axis
STEPS = (0.1, 0.2, 0.25, 0.5, 1.0)
TICKS = 8  # at most


@dataclass(frozen=True)
class Tick:
    x: float
    label: str
    zero: bool


@dataclass(frozen=True)
class Band:
    y: float
    height: float


@dataclass(frozen=True)
class LegendEntry:
    series: int
    name: str
    x: float
    y: float
    shape: str


@dataclass(frozen=True)
class PictureMark:
    """`bar`: the ends of the interval, None where there is none. `lost`: there is no value."""

    series: int
    y: float
    shape: str
    bar: tuple[float, float] | None
    hollow: bool
    lost: bool
    words: str


@dataclass(frozen=True)
class PictureRow:
    y: float
    name: str
    beside: str
    marks: tuple[PictureMark, ...]


@dataclass(frozen=True)
class ForestPicture:
    title: str
    axis: str
    axis_x: float
    width: float
    height: float
    top: float
    bottom: float
    ticks: tuple[Tick, ...]
    bands: tuple[Band, ...]
    legend: tuple[LegendEntry, ...]
    rows: tuple[PictureRow, ...]


def draw_forest(block: Forest) -> ForestPicture:
    """Two series at most are told apart by shape and colour."""
    bottom = TOP + ROW * len(block.rows)
    middles = [TOP + ROW * (at + 0.5) for at in range(len(block.rows))]
    return ForestPicture(
        block.title,
        block.axis,
        (LEFT + RIGHT) / 2,
        WIDTH,
        bottom + FOOT,
        TOP,
        bottom,
        tuple(Tick(_x(block, value), decimal(value, _digits(block)), value == 0) for value in _ticks(block)),
        tuple(
            Band(middle - ROW / 2, ROW) for middle, row in zip(middles, block.rows, strict=True) if row.shaded
        ),
        _legend([mark.name for mark in block.rows[0].marks] if block.rows else []),
        tuple(
            PictureRow(middle, _shortened(row.name), row.beside, _marks(block, row, middle))
            for middle, row in zip(middles, block.rows, strict=True)
        ),
    )


def _x(block: Forest, value: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * (value - block.low) / (block.high - block.low), 2)


def _marks(block: Forest, row: ForestRow, middle: float) -> tuple[PictureMark, ...]:
    return tuple(
        _mark(block, row, mark, series, middle + (series - (len(row.marks) - 1) / 2) * APART)
        for series, mark in enumerate(row.marks)
    )


def _mark(block: Forest, row: ForestRow, mark: ForestMark, series: int, y: float) -> PictureMark:
    estimate = mark.estimate
    words = describe_mark(row, mark)
    if estimate.value is None:
        cross = _cross(LEFT + SIZE, y)
        return PictureMark(series, y, cross, None, mark.hollow, True, words)
    bar = (
        (_x(block, max(estimate.low, block.low)), _x(block, min(estimate.high, block.high)))
        if estimate.low is not None and estimate.high is not None
        else None
    )
    return PictureMark(
        series, y, _shape(series, _x(block, estimate.value), y), bar, mark.hollow, False, words
    )


def _legend(names: Sequence[str]) -> tuple[LegendEntry, ...]:
    entries, x = [], LEFT
    for series, name in enumerate(names):
        entries.append(
            LegendEntry(series, name, x + 2 * SIZE + 4, TOP - 14, _shape(series, x + SIZE, TOP - 18))
        )
        x += 40 + 7.5 * len(name)
    return tuple(entries)


def _shape(series: int, x: float, y: float) -> str:
    """A circle or a diamond."""
    if series % 2:
        size = SIZE + 1
        return f"M{x - size} {y}L{x} {y - size}L{x + size} {y}L{x} {y + size}Z"
    return f"M{x - SIZE} {y}a{SIZE} {SIZE} 0 1 0 {2 * SIZE} 0a{SIZE} {SIZE} 0 1 0 {-2 * SIZE} 0Z"


def _cross(x: float, y: float) -> str:
    return f"M{x - SIZE} {y - SIZE}l{2 * SIZE} {2 * SIZE}M{x - SIZE} {y + SIZE}l{2 * SIZE} {-2 * SIZE}"


def _step(block: Forest) -> float:
    span = block.high - block.low
    return next((step for step in STEPS if span / step < TICKS), STEPS[-1])


def _ticks(block: Forest) -> list[float]:
    step = _step(block)
    first, last = math.ceil(block.low / step - 1e-9), math.floor(block.high / step + 1e-9)
    return [round(number * step, 6) for number in range(first, last + 1)]


def _digits(block: Forest) -> int:
    return 2 if _step(block) == 0.25 else 1


def _shortened(name: str) -> str:
    return name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "\u2026"


def describe_mark(row: ForestRow, mark: ForestMark) -> str:
    """The tooltip of a mark: what it stands for."""
    return (
        f"{row.name}: {mark.name} {number(mark.estimate)}; {limits(mark.estimate) or 'no interval'}; "
        f"{row.beside}"
    )
