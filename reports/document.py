"""A report as sections of sentences, tables and charts; pages and files show the same one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from reports.wording import number_with_limits
from scoring.agreement.intervals.estimate import Estimate
from words.unit_nouns import CONVERSATION, UnitNoun

Tone = Literal["plain", "strong", "small"]
ON_ONE_LINE = 2  # series whose estimates are told apart by shape and colour


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
    """A line of a chart: its name, the words next to it, and one mark or more."""

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
        """Return the square as a table of its texts."""
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

    @classmethod
    def of(cls, estimate: Estimate) -> PanelPoint:
        """Return the point of an estimate."""
        return cls(estimate.value, estimate.low, estimate.high, estimate.n)


@dataclass(frozen=True)
class Panel:
    """One of several beside each other. `points`: one for each of `Panels.x`."""

    name: str
    points: tuple[PanelPoint, ...]


@dataclass(frozen=True)
class Panels:
    """Small multiples on the same axes. `title` says what they show; `n_of`: what is counted; `line`: a
    height marked with `line_name`. `change`: the place in `x` at which something changed, and what.
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
    change: tuple[int, str] | None = None


Shape = Literal["yes", "leans", "no", "alert", "unknown"]
SIGNS: dict[Shape, str] = {"yes": "\u2713", "leans": "\u2248", "no": "\u2715", "alert": "!", "unknown": "?"}


@dataclass(frozen=True)
class Spread:
    """How the values of one row lie, on an axis of its own from `axis_low` to `axis_high`. `points`: each
    value, where they are few; none where the middle half and the median are drawn instead.
    """

    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    axis_low: float
    axis_high: float
    words: str
    points: tuple[float, ...] = ()


@dataclass(frozen=True)
class PageHead:
    """How a page names what a file heads with a term: in plain words. `term`: what to look it up by."""

    name: str
    term: str = ""


@dataclass(frozen=True)
class EvidenceRow:
    """One line: what it is of, its verdict as a shape and a word, an estimate for each series or none at all,
    then cells.

    `amounts[i]`: what `cells[i]` is sorted by, None where there is nothing to sort. `notes`: what stands
    behind the line and opens. `clear[i]`: whether `estimates[i]` tells anything; without it all do.
    `marked`: the cells that stand out, by number. `remark`: small, under the name. `page_cells`,
    `page_notes`: what a page says in the place of cells and notes, where it says it otherwise.
    """

    key: str
    name: str
    shape: Shape
    verdict: str
    estimates: tuple[Estimate, ...]
    cells: tuple[str, ...]
    amounts: tuple[float | None, ...]
    notes: tuple[str, ...]
    spread: Spread | None = None
    clear: tuple[bool, ...] = ()
    marked: tuple[int, ...] = ()
    remark: str = ""
    page_cells: tuple[str, ...] = ()
    page_notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """Verdicts with what they rest on, one under the other: the estimates of all `series` on one axis from
    `low` to `high`.

    `corner`, `verdict_name` and `spread_name` head the first columns, `columns` the cells, `notes_names` the
    notes. Without a `verdict_name`, a `spread_name` or any `series` there is no such column. `brief`: cells
    hold a word or two, and there may be many. `page_heads`: of the axis, columns and notes that a page names
    otherwise, by their names here.
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
    spread_name: str = ""
    brief: bool = False
    page_heads: Mapping[str, PageHead] = field(default_factory=dict)

    def page_head(self, name: str) -> PageHead:
        """Return how a page names this axis, column or note; by default the same."""
        return self.page_heads.get(name, PageHead(name))

    def as_blocks(self) -> tuple[Block, ...]:
        """Return the picture, if anything can be drawn, then all of it in words, for a file."""
        drawn = any(estimate.value is not None for row in self.rows for estimate in row.estimates)
        tables = (self.as_table(), *([self._estimates()] if len(self.series) > ON_ONE_LINE else []))
        return (self.as_forest(), *tables) if drawn else tables

    def as_table(self) -> Table:
        """Return all of it in words; without the estimates if there are more than two series."""
        series = self.series if len(self.series) <= ON_ONE_LINE else ()
        blank = [""] * len(series)
        return Table(
            self.key,
            self.title,
            (
                self.corner,
                *self._column(self.verdict_name),
                *self.notes_names,
                *series,
                *self._column(self.spread_name),
                *self.columns,
            ),
            [
                (
                    f"{row.name} ({row.remark})" if row.remark else row.name,
                    *(row.verdict for _ in self._column(self.verdict_name)),
                    *row.notes,
                    *(map(number_with_limits, row.estimates[: len(series)]) if row.estimates else blank),
                    *(row.spread.words if row.spread else "" for _ in self._column(self.spread_name)),
                    *row.cells,
                )
                for row in self.rows
            ],
        )

    def _estimates(self) -> Table:
        """One under the other."""
        return Table(
            f"{self.key}_estimates",
            self.axis,
            (self.corner, "Beside", "Estimate", "Counted"),
            [
                (row.name, name, number_with_limits(estimate), f"{estimate.n:,}")
                for row in self.rows
                if row.estimates
                for name, estimate in zip(self.series, row.estimates, strict=True)
            ],
            (3,),
        )

    def as_forest(self) -> Forest:
        """Return the estimates as a picture; with more than two series each on its own line."""
        return Forest(
            self.key,
            self.title,
            self.axis,
            tuple(line for row in self.rows if row.estimates for line in self._lines(row)),
            self.low,
            self.high,
        )

    def _lines(self, row: EvidenceRow) -> tuple[ForestRow, ...]:
        clear = row.clear or (True,) * len(row.estimates)
        marks = tuple(
            ForestMark(name, estimate, not is_clear)
            for name, estimate, is_clear in zip(self.series, row.estimates, clear, strict=True)
        )
        if len(marks) <= ON_ONE_LINE:
            return (ForestRow(row.name, row.verdict, marks),)
        return tuple(
            ForestRow(f"{row.name}: {mark.name}", "", (replace(mark, name=self.axis_name),)) for mark in marks
        )

    @property
    def axis_name(self) -> str:
        """Return what is measured, without how to read it."""
        return self.axis.partition(":")[0]

    @staticmethod
    def _column(name: str) -> tuple[str, ...]:
        return (name,) if name else ()


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
    """`cautions` stand above everything. `settings`: what to give to compute it again. `noun`: of what
    is rated. `unit_names`: position -> the conversation's own id, for readers who may know ids. `answer`: the
    headline and the sentences under it, with which a file opens as its page does; () for the title alone.
    """

    title: str
    header: tuple[str, ...]
    cautions: tuple[str, ...]
    sections: tuple[Section, ...]
    settings: dict[str, object] = field(default_factory=dict)
    noun: UnitNoun = CONVERSATION
    unit_names: Mapping[int, str] = field(default_factory=dict)
    answer: tuple[str, ...] = ()

    def for_files(self) -> Report:
        """Return the report with all evidence replaced by pictures and tables."""
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
        """Return all tables of the report in order, those of squares and evidence included."""
        return [
            block.as_table() if isinstance(block, Heat) else block
            for section in self.for_files().sections
            for block in section.blocks
            if isinstance(block, Table | Heat)
        ]

    def positions(self) -> set[int]:
        """Return the positions of all units that tables name."""
        cells = (cell for table in self.tables() for row in table.rows for cell in row)
        return {cell.position for cell in cells if isinstance(cell, UnitLink)}
