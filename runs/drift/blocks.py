"""What a report of drift holds beside sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass

from runs.agreement.document import Section


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
class Charted(Section):
    """A section with charts of points below its blocks."""

    scatters: tuple[Scatter, ...] = ()
