"""What the server tells the pad of a study lead, and what it sends. `make contract` writes it as types for
its scripts (contract.d.ts).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from data.store.free_text import NOTE_LIMIT
from services.rating_contract import Name, PageCriterion, PageMessage, PageUnit


class _PadPart(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class LabelSource(_PadPart):
    """Somebody whose labels of this unit may be taken over, by criterion."""

    name: str
    labels: dict[str, str]


class PadReceipt(_PadPart):
    """What became of the labels that were sent under this id: `trouble`, or saved."""

    id: str
    words: str
    trouble: bool


class LeadPadData(_PadPart):
    """`key`: of what is labelled, which the browser keeps unsaved labels by. `labels`, `expert` and `reason`:
    as they are kept, or "". `notes`: what is to be known before it is saved. Without `saves` it is a try, of
    which nothing is kept. `back`: the way back and its words.
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
    """Labels by criterion, whose they are and why, as the browser sends them."""

    id: Name
    labels: dict[Name, Name] = Field(max_length=1_000)
    expert: Annotated[str, Field(max_length=NOTE_LIMIT)]
    reason: Annotated[str, Field(max_length=NOTE_LIMIT)]
