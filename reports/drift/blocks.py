"""What a report of drift holds beside sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass

from reports.document import Section


@dataclass(frozen=True)
class Scatter:
    """Points of a chart: `x[i]`, `y[i]` and `groups[i]`, what point i is of. `title` says what it shows."""

    key: str
    title: str
    x_name: str
    y_name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True)
class ChartSection(Section):
    """A section with charts of points below its blocks."""

    scatters: tuple[Scatter, ...] = ()


@dataclass(frozen=True)
class PanelPoint:
    """`value` None: a gap. `low` to `high`: the ends of its bar, or None."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Panel:
    """One of several beside each other. `points`: one for each of `Panels.x`."""

    name: str
    points: tuple[PanelPoint, ...]


@dataclass(frozen=True)
class Panels:
    """Small multiples on the same axes. `title` says what they show; `n_of`: what is counted; `line`: a
    height marked with `line_name`.
    """

    key: str
    title: str
    x_name: str
    y_name: str
    x: tuple[str, ...]
    panels: tuple[Panel, ...]
    n_of: str
    digits: int = 2
    line: float | None = None
    line_name: str = ""
    percents: bool = False
