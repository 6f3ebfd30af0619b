"""The data that the server sends to the list of labels to settle. `make contract` writes its types for the
scripts (contract.d.ts).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _ListPart(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class SettleRow(_ListPart):
    """One label to settle. `about`: its criterion, "" while hidden. `labels`: the labels given, none while
    hidden. `judge`: the judge's label against them. `marks`: further facts, the distance first. `address`:
    the row's link.
    """

    key: str
    name: str
    about: str
    labels: list[str]
    judge: list[str]
    marks: list[str]
    address: str


class LabelList(_ListPart):
    """A page of the list, after the first `after` of `total` rows. `current`: the key of the open row, or "".
    `page_size`: the rows of a full page. `leaves`: a press follows the row's address.
    """

    title: str
    rows: list[SettleRow]
    after: int
    total: int
    page_size: int
    current: str
    empty: str
    leaves: bool
