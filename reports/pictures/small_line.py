"""A small line without an axis, as a still picture for reports/render/templates/small_line.html: its first
and its last value are written beside it; a gap stays a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

WIDTH, HEIGHT = 320.0, 72.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 276.0, 8.0, 64.0


@dataclass(frozen=True)
class EndLabel:
    """The number beside an end of the line."""

    y: float
    text: str


@dataclass(frozen=True)
class SmallLine:
    """`paths`: runs of values that follow each other; `dots`: values between two gaps. `guides`: the heights
    of the lowest and the highest value that there can be. `words`: all of it for a screen reader.
    """

    paths: tuple[str, ...]
    dots: tuple[tuple[float, float], ...]
    guides: tuple[float, float]
    first: EndLabel
    last: EndLabel
    words: str


def draw_small_line(
    values: Sequence[float | None],
    names: Sequence[str],
    low: float,
    high: float,
    number: Callable[[float], str],
    what: str,
) -> SmallLine | None:
    """Return the line as a picture; None if fewer than two places have a value.

    Args:
        values: None for a gap.
        names: of the places.
        low, high: the ends of the height.
        number: returns a value as text.
        what: what is drawn, for a screen reader.
    """
    valued = [(place, value) for place, value in enumerate(values) if value is not None]
    if len(valued) < 2:
        return None

    def point(place: int, value: float) -> tuple[float, float]:
        share = (min(max(value, low), high) - low) / (high - low)
        x = LEFT + (RIGHT - LEFT) * place / (len(values) - 1)
        return round(x, 1), round(BOTTOM - (BOTTOM - TOP) * share, 1)

    runs = [
        [point(place, value) for place, value in run]
        for _, run in ((step, list(group)) for step, group in groupby(valued, key=_place_less_rank(valued)))
    ]
    (first_place, first), (last_place, last) = valued[0], valued[-1]
    lowest, highest = (pick(valued, key=lambda pair: pair[1]) for pick in (min, max))
    return SmallLine(
        tuple("M" + "L".join(f"{x} {y}" for x, y in run) for run in runs if len(run) > 1),
        tuple(run[0] for run in runs if len(run) == 1),
        (point(0, low)[1], point(0, high)[1]),
        EndLabel(point(first_place, first)[1], number(first)),
        EndLabel(point(last_place, last)[1], number(last)),
        f"{what}: {number(first)} at {names[first_place]}, {number(last)} at {names[last_place]}; lowest "
        f"{number(lowest[1])} at {names[lowest[0]]}, highest {number(highest[1])} at {names[highest[0]]}.",
    )


def _place_less_rank(known: Sequence[tuple[int, float]]) -> Callable[[tuple[int, float]], int]:
    """The same for values that follow each other without a gap."""
    rank = {place: number for number, (place, _) in enumerate(known)}
    return lambda pair: pair[0] - rank[pair[0]]
