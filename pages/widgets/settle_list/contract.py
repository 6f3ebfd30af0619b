"""What the server tells the list of labels to settle in the browser. `make contract` writes it as types for
its scripts (contract.d.ts).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _ListPart(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class SettleRow(_ListPart):
    """One label. `about`: its criterion, "" while that stays hidden. `labels`: what was given, one after
    another; none while they stay hidden. `judge`: what a judge says against them. `marks`: what else is to be
    known, how far the labels are apart first. `address`: where the row leads by itself.
    """

    key: str
    name: str
    about: str
    labels: list[str]
    judge: list[str]
    marks: list[str]
    address: str


class LabelList(_ListPart):
    """A page of the list, behind its first `after` of `total`. `current`: the key of the row that is open, or
    "". `page_size`: how many rows a full page has. `leaves`: a press follows the row's address.
    """

    title: str
    rows: list[SettleRow]
    after: int
    total: int
    page_size: int
    current: str
    empty: str
    leaves: bool
