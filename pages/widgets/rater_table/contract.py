"""The data that the server sends to the table of raters. `make contract` writes its types for the scripts
(contract.d.ts).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _TablePart(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class RaterLine(_TablePart):
    """One rater. `share`: the share of their work that is done, from 0 to 1. `rated`, `last`, `pace` and
    `left` are words or "". `late`: they have rated nothing for a long time. `address`: their list, relative
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
    """`opened`: the key of the rater whose details are shown below, or ""."""

    rows: list[RaterLine]
    opened: str
