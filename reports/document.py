"""A report as sections of sentences, tables and charts; pages and files show the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from reports.wording import number_with_limits
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


Shape = Literal["yes", "leans", "no", "unknown"]


@dataclass(frozen=True)
class EvidenceRow:
    """One line: what it is of, its verdict as a shape and a word, an estimate for each series, then cells.

    `amounts[i]`: what `cells[i]` is sorted by, None where there is nothing to sort. `notes`: what stands
    behind the line and opens.
    """

    key: str
    name: str
    shape: Shape
    verdict: str
    estimates: tuple[Estimate, ...]
    cells: tuple[str, ...]
    amounts: tuple[float | None, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Evidence:
    """Verdicts with what they rest on, one under the other: the estimates of all `series` on one axis from
    `low` to `high`.

    `corner` and `verdict_name` head the first two columns, `columns` the cells, `notes_names` the notes.
    """

    key: str
    title: str
    corner: str
    verdict_name: str
    series: tuple[str, ...]
    axis: str
    columns: tuple[str, ...]
    notes_names: tuple[str, ...]
    rows: tuple[EvidenceRow, ...]
    low: float
    high: float

    def as_blocks(self) -> tuple[Block, ...]:
        """For a file, where nothing opens: the picture, then all of it in words."""
        return (self.as_forest(), self.as_table())

    def as_table(self) -> Table:
        """All of it in words."""
        return Table(
            self.key,
            self.title,
            (self.corner, self.verdict_name, *self.notes_names, *self.series, *self.columns),
            [
                (row.name, row.verdict, *row.notes, *map(number_with_limits, row.estimates), *row.cells)
                for row in self.rows
            ],
        )

    def as_forest(self) -> Forest:
        """The estimates as a picture."""
        return Forest(
            self.key,
            self.title,
            self.axis,
            tuple(
                ForestRow(
                    row.name,
                    row.verdict,
                    tuple(
                        ForestMark(name, estimate)
                        for name, estimate in zip(self.series, row.estimates, strict=True)
                    ),
                )
                for row in self.rows
            ),
            self.low,
            self.high,
        )


Block = Paragraph | Table | Forest | Heat | Scatter | Panels | Evidence


@dataclass(frozen=True)
class RowDetails:
    """What opens behind a row of evidence on a page: `beside` on the left; on the right the `sentence`, the
    row's notes, and what is `behind` them.
    """

    sentence: str = ""
    beside: tuple[Block, ...] = ()
    behind: tuple[Block, ...] = ()


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

    def for_files(self) -> Report:
        """The same without what opens."""
        return replace(
            self,
            sections=tuple(
                replace(
                    section,
                    blocks=tuple(
                        part
                        for block in section.blocks
                        for part in (block.as_blocks() if isinstance(block, Evidence) else (block,))
                    ),
                )
                for section in self.sections
            ),
        )

    def tables(self) -> list[Table]:
        """Squares and evidence among them."""
        return [
            block.as_table() if isinstance(block, Heat) else block
            for section in self.for_files().sections
            for block in section.blocks
            if isinstance(block, Table | Heat)
        ]
