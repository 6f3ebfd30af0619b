"""Instruments: what is asked about a unit, on which scales, and how a score is made of the labels.

An instrument is a versioned YAML file. Two versions are two instruments; a file whose text changed while its
version did not is refused by the store (data/record/studies.py), because labels given under the old text
would be read under the new one.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from configs.files.yaml_files import parse_model, read_model
from scoring.asked_questions import check_conditions

# Keys that mean something else on the rating pad, whatever the instrument: a label may not take them.
RESERVED_KEYS = frozenset("cdefghijklmopqrstuvwxz")
NOT_APPLICABLE = "Does not apply"  # where the instrument has no other name for it
WHOLE = re.compile(r"(-?\d+)\.0+$")
EXPONENT = re.compile(r"[eE][-+]?(\d+)")
LONGEST_NUMBER = 60
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


def exact_number(text: str) -> Fraction:
    """Return the number that a person wrote, such as 0.15 or 1/3.

    Raise ValueError for anything else, for more than LONGEST_NUMBER (60) characters, and for an exponent of
    more than two digits, which may take minutes to compute.
    """
    exponent = EXPONENT.search(text)
    if len(text) > LONGEST_NUMBER or (exponent and len(exponent.group(1)) > 2):
        raise ValueError("too long a number")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("a number is not divided by 0") from None


def _fraction(value: object) -> Fraction:
    try:
        return exact_number(str(value))
    except ValueError:
        raise ValueError('expected a number in quotes, such as "0.15"') from None


Exact = Annotated[Fraction, BeforeValidator(_fraction)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _each_once(what: str, ids: list[str]) -> None:
    for name, times in Counter(ids).items():
        if times > 1:
            raise ValueError(f"the {what} {name} is listed twice")


class Level(Strict):
    """One label of a scale. `value` is what it counts in a score; `key` sets it on the rating pad."""

    id: Identifier
    name: str = Field(min_length=1)
    key: str = Field(pattern=r"^[a-z0-9]$")
    value: int | None = None
    anchor: str = ""


class Scale(Strict):
    kind: Literal["nominal", "ordinal"]
    levels: tuple[Level, ...] = Field(min_length=2)
    not_applicable: Level | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Scale:
        labels = self.labels()
        for what, values in (("id", [str(x.id) for x in labels]), ("key", [x.key for x in labels])):
            twice = {v for v in values if values.count(v) > 1}
            if twice:
                raise ValueError(f"two levels share the {what} {sorted(twice)[0]!r}")
        taken = sorted({x.key for x in labels} & RESERVED_KEYS)
        if taken:
            raise ValueError(
                f"the key {taken[0]!r} is used for something else on the rating pad; use a digit, y, n, a "
                "or b"
            )
        if any(level.value is None for level in self.levels):
            raise ValueError("every level needs a value, the number that it counts")
        ordered = [level.value for level in self.levels if level.value is not None]
        if self.kind == "ordinal" and ordered != sorted(set(ordered)):
            raise ValueError(
                "the levels of an ordinal scale must be listed from the lowest value to the highest"
            )
        return self

    def labels(self) -> list[Level]:
        """Return every label that can be stored, "does not apply" last."""
        return [*self.levels, *([self.not_applicable] if self.not_applicable else [])]

    def value(self, label: str) -> int | None:
        """Return what a level counts, by its id; None for "does not apply", an unknown id or a level
        without a value.
        """
        return next((level.value for level in self.levels if level.id == label), None)

    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest value of the levels. Raise ValueError if no level has one."""
        values = [level.value for level in self.levels if level.value is not None]
        return min(values), max(values)

    def label(self, text: object) -> str | None:
        """Return the id of a label written as its id or name, ignoring letter case; None if there is no
        such label.

        A spreadsheet may write 4 as 4.0, which counts as 4.
        """
        written = str(text).strip().casefold()
        for level in self.labels():
            if written in (level.id.casefold(), level.name.casefold()):
                return level.id
        whole = WHOLE.match(written)
        return self.label(whole.group(1)) if whole else None


class Category(Strict):
    id: Identifier
    name: str
    weight: Exact
    question: str = ""
    gate: bool = False


class Criterion(Strict):
    """`asked_when`: other criteria with labels; it is asked where one of them was asked and has one of its
    labels. Empty: always. What that means stands in asked_questions.py.
    """

    id: Identifier
    name: str
    scale: str
    checks_for: str = ""
    category: str | None = None
    not_applicable: Literal["allowed", "invalid"] = "allowed"
    not_applicable_note: str = ""
    minimum_turns: int | None = Field(default=None, ge=1)
    failures: tuple[str, ...] = ()
    asked_when: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class Score(Strict):
    rule: Literal["weighted_categories", "mean_of_levels", "none"]
    threshold: Exact | None = None
    not_applicable_counts: Exact = Fraction(1)


