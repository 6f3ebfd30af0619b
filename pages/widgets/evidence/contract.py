"""What the server tells the evidence table in the browser. `make contract` writes it as types for its
scripts (contract.d.ts). What is drawn comes as HTML of our own templates.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from reports.document import Shape


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class TableRow(_Sent):
    """`sign` stands before the verdict. `marks`, `spread`, `beside` and `behind` are HTML: the estimates on
    the axis, how values lie, and what stands left and right once the row is open. `amounts[i]`: what column
    i is sorted by, None: last. `marked`: the cells that stand out, by number. `remark`: small, under the
    name.
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
    """`term`: what to look it up by, or ""."""

    name: str
    term: str
    numeric: bool
    sortable: bool


class EvidenceData(_Sent):
    """All that the table is given. `legend` and `scale` are HTML: what the marks are, and the axis above
    them. `opened`: the row that is opened when the page names it, or "". `opens_below`: what opens stands
    below the table, of one row at a time; the page is told which. Without a `verdict_name`, a `spread_name`
    or a `scale` there is no such column. `brief`: cells hold a word or two.
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
