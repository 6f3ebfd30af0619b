"""The data that the server and the study lead's pad exchange. `make contract` writes their types for the
scripts (contract.d.ts).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from data.store.free_text import NOTE_LIMIT
from services.rating_contract import Name, PageCriterion, PageMessage, PageUnit


class _PadPart(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class LabelSource(_PadPart):
    """A person whose labels of this unit can be copied, by criterion."""

    name: str
    labels: dict[str, str]


class PadReceipt(_PadPart):
    """The result for the labels sent under this id: `trouble`, or "" if saved."""

    id: str
    words: str
    trouble: bool


class LeadPadData(_PadPart):
    """All data of the pad. `key`: the browser keeps unsaved labels under it. `labels`, `expert` and `reason`:
    as saved, or "". `notes`: to read before saving. Without `saves` the pad is a trial and saves nothing.
    `back`: the link back and its words.
    """

    key: str
    title: str
    unit: PageUnit
    roles: tuple[str, str]
    transcript: list[PageMessage] | None
    criteria: list[PageCriterion]
    labels: dict[str, str]
    expert: str
    reason: str
    sources: list[LabelSource]
    notes: list[str]
    saves: bool
    back: tuple[str, str] | None
    receipt: PadReceipt | None


class GoldSent(_PadPart):
    """Labels by criterion, the expert and the reason, as the browser sends them."""

    id: Name
    labels: dict[Name, Name] = Field(max_length=1_000)
    expert: Annotated[str, Field(max_length=NOTE_LIMIT)]
    reason: Annotated[str, Field(max_length=NOTE_LIMIT)]
