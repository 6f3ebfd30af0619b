"""What the server tells the table of raters in the browser. `make contract` writes it as types for its
scripts (contract.d.ts).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _TablePart(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class RaterLine(_TablePart):
    """`share`: of their work that is done, from 0 to 1; `rated`, `last`, `pace` and `left` in words, "" where
    there is nothing to tell. `late`: they have rated nothing for long. `address`: of their own list, relative
    to the page.
    """

    key: str
    name: str
    code: str
    remark: str
    share: float
    rated: str
    last: str
    late: bool
    pace: str
    left: str
    address: str


class RaterTableData(_TablePart):
    """`opened`: the key of the rater whose details stand below, or ""."""

    rows: list[RaterLine]
    opened: str
