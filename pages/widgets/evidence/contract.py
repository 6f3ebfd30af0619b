"""The data that the server sends to the evidence table. `make contract` writes its types for the scripts
(contract.d.ts). Drawings come as HTML of our own templates.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from reports.document import Shape


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class TableRow(_Sent):
    """A row. `marks`, `spread`, `beside` and `behind` are HTML: the estimates on the axis, the distribution,
    and the left and right part of the open row. `sign` comes before the verdict, `remark` in small below the
    name. `amounts[i]`: the sort key of column i; None sorts last. `marked`: the numbers of cells that stand
    out.
    """

    key: str
    name: str
    shape: Shape
    sign: str
    verdict: str
    marks: str
    spread: str
    cells: list[str]
    marked: list[int]
    remark: str
    amounts: list[float | None]
    beside: str
    behind: str


class TableColumn(_Sent):
    """`term`: the technical term for the tooltip, or ""."""

    name: str
    term: str
    numeric: bool
    sortable: bool


class EvidenceData(_Sent):
    """All data of the table. `legend` and `scale` are HTML: what the marks mean, and the axis above them.
    `opened`: the row to open, or "". `opens_below`: the page draws the details of one row below the table. An
    empty `verdict_name`, `spread_name` or `scale` leaves out that column. `brief`: cells hold a word or two.
    """

    title: str
    corner: str
    verdict_name: str
    spread_name: str
    legend: str
    scale: str
    columns: list[TableColumn]
    rows: list[TableRow]
    opened: str
    opens_below: bool
    brief: bool
