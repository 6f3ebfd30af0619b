"""What the server tells the evidence table in the browser. `make contract` writes it as types for its
scripts (contract.d.ts).
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from reports.document import Shape


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class TableMark(_Sent):
    """An estimate on the axis. None: there is no value, or no interval. `words`: all of it, to be read.
    `clear`: whether it tells anything.
    """

    value: float | None
    low: float | None
    high: float | None
    words: str
    clear: bool


class TableSpread(_Sent):
    """How values lie on an axis of their own. `points`: each of them, where they are few. `ends`: what the
    ends of the axis are, in words.
    """

    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    axis_low: float
    axis_high: float
    points: list[float]
    ends: list[str]
    words: str


class TableLink(_Sent):
    """`target`: an address inside the app, made of numbers and known keys."""

    text: str
    target: str


class ParagraphBlock(_Sent):
    """`term`: what to look it up by, or ""."""

    kind: Literal["paragraph"]
    text: str
    term: str
    tone: Literal["plain", "strong", "small"]


class TableBlock(_Sent):
    """`numeric`: columns aligned right."""

    kind: Literal["table"]
    caption: str
    header: list[str]
    rows: list[list[str | TableLink]]
    numeric: list[int]


class SquareBlock(_Sent):
    """`shades`, 0 to 1: how dark each cell is, None: not at all. `outlined`: those on the diagonal."""

    kind: Literal["square"]
    caption: str
    corner: str
    down: list[str]
    across: list[str]
    texts: list[list[str]]
    shades: list[list[float | None]]


RowPart = ParagraphBlock | TableBlock | SquareBlock


class TableRow(_Sent):
    """`beside` and `behind`: what stands left and right once the row is open. `amounts[i]`: what column i is
    sorted by, None: last. `marked`: the cells that stand out, by number. `remark`: small, under the name.
    """

    key: str
    name: str
    shape: Shape
    verdict: str
    marks: list[TableMark]
    spread: TableSpread | None
    cells: list[str]
    marked: list[int]
    remark: str
    amounts: list[float | None]
    beside: list[RowPart]
    behind: list[RowPart]


class TableColumn(_Sent):
    """`term`: what to look it up by, or ""."""

    name: str
    term: str
    numeric: bool
    sortable: bool


class TableAxis(_Sent):
    """From `low` to `high`. `ticks`: where lines stand; `words`: what is measured; `term`: what to look it up
    by, or "".
    """

    low: float
    high: float
    ticks: list[float]
    words: str
    term: str


class EvidenceData(_Sent):
    """All that the table is given. `opened`: the row that is opened when the page names it, or "".
    `opens_below`: what opens stands below the table, of one row at a time; the page is told which. Without a
    `verdict_name`, a `spread_name` or any `series` there is no such column. `brief`: cells hold a word or
    two.
    """

    title: str
    corner: str
    verdict_name: str
    spread_name: str
    series: list[str]
    axis: TableAxis
    columns: list[TableColumn]
    rows: list[TableRow]
    opened: str
    opens_below: bool
    brief: bool
