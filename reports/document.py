"""A report as sections of sentences, tables and charts; pages and files show the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scoring.agreement.estimate import Estimate

Tone = Literal["plain", "strong", "small"]


@dataclass(frozen=True)
class UnitLink:
    """A way to a unit: its position in the study, and the criterion or the turn (from 1; 0: the beginning) to
    open.
    """

    position: int
    criterion: str = ""
    turn: int = 0


@dataclass(frozen=True)
class Paragraph:
    text: str
    tone: Tone = "plain"


Cell = str | int | UnitLink


@dataclass(frozen=True)
class Table:
    """`key` names its CSV file. `numeric`: columns aligned right."""

    key: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    numeric: tuple[int, ...] = ()


@dataclass(frozen=True)
class ForestMark:
    """One estimate on a chart. `hollow`: rests on too little."""

    name: str
    estimate: Estimate
    hollow: bool = False


@dataclass(frozen=True)
class ForestRow:
    """A line of a chart: what it is of, what stands beside it in words, and one mark or more."""

    name: str
    beside: str
    marks: tuple[ForestMark, ...]
    shaded: bool = False


@dataclass(frozen=True)
class Forest:
    """Estimates with their intervals, one row under the other. `low`, `high`: ends of the axis."""

    key: str
    title: str
    axis: str
    rows: tuple[ForestRow, ...]
    low: float
    high: float


@dataclass(frozen=True)
class Heat:
    """Counts or numbers in a square; `shades` from 0 to 1 say how dark each is, None: empty. The cells carry
    their text.
    """

    key: str
    title: str
    down: tuple[str, ...]
    across: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    shades: tuple[tuple[float | None, ...], ...]
    corner: str = ""

    def as_table(self) -> Table:
        return Table(
            self.key,
            self.title,
            (self.corner, *self.across),
            [(name, *row) for name, row in zip(self.down, self.texts, strict=True)],
        )


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


Block = Paragraph | Table | Forest | Heat | Scatter | Panels


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """`cautions` stand above everything. `settings`: what the report is of, for whoever computes it again."""

    title: str
    header: tuple[str, ...]
    cautions: tuple[str, ...]
    sections: tuple[Section, ...]
    settings: dict[str, object] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """Squares among them."""
        return [
            block.as_table() if isinstance(block, Heat) else block
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Table | Heat)
        ]
