"""Estimates on an axis: a shape for a value, a bar for its interval. A forest and the rows of an evidence
table draw the same marks.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.intervals.estimate import Estimate

SIZE = 5.0  # half the width of a mark
THIN, THIN_AND_CLEAR = 1.5, 2.5  # the same of marks that lie close to each other


@dataclass(frozen=True)
class Axis:
    """Values from `low` to `high` stand between `left` and `right` of a picture. `unit`: "%" of its width, or
    "" for units of the picture.
    """

    low: float
    high: float
    left: float = 0.0
    right: float = 100.0
    unit: str = "%"

    def place(self, value: float) -> str:
        """Return where a value lies, with the unit; values outside lie at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{round(self.left + (self.right - self.left) * share, 2):g}{self.unit}"


@dataclass(frozen=True)
class Mark:
    """`tone`: which series. `look`: "full", "hollow" where it rests on too little, "cross" without a value.
    `bar`: the ends of the interval, or None. `shape`: a path around its own middle. `lane`: the height in
    which `words` appear for the mouse.
    """

    tone: str
    look: str
    x: str
    y: float
    bar: tuple[str, str] | None
    shape: str
    words: str
    lane: float


def draw_mark(
    axis: Axis, estimate: Estimate, series: int | None, mark: tuple[float, float, str, bool]
) -> Mark:
    """Return the mark of an estimate; a cross at the low end without a value.

    `series`: even for a circle, odd for a diamond, None for the only one. `mark`: its height, its lane's
    height, its words, and whether it is hollow.
    """
    y, lane, words, hollow = mark
    tone = "mark-alone" if series is None else f"mark-{series % 2}"
    if estimate.value is None:
        return Mark(tone, "cross", axis.place(axis.low), y, None, _cross(), words, lane)
    look = "hollow" if hollow else "full"
    shape = _diamond() if series and series % 2 else _circle(SIZE)
    return Mark(tone, look, axis.place(estimate.value), y, _bar(axis, estimate), shape, words, lane)


def draw_thin_mark(axis: Axis, estimate: Estimate, mark: tuple[float, float, str, bool]) -> Mark:
    """Return one of many marks on a narrow row; without a value only its words."""
    y, lane, words, hollow = mark
    tone = "mark-thin" if hollow else "mark-thin clear"
    if estimate.value is None:
        return Mark(tone, "full", axis.place(axis.low), y, None, "", words, lane)
    shape = _circle(THIN if hollow else THIN_AND_CLEAR)
    return Mark(tone, "full", axis.place(estimate.value), y, _bar(axis, estimate), shape, words, lane)


def legend_mark(series: int | None, x: str, y: float, name: str) -> Mark:
    """Return the sample that explains a series."""
    shape = _diamond() if series and series % 2 else _circle(SIZE)
    tone = "mark-alone" if series is None else f"mark-{series % 2}"
    return Mark(tone, "full", x, y, None, shape, name, 0.0)


def _bar(axis: Axis, estimate: Estimate) -> tuple[str, str] | None:
    if estimate.low is None or estimate.high is None:
        return None
    return axis.place(estimate.low), axis.place(estimate.high)


def _circle(size: float) -> str:
    return f"M{-size} 0a{size} {size} 0 1 0 {2 * size} 0a{size} {size} 0 1 0 {-2 * size} 0Z"


def _diamond() -> str:
    size = SIZE + 1
    return f"M{-size} 0L0 {-size}L{size} 0L0 {size}Z"


def _cross() -> str:
    """Right of its place, so that the end of the axis does not cut it."""
    return f"M0 {-SIZE}l{2 * SIZE} {2 * SIZE}M0 {SIZE}l{2 * SIZE} {-2 * SIZE}"
