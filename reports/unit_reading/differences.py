"""Where the labels of one unit differ, criterion by criterion: what counts, and what is no label at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from data.labels.unit_labels import UnitLabel
from data.record.studies import Study
from data.record.units import Unit
from reports.document import Shape
from scoring.instruments import Criterion

Difference = Literal[
    "judge", "people", "judges", "not_blind", "changed", "unanswered", "alone", "same", "by_rule", "nothing"
]
# How each is told, the ones to read first before the others.
TOLD: dict[Difference, tuple[Shape, str]] = {
    "judge": ("no", "judge differs"),
    "people": ("leans", "clinicians differ"),
    "judges": ("leans", "judges differ"),
    "not_blind": ("leans", "differ, not blind"),
    "changed": ("leans", "changed after"),
    "unanswered": ("unknown", "an answer is missing"),
    "alone": ("unknown", "one label only"),
    "same": ("yes", "same"),
    "by_rule": ("unknown", "by rule"),
    "nothing": ("unknown", "no label yet"),
}
DIFFERING: tuple[Difference, ...] = ("judge", "people", "judges")


@dataclass(frozen=True)
class CriterionLabels:
    """All labels of one criterion. `people`, `judges`: one of each who answered, the label that counts."""

    criterion: Criterion
    is_gate: bool
    names: dict[str, str]
    people: tuple[UnitLabel, ...]
    judges: tuple[UnitLabel, ...]
    listed: tuple[UnitLabel, ...]

    @property
    def voices(self) -> tuple[UnitLabel, ...]:
        return self.people + self.judges

    @property
    def changed(self) -> tuple[UnitLabel, ...]:
        """Return labels of people whose answer changed after something was shown."""
        return tuple(label for label in self.people if label.is_changed)

    @property
    def given(self) -> tuple[UnitLabel, ...]:
        """Return the labels of everybody, without failures, "cannot rate" and those filled in by rule."""
        return tuple(label for label in self.voices if label.label is not None and not label.by_rule)

    @property
    def has_two_blind(self) -> bool:
        """Tell whether there are two labels or more to compare, a person's blind one among them."""
        people, judges = (
            sum(label.label_of_blind is not None for label in voices) for voices in (self.people, self.judges)
        )
        return people > 0 and people + judges > 1

    @property
    def is_unanswered(self) -> bool:
        """Tell whether anybody who was asked gave no label."""
        return any(label.label is None for label in self.voices)

    @property
    def is_same(self) -> bool:
        """Tell whether there are two comparable labels or more, all of them equal."""
        labels = [label for label in self.voices if _compared_label(label) is not None]
        return self.difference not in (*DIFFERING, "not_blind") and len(labels) > 1

    @property
    def difference(self) -> Difference:
        """Return what kind of difference the blind labels show; failures and "cannot rate" are ignored."""
        people = {label.label_of_blind for label in self.people} - {None}
        judges = {label.label for label in self.judges} - {None}
        if people and judges - people:
            return "judge"
        if len(people) > 1:
            return "people"
        if len(judges) > 1:
            return "judges"
        if len({_compared_label(label) for label in self.voices} - {None}) > 1:
            return "not_blind"
        if self.changed:
            return "changed"
        if self.is_unanswered:
            return "unanswered"
        if len(self.given) > 1:
            return "same"
        if self.given:
            return "alone"
        return "by_rule" if self.people else "nothing"


def _compared_label(label: UnitLabel) -> str | None:
    """The blind one, or what holds where none was ever given blind."""
    if label.blind_answer is not None or label.by_rule:
        return label.label_of_blind
    return label.label


def compare_labels(
    study: Study, unit: Unit, labels: Sequence[UnitLabel], came_for: str = ""
) -> list[CriterionLabels]:
    """Return the labels of each criterion, those with the largest differences first, safety criteria before
    others.

    `came_for`: id of a criterion to put first, "" for none.
    """
    gates = {category.id for category in study.instrument.categories if category.gate}
    kinds = list(TOLD)
    rows = [
        _labels_of(study, criterion, criterion.category in gates, labels)
        for criterion in unit.criteria(study)
    ]
    return sorted(
        rows,
        key=lambda row: (row.criterion.id != came_for, kinds.index(row.difference), not row.is_gate),
    )


def _labels_of(
    study: Study, criterion: Criterion, is_gate: bool, labels: Sequence[UnitLabel]
) -> CriterionLabels:
    listed = [label for label in labels if label.criterion == criterion.id]
    people: dict[int, UnitLabel] = {}
    judges: dict[int, UnitLabel] = {}
    for label in listed:
        if label.rater is not None and not label.outranked:
            people.setdefault(label.rater, label)
        if label.judge is not None:
            judges.setdefault(label.judge, label)
    return CriterionLabels(
        criterion,
        is_gate,
        {level.id: level.name for level in study.instrument.scale_of(criterion).labels()},
        tuple(people.values()),
        tuple(judges.values()),
        tuple(listed),
    )
