"""The criteria and labels of a rubric, as people write them in spreadsheets."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from configs.import_words import import_words
from data.importers.mapping.table_mapping import plain_cell
from scoring.instruments import Criterion, Instrument, Scale, Taxonomy


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
        return None if best is None else best[1:]

    def is_label(self, text: str, criterion: str = "") -> bool:
        """Tell whether a cell is a label of the criterion as it stands; of all criteria if none is named."""
        scales = [self.scales[criterion]] if criterion in self.scales else self.scales.values()
        return bool(scales) and all(scale.label(text) is not None for scale in scales)

    def is_ticked(self, labels: Collection[str | None]) -> bool:
        """Tell whether only one label is used, not counting "not applicable", though the scales have more."""
        spared = {scale.not_applicable.id for scale in self.scales.values() if scale.not_applicable}
        used = {label for label in labels if label is not None and self._label(label) not in spared}
        return len({self._label(label) for label in used}) == 1

    def _label(self, text: str) -> str:
        return next((label for scale in self.scales.values() if (label := scale.label(text))), text)

    def is_like_label(self, text: str) -> bool:
        """Tell whether a cell may be a label of some criterion, as people write labels."""
        plain = plain_cell(text)
        return (
            any(scale.label(text) is not None for scale in self.scales.values())
            or any(plain in words for words in import_words().labels.values())
            or bool(re.fullmatch(r"-?\d{1,3}([.,]\d)?", plain))
        )


def _without(words: str, column: str) -> str | None:
    """Return a column's name without the words that it begins or ends with; None if it does neither."""
    pattern = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", words)))
    for form in (rf"\W*{pattern}(?![^\W_])(.*)", rf"(.*)(?<![^\W_]){pattern}\W*"):
        if match := re.fullmatch(form, column.strip(), re.IGNORECASE | re.DOTALL):
            return match.group(1)
    return None


def propose_meanings(values: Sequence[str], criterion: str, rubric: RubricWords) -> dict[str, str]:
    """Return cell -> label for the cells that are written as a criterion's labels usually are; of all
    criteria if none is named. Cells that are labels as they stand, or that nothing explains, are left out.
    """
    scales = [rubric.scales[criterion]] if criterion in rubric.scales else list(rubric.scales.values())
    meanings: dict[str, str] = {}
    for value in values:
        labels = {_usual_label(plain_cell(value), scale) for scale in scales}
        label = labels.pop() if len(labels) == 1 and not rubric.is_label(value, criterion) else None
        if label is not None:
            meanings[value] = label
    return meanings


def _usual_label(plain: str, scale: Scale) -> str | None:
    """Return the label of a scale that a cell like "pass" or "n/a" usually means; None if unclear."""
    words = import_words().labels
    if (label := scale.label(plain)) is not None:
        return label
    if plain in words["not applicable"]:
        return scale.not_applicable.id if scale.not_applicable is not None else None
    for kind in ("yes", "no"):
        if plain in words[kind]:
            return next(
                (
                    level.id
                    for level in scale.levels
                    if {level.id.casefold(), level.name.casefold()} & set(words[kind][:2])
                ),
                None,
            )
    return None