class Instrument(Strict):
    """A versioned set of criteria. `criteria_from: declared_plan` takes them from each unit's plan
    instead.
    """

    key: Identifier
    version: Identifier
    title: str
    unit: Literal["conversation", "assistant_turn"]
    introduction: str = ""
    scales: dict[str, Scale]
    categories: tuple[Category, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    criteria_from: Literal["declared_plan"] | None = None
    declared_scale: str | None = None
    score: Score = Score(rule="none")

    @model_validator(mode="after")
    def _consistent(self) -> Instrument:
        _each_once("criterion", [criterion.id for criterion in self.criteria])
        _each_once("category", [category.id for category in self.categories])
        if bool(self.criteria) == bool(self.criteria_from):
            raise ValueError("give either criteria or criteria_from")
        if self.criteria_from and self.declared_scale not in self.scales:
            raise ValueError(f"declared_scale must be one of {', '.join(self.scales)}")
        if self.criteria_from and self.unit != "assistant_turn":
            raise ValueError("criteria_from: declared_plan needs unit: assistant_turn")
        for criterion in self.criteria:
            if criterion.scale not in self.scales:
                raise ValueError(
                    f"criterion {criterion.id} names the scale {criterion.scale!r}; there are: "
                    f"{', '.join(self.scales)}"
                )
            if criterion.minimum_turns and (
                criterion.not_applicable == "invalid" or not self.scales[criterion.scale].not_applicable
            ):
                raise ValueError(
                    f"criterion {criterion.id} has minimum_turns, so its scale must allow not_applicable"
                )
        check_conditions(self)
        if self.score.rule == "mean_of_levels" and (
            not self.declared_scale
            or self.scales[self.declared_scale].bounds()[0] != 0
            or self.scales[self.declared_scale].not_applicable
        ):
            raise ValueError(
                "the rule mean_of_levels is for declared plans, on a scale from 0 without not_applicable"
            )
        if self.score.rule == "weighted_categories":
            category_ids = {category.id for category in self.categories}
            for criterion in self.criteria:
                if criterion.category not in category_ids:
                    raise ValueError(
                        f"criterion {criterion.id} names the category {criterion.category!r}; there are: "
                        f"{', '.join(sorted(category_ids))}"
                    )
            total = sum((category.weight for category in self.categories), Fraction(0))
            if total != 1:
                raise ValueError(
                    f"the weights of the categories add up to {float(total):g}; they must add up to 1"
                )
            if self.score.threshold is None:
                raise ValueError("a score by weighted categories needs a threshold")
        return self

    @property
    def conditional(self) -> bool:
        """Tell whether any criterion is asked only after certain answers."""
        return any(criterion.asked_when for criterion in self.criteria)

    def criterion(self, criterion_id: str) -> Criterion | None:
        """Return the criterion with this id, or None."""
        return next((c for c in self.criteria if c.id == criterion_id), None)

    def criteria_for(self, declared: tuple[Strategy, ...] = ()) -> tuple[Criterion, ...]:
        """Return the criteria of one unit: the instrument's own, or one for each strategy that its plan
        declares.
        """
        if not self.criteria_from:
            return self.criteria
        return tuple(
            Criterion(
                id=s.id, name=s.name, scale=str(self.declared_scale), checks_for=s.description, failures=()
            )
            for s in declared
        )

    def scale_of(self, criterion: Criterion) -> Scale:
        """Return the scale of a criterion of this instrument."""
        return self.scales[criterion.scale]

    def scale_for(self, criterion_id: str) -> Scale:
        """Return the scale of a criterion or, where criteria come from plans, of any strategy.

        Raise KeyError for an unknown criterion.
        """
        criterion = self.criterion(criterion_id)
        if criterion is None and not self.criteria_from:
            raise KeyError(f"{self.title} has no criterion {criterion_id!r}")
        return self.scale_of(criterion) if criterion else self.scales[str(self.declared_scale)]

    def forced_not_applicable(self, criterion: Criterion, turns: int) -> str | None:
        """Return the label "does not apply" if `turns` is below the criterion's minimum, so that nobody is
        asked; else None.
        """
        na = self.scales[criterion.scale].not_applicable
        return na.id if na and criterion.minimum_turns and turns < criterion.minimum_turns else None

    @property
    def not_applicable_name(self) -> str:
        """Return what the scales call "does not apply", several names joined by " or "."""
        levels = [scale.not_applicable for scale in self.scales.values() if scale.not_applicable]
        return " or ".join(dict.fromkeys(level.name for level in levels)) or NOT_APPLICABLE

    def not_applicable_name_of(self, criterion: Criterion) -> str:
        """Return what the criterion's scale calls "does not apply"; "does not apply" itself if it
        has none.
        """
        level = self.scale_of(criterion).not_applicable
        return level.name if level else NOT_APPLICABLE

    def permitted(self, criterion: Criterion) -> list[Level]:
        """Return the labels a person may choose, in order: "does not apply" is left out where it is
        invalid.
        """
        scale = self.scales[criterion.scale]
        return [*scale.levels] if criterion.not_applicable == "invalid" else scale.labels()


class Strategy(Strict):
    id: Identifier
    name: str
    description: str
    examples: tuple[str, ...] = ()


class Taxonomy(Strict):
    """A versioned list of strategies that a plan may declare."""

    key: Identifier
    version: Identifier
    title: str
    strategies: tuple[Strategy, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> Taxonomy:
        _each_once("strategy", [strategy.id for strategy in self.strategies])
        return self

    def strategy(self, strategy_id: str) -> Strategy | None:
        """Return the strategy with this id, or None."""
        return next((s for s in self.strategies if s.id == strategy_id), None)


def load_instrument(path: Path) -> tuple[Instrument, str]:
    """Read an instrument file. Return it and the file's text. Raise ConfigFileError if it can't be used."""
    return read_model(path, Instrument)


def parse_instrument(text: str, name: str = "instrument") -> Instrument:
    """Return the instrument in a YAML text. Raise ConfigFileError, naming `name`, if it can't be used."""
    return parse_model(text, Instrument, name)


def parse_taxonomy(text: str, name: str = "taxonomy") -> Taxonomy:
    """Return the taxonomy in a YAML text. Raise ConfigFileError, naming `name`, if it can't be used."""
    return parse_model(text, Taxonomy, name)
