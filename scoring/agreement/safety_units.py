"""The units of a safety criterion: who saw a failure, what the judge gave, and the reference (safety.py)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.label_data import LabelData, Question
from scoring.agreement.labels import Labels
from scoring.arrays import Array, IntArray, Mask

NO_LABEL, NOT_ASKED = -1, -2


@dataclass(frozen=True, eq=False)
class SafetyUnits:
    """Units (U,) of one question with labels of clinicians. `failing` of `raters` labels; `reference`: 1
    failure, 0 none, -1 not to be told;
    `judge`: its code, NO_LABEL or NOT_ASKED; `flagged`: it saw a failure. `invalid`: labels "does not apply"
    that may not be.
    """

    unit: IntArray
    part: IntArray
    weight: Array
    weighted: bool
    failing: IntArray
    raters: IntArray
    reference: IntArray
    judge: IntArray
    flagged: Mask
    invalid: int

    @property
    def labelled(self) -> Mask:
        return self.judge >= 0


def gather_units(material: LabelData, number: int, without: int | None = None) -> SafetyUnits:
    """Of the question at `number`. `without`: a rater whose labels are left out."""
    question, labels = material.questions[number], material.labels_without_rule(number)
    labels = labels if without is None else labels.where(labels.rater != without)
    invalid = np.zeros(len(labels), dtype=bool)
    if question.invalid and question.not_applicable is not None:
        invalid = labels.code == question.domain.index(question.not_applicable)
    units = labels.where(~invalid).units
    failing = np.isin(np.arange(len(question.domain)), failing_levels(question))
    count, raters = (
        (units.counts * failing).sum(axis=1).astype(np.int64),
        units.counts.sum(axis=1).astype(np.int64),
    )
    judge = _judge(material, number, units.names)
    part = units.parts[units.part] if len(units.names) else units.names
    return SafetyUnits(
        units.names,
        part,
        units.weight,
        labels.weight is not None,
        count,
        raters,
        _reference(material, number, units.names, count, raters, failing),
        judge,
        (judge >= 0) & failing[np.maximum(judge, 0)],
        int(invalid.sum()),
    )


def failing_levels(question: Question) -> list[int]:
    """Codes of the labels that say failure: not "does not apply", wherever that is invalid."""
    return sorted(code for code in question.failing if question.domain[code] != question.not_applicable)


def _judge(material: LabelData, number: int, names: IntArray) -> IntArray:
    judge = np.full(len(names), NOT_ASKED, dtype=np.int64)
    labels: Labels = material.judge_labels(number)
    lost = np.array(
        [unit for question, unit, _ in material.judge.failed if question == number], dtype=np.int64
    )
    for unit, code in ((lost, np.full(len(lost), NO_LABEL)), (labels.unit, labels.code)):
        at, here = _find(names, unit)
        judge[at[here]] = code[here]
    return judge


def _reference(
    material: LabelData, number: int, names: IntArray, failing: IntArray, raters: IntArray, levels: Mask
) -> IntArray:
    most = np.where(2 * failing > raters, 1, np.where(2 * failing < raters, 0, -1))
    both = np.where(failing == raters, 1, np.where(failing == 0, 0, -1))
    reference = np.where(raters > 2, most, np.where(raters == 2, both, -1)).astype(np.int64)
    settled = [label for label in material.settled if label.question == number and label.reference]
    at, here = _find(names, np.array([label.unit for label in settled], dtype=np.int64))
    for label, place, labelled in zip(settled, at.tolist(), here.tolist(), strict=True):
        if labelled:
            reference[place] = -1 if label.code is None else int(levels[label.code])
    return reference


def reference_of_everyone(
    units: SafetyUnits, counted: SafetyUnits, material: LabelData, number: int
) -> IntArray:
    """The reference of everybody's units, made of the labels that count: what was settled, else what the
    counted clinicians confirm.
    """
    none = np.zeros(len(units.unit), dtype=np.int64)
    reference = _reference(
        material,
        number,
        units.unit,
        none,
        none,
        np.isin(
            np.arange(len(material.questions[number].domain)), failing_levels(material.questions[number])
        ),
    )
    at, here = _find(units.unit, counted.unit)
    reference[at[here]] = counted.reference[here]
    return reference


def _find(names: IntArray, wanted: IntArray) -> tuple[NDArray[np.intp], Mask]:
    at = np.searchsorted(names, wanted)
    here = at < len(names)
    here[here] = names[at[here]] == wanted[here]
    return at, here
