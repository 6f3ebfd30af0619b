"""What a study lead asks of a draw, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from configs.files.yaml_words import expected
from data.store.errors import Refused
from words.unit_nouns import UnitNoun

Method = Literal["all", "random", "strata", "certain", "chosen"]
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
            raise Refused("label_without_judge" if self.kind == "label" else "judge_of_no_label")
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
            raise Refused("draw_needs_size" if self.size is None else "size_without_chance")
        if self.method == "strata" and not 1 <= len(set(self.keys)) == len(self.keys) <= 3:
            raise Refused("draw_needs_groups")
        if self.method != "strata" and self.keys:
            raise Refused("groups_not_asked")
        if self.method == "certain" and self.certain is None:
            raise Refused("draw_needs_judge")
        if self.certain is not None and self.method not in ("random", "strata", "certain"):
            raise Refused("certain_without_chance")
        if self.positions and self.method != "chosen":
            raise Refused("positions_not_asked")
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
        fields = [str(name) for name in first["loc"][:1]] or [""]
        raise Refused("draw_unreadable", fields=fields, problem=expected(first)) from None


def ranges(text: str) -> list[tuple[int, int]]:
    """Return (first, last) of every part of a text such as "3, 7, 20-25"; a single number is both.

    Parts are separated by commas, semicolons or line breaks. Raise Refused that names the wrong part, also
    for a text without any.
    """
    read_ranges = []
    for part in re.split(r"[,;\n]", text):
        if not part.strip():
            continue
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise Refused("positions_unreadable", part=part.strip()[:40])
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1:
            raise Refused("position_below_1")
        if last < first:
            raise Refused("range_backwards", first=first, last=last)
        read_ranges.append((first, last))
    if not read_ranges:
        raise Refused("draw_needs_positions")
    return read_ranges


def positions(text: str, count: int, noun: UnitNoun) -> list[int]:
    """Return the positions that a text such as "3, 7, 20-25" names, each once, ascending.

    Raise Refused for a text that can't be read, or a position above `count`, the study's units, which are
    called `noun`.
    """
    read_ranges = ranges(text)
    beyond = next((last for _, last in read_ranges if last > count), None)
    if beyond is not None:
        raise Refused("position_beyond_study", noun=noun, beyond=beyond, count=noun.count(count))
    return sorted({position for first, last in read_ranges for position in range(first, last + 1)})
