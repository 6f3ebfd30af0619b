"""The forest of a report: where everything stands, in units of the picture, for
reports/render/templates/forest.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.document import Forest, ForestMark, ForestRow
from reports.pictures.axis_ticks import round_values
from reports.pictures.marks import SIZE, Axis, Mark, draw_mark, legend_mark
from reports.wording import limits, number
from words.figures import decimal

WIDTH, LEFT, RIGHT = 860.0, 320.0, 840.0  # of the picture; of the axis
TOP, ROW, FOOT = 34.0, 44.0, 44.0
APART = 12.0  # the marks of a row
NAME_LENGTH = 46  # letters of a row's name that fit beside the axis
MAX_TICKS = 8


@dataclass(frozen=True)
class Tick:
    x: str
    label: str
    zero: bool


@dataclass(frozen=True)
class LegendEntry:
    mark: Mark
    x: float


@dataclass(frozen=True)
class PictureRow:
    """`y`: its middle."""

    y: float
    name: str
    beside: str
    shaded: bool
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class ForestPicture:
    title: str
    axis: str
    axis_x: float
    width: float
    height: float
    top: float
    bottom: float
    row_height: float
    ticks: tuple[Tick, ...]
    legend: tuple[LegendEntry, ...]
    rows: tuple[PictureRow, ...]


def draw_forest(block: Forest) -> ForestPicture:
    """Return the forest as a picture; at most two series are distinguished, by shape and colour."""
    bottom = TOP + ROW * len(block.rows)
    axis = Axis(block.low, block.high, LEFT, RIGHT, "")
    values, digits = round_values(block.low, block.high, MAX_TICKS)
    return ForestPicture(
        block.title,
        block.axis,
        (LEFT + RIGHT) / 2,
        WIDTH,
        bottom + FOOT,
        TOP,
        bottom,
        ROW,
        tuple(Tick(axis.place(value), decimal(value, max(1, digits)), value == 0) for value in values),
        _legend([mark.name for mark in block.rows[0].marks] if block.rows else []),
        tuple(_row(axis, row, TOP + ROW * (at + 0.5)) for at, row in enumerate(block.rows)),
    )


def _row(axis: Axis, row: ForestRow, middle: float) -> PictureRow:
    alone = len(row.marks) == 1
    marks = tuple(
        draw_mark(
            axis,
            mark.estimate,
            None if alone else series,
            (
                middle + (series - (len(row.marks) - 1) / 2) * APART,
                ROW if alone else APART,
                describe_mark(row, mark),
                mark.hollow,
            ),
        )
        for series, mark in enumerate(row.marks)
    )
    name = row.name if len(row.name) <= NAME_LENGTH else row.name[: NAME_LENGTH - 1] + "\u2026"
    return PictureRow(middle, name, row.beside, row.shaded, marks)


def _legend(names: Sequence[str]) -> tuple[LegendEntry, ...]:
    entries, x = [], LEFT
    for series, name in enumerate(names):
        mark = legend_mark(None if len(names) == 1 else series, f"{x + SIZE:g}", TOP - 18, name)
        entries.append(LegendEntry(mark, x + 2 * SIZE + 4))
        x += 40 + 7.5 * len(name)
    return tuple(entries)


def describe_mark(row: ForestRow, mark: ForestMark) -> str:
    """Return the tooltip of a mark: "ROW (44.0): SERIES 0.54; 0.42 to 0.65; WORDS BESIDE", "no interval"
    without one.
    """
    return (
        f"{row.name}: {mark.name} {number(mark.estimate)}; {limits(mark.estimate) or 'no interval'}; "
        f"{row.beside}"
    )
