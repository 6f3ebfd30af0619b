"""The criteria and labels of a rubric, as people write them in spreadsheets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from configs.import_words import import_words
from data.importers.mapping.table_mapping import EVERY_CRITERION, FAILURE, plain_cell
from scoring.instruments import Criterion, Instrument, Scale, Taxonomy

NUMBER = re.compile(r"-?\d{1,3}([.,]\d)?")  # a label that is written as a number


class ScaleGroup(NamedTuple):
    """Criteria that share a scale. `parts`: under which names their meanings are kept: EVERY_CRITERION if
    there is no other group.
    """

    criteria: tuple[str, ...]
    parts: tuple[str, ...]
    scale: Scale


@dataclass(frozen=True)
class RubricWords:
    """A study's criteria with their scales, and whether single replies are rated. Empty where no rubric is
    chosen yet.
    """

    criteria: Sequence[Criterion] = ()
    scales: Mapping[str, Scale] = field(default_factory=dict)  # by criterion id
    rates_replies: bool = False

    @classmethod
    def of(cls, instrument: Instrument | None, taxonomy: Taxonomy | None = None) -> RubricWords:
        """Return the criteria of an instrument: its own, or one per strategy of the taxonomy."""
        if instrument is None:
            return cls()
        strategies = taxonomy.strategies if taxonomy is not None and instrument.criteria_from else ()
        criteria = instrument.criteria_for(tuple(strategies)) if strategies else instrument.criteria
        scales = {each.id: instrument.scale_of(each) for each in criteria}
        return cls(criteria, scales, instrument.unit == "assistant_turn")

    @property
    def is_empty(self) -> bool:
        return not self.criteria

    def criterion(self, text: str) -> str | None:
        """Return the id of the criterion with this id or name, in any capitals; None if there is none."""
        plain = plain_cell(text)
        return next((c.id for c in self.criteria if plain in (c.id.casefold(), plain_cell(c.name))), None)

    def split(self, column: str) -> tuple[str, str] | None:
        """Return (criterion id, the rest of the name) of a column whose name begins or ends with the id or
        name of a criterion; the longest wins. None if there is none.
        """
        best: tuple[int, str, str] | None = None
        for criterion in self.criteria:
            for text in (criterion.id, criterion.name):
                rest = _without(text, column)
                if rest is not None and (best is None or len(text) > best[0]):
                    other = criterion.name if text == criterion.id else criterion.id
                    best = len(text), criterion.id, rest if (less := _without(other, rest)) is None else less
        letters = _letters(column)
        same_letters = [
            each.id for each in self.criteria if letters in (_letters(each.id), _letters(each.name))
        ]
        return best[1:] if best else (same_letters[0], "") if len(same_letters) == 1 else None

    def scale_groups(self, criteria: Collection[str]) -> list[ScaleGroup]:
        """Return these criteria in groups that share a scale; all criteria if none is given."""
        groups: list[tuple[Scale, list[str]]] = []
        for name, scale in self.scales.items():
            if criteria and name not in criteria:
                continue
            same_scale = next((names for other, names in groups if other == scale), None)
            if same_scale is None:
                groups.append((scale, [name]))
            else:
                same_scale.append(name)
        is_only = len(groups) == 1
        return [
            ScaleGroup(tuple(names), (EVERY_CRITERION,) if is_only else tuple(names), scale)
            for scale, names in groups
        ]

    def is_label(self, text: str, criterion: str = "") -> bool:
        """Tell whether a cell is a label of the criterion as it stands; of all criteria if none is named."""
        scales = [self.scales[criterion]] if criterion in self.scales else self.scales.values()
        return bool(scales) and all(scale.label(text) is not None for scale in scales)

    def is_like_label(self, text: str) -> bool:
        """Tell whether a cell may be a label of some criterion, as people write labels."""
        plain = plain_cell(text)
        return (
            any(scale.label(text) is not None for scale in self.scales.values())
            or any(plain in words for words in import_words().labels.values())
            or NUMBER.fullmatch(plain) is not None
        )


def _letters(text: str) -> str:
    """Return the letters and digits of a name, so that "CQ-3" and "cq 3" are CQ3."""
    return "".join(each for each in text.casefold() if each.isalnum())


def _without(words: str, column: str) -> str | None:
    """Return a column's name without the words that it begins or ends with; None if it does neither."""
    pattern = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", words)))
    for form in (rf"\W*{pattern}(?![^\W_])(.*)", rf"(.*)(?<![^\W_]){pattern}\W*"):
        if match := re.fullmatch(form, column.strip(), re.IGNORECASE | re.DOTALL):
            return match.group(1)
    return None


