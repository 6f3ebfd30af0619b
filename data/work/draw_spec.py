"""What a study lead asks of a draw, checked, with what is wrong said in their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from configs.files.yaml_words import expected
from data.store.errors import Refused
from words.unit_nouns import UnitNoun

Method = Literal["all", "random", "strata", "certain", "chosen"]
FIELDS = {
    "method": "The way of drawing",
    "size": "How many in all",
    "keys": "What the groups are made of",
    "allocation": "How the groups share them",
    "random_share": "The share that goes to every group by its size",
    "certain": "What is taken whatever the draw",
    "positions": "The numbers",
}
_PART = re.compile(r"([0-9]{1,9})(?:\s*[-\u2013]\s*([0-9]{1,9}))?")


class _StrictSpec(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StratumKey(_StrictSpec):
    """What strata are made of: a judge's label on a criterion, a fact of the conversation, or whether a
    strategy is declared.

    `name` is the criterion, the fact or the strategy; only a label has a `judge`.
    """

    kind: Literal["label", "fact", "declared"]
    name: str = Field(min_length=1)
    judge: int | None = None

    @model_validator(mode="after")
    def _consistent(self) -> StratumKey:
        if (self.kind == "label") != (self.judge is not None):
            raise ValueError(
                "a label needs the judge who gave it" if self.kind == "label" else "only a label has a judge"
            )
        return self


class CertainUnits(_StrictSpec):
    """Units on which this judge, or any where there is None, gave a failing label of a gate category or no
    label at all.
    """

    judge: int | None = None


class DrawSpec(_StrictSpec):
    """One draw.

    `all`: everything that is left. `random`: `size` of it. `strata`: `size` of it, by up to three `keys`,
    `allocation` by size or equal; at least `random_share` of `size` goes to every stratum by its size.
    `certain`: only what `certain` names; beside random and strata it is taken in addition to `size`.
    `chosen`: the `positions`, such as "3, 7, 20-25".
    """

    method: Method
    size: int | None = Field(default=None, ge=1)
    keys: tuple[StratumKey, ...] = ()
    allocation: Literal["proportional", "equal"] = "proportional"
    random_share: float = Field(default=0.2, ge=0.05, le=1)
    certain: CertainUnits | None = None
    positions: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> DrawSpec:
        if (self.size is not None) != (self.method in ("random", "strata")):
            raise ValueError(
                "say how many are to be drawn"
                if self.size is None
                else "a size can only be set for a random draw"
            )
        if self.method == "strata" and not 1 <= len(set(self.keys)) == len(self.keys) <= 3:
            raise ValueError("the groups are made of one to three different things; choose them")
        if self.method != "strata" and self.keys:
            raise ValueError("groups are only for drawing by groups")
        if self.method == "certain" and self.certain is None:
            raise ValueError("say which judge's failing labels are to be taken")
        if self.certain is not None and self.method not in ("random", "strata", "certain"):
            raise ValueError("what is taken in any case goes with a draw at random")
        if self.positions and self.method != "chosen":
            raise ValueError("numbers are named only where they are chosen by hand")
        if self.method == "chosen":
            ranges(self.positions)
        return self


def read_spec(values: Mapping[str, Any]) -> DrawSpec:
    """Return the specification of a draw from the fields of a form. Raise Refused with the first thing
    wrong.
    """
    try:
        return DrawSpec.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        where = FIELDS.get(str(first["loc"][0])) if first["loc"] else None
        if first["type"] == "value_error":
            problem = str(first["msg"]).removeprefix("Value error, ")
            raise Refused(f"{problem[:1].upper()}{problem[1:]}.") from None
        raise Refused(f"{where or 'The draw'}: {expected(first)}.") from None


def ranges(text: str) -> list[tuple[int, int]]:
    """Return (first, last) of every part of a text such as "3, 7, 20-25"; a single number is both.

    Parts are separated by commas, semicolons or line breaks. Raise ValueError that names the wrong part,
    also for a text without any.
    """
    read_ranges = []
    for part in re.split(r"[,;\n]", text):
        if not part.strip():
            continue
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise ValueError(
                f"“{part.strip()[:40]}” cannot be read; write numbers and ranges such as 3, 7, 20-25"
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1:
            raise ValueError("numbers begin at 1")
        if last < first:
            raise ValueError(f"{first}-{last} runs backwards; write {last}-{first}")
        read_ranges.append((first, last))
    if not read_ranges:
        raise ValueError("say which, by their numbers, such as 3, 7, 20-25")
    return read_ranges


def positions(text: str, count: int, noun: UnitNoun) -> list[int]:
    """Return the positions that a text such as "3, 7, 20-25" names, each once, ascending.

    Raise Refused for a text that can't be read, or a position above `count`, the study's units, which are
    called `noun`.
    """
    try:
        read_ranges = ranges(text)
    except ValueError as error:
        raise Refused(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    beyond = next((last for _, last in read_ranges if last > count), None)
    if beyond is not None:
        raise Refused("position_beyond_study", noun=noun, beyond=beyond, count=noun.count(count))
    return sorted({position for first, last in read_ranges for position in range(first, last + 1)})