class LabelMeanings:
    """What the cells of a mapped table mean, by criterion."""

    def __init__(self, labels: Mapping[str, Mapping[str, str | None]], rubric: RubricWords) -> None:
        self._rubric = rubric
        self._parts = {
            rubric.criterion(part) or part: {plain_cell(cell): label for cell, label in meanings.items()}
            for part, meanings in labels.items()
        }

    def of(self, criterion: str) -> dict[str, str | None]:
        """Return plain cell -> meaning for a criterion, named by its id or name, or for EVERY_CRITERION.

        A meaning for every criterion holds only where it is a label of this one.
        """
        name = self._rubric.criterion(criterion) or criterion
        scale = self._rubric.scales.get(name)
        every = {
            cell: label
            for cell, label in self._parts.get(EVERY_CRITERION, {}).items()
            if scale is None or label in (None, FAILURE) or scale.label(label) is not None
        }
        return {**every, **self._parts.get(name, {})}

    def read(self, cell: str, criterion: str) -> str | None:
        """Return the label that a cell means, FAILURE, or None for no label. A cell without a meaning stays
        as it is; an empty one means no label.
        """
        return self.of(criterion).get(plain_cell(cell), cell or None)


def unexplained_cells(
    columns: Sequence[Collection[str]], meanings: Mapping[str, str | None], scale: Scale
) -> list[str]:
    """Return the different cells of some columns with one scale that a person must explain.

    These are cells that are no label of the scale and have no meaning. If one of them is a number, or is
    explained as another number of the scale, all numbers must be explained: 1 to 3 may be written for 0 to 2.
    An empty cell must be explained if only one label is written in its column, not counting "not applicable",
    as in a list that is ticked.
    """
    cells = dict.fromkeys(cell for column in columns for cell in column if cell)
    labels = {cell: meanings.get(plain_cell(cell), scale.label(cell)) for cell in cells}
    numbers = {cell for cell in cells if NUMBER.fullmatch(plain_cell(cell))}
    is_shifted = any(NUMBER.fullmatch(level.id) for level in scale.levels) and any(
        scale.label(cell) is None
        and (plain_cell(cell) not in meanings or NUMBER.fullmatch(labels[cell] or ""))
        for cell in numbers
    )
    open_cells = [
        cell
        for cell in cells
        if plain_cell(cell) not in meanings
        and (scale.label(cell) is None or (is_shifted and cell in numbers))
    ]
    spared = {scale.not_applicable.id if scale.not_applicable is not None else None, FAILURE, None}
    written = [{labels[cell] for cell in column if cell} - spared for column in columns if "" in column]
    is_ticked = not open_cells and "" not in meanings and any(len(each) == 1 for each in written)
    return [*open_cells, *([""] if is_ticked else [])]


def propose_meanings(cells: Iterable[str], criteria: Sequence[Criterion], scale: Scale) -> dict[str, str]:
    """Return cell -> label for the cells that are written as labels of the scale usually are.

    Cells that are labels as they stand, or that nothing explains, are left out. "Pass" is "yes" only if all
    criteria say that their failures are something else than "yes".
    """
    evaluative = import_words().evaluative
    no_direction = not all(
        each.failures and _yes_or_no(scale, "yes") not in each.failures for each in criteria
    )
    meanings: dict[str, str] = {}
    for cell in cells:
        plain = plain_cell(cell)
        label = None if no_direction and plain in evaluative else _usual_label(plain, scale)
        if cell and label is not None and scale.label(cell) is None:
            meanings[cell] = label
    return meanings


def _usual_label(plain: str, scale: Scale) -> str | None:
    """Return the label of a scale that a cell like "y" or "n/a" usually means; None if unclear."""
    words = import_words().labels
    if plain in words["not applicable"]:
        return scale.not_applicable.id if scale.not_applicable is not None else None
    return next((_yes_or_no(scale, kind) for kind in ("yes", "no") if plain in words[kind]), None)


def _yes_or_no(scale: Scale, kind: str) -> str | None:
    """Return the level of a scale that is called yes, or no; None if there is none."""
    usual = set(import_words().labels[kind][:2])
    return next(
        (level.id for level in scale.levels if {level.id.casefold(), level.name.casefold()} & usual), None
    )
