"""The units of a safety criterion: who saw a failure, what the judge gave, and the reference (safety.py)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.labels.label_data import LabelData, Question
from scoring.agreement.labels.labels import Labels
from scoring.arrays import Array, IntArray, Mask

NO_LABEL, NOT_ASKED = -1, -2
BOTH_STAND, NOT_SETTLED = -1, -2


@dataclass(frozen=True)
class Settling:
    """How far the settling of a safety gate has come, in units. `listed`: any clinician saw a failure there.
    `drawn`: which of them are to be settled, all or a random part. `settled`: which of `drawn` are settled by
    a person who had not seen the judge.
    """

    listed: int
    drawn: int
    settled: int

    @property
    def complete(self) -> bool:
        return self.settled == self.drawn and (self.drawn > 0 or not self.listed)


@dataclass(frozen=True, eq=False)
class SafetyUnits:
    """Units (U,) of one question that anybody labelled blind. `failing` of `raters` labels that count say
    failure; `seen_by` of `seen_of` labels of everybody. `reference`: 1 failure, 0 none, -1 unknown. `judge`:
    its code, NO_LABEL or NOT_ASKED; `flagged`: it saw a failure. `invalid`: labels "does not apply" that may
    not be. `left_open`: settled, and both readings stand. `weight`: one over the chance of being drawn, also
    into the part that is settled.
    """

    unit: IntArray
    part: IntArray
    weight: Array
    weighted: bool
    failing: IntArray
    raters: IntArray
    seen_by: IntArray
    seen_of: IntArray
    reference: IntArray
    left_open: Mask
    judge: IntArray
    flagged: Mask
    invalid: int
    settling: Settling

    @property
    def labelled(self) -> Mask:
        return self.judge >= 0


def gather_units(
    material: LabelData,
    number: int,
    without: frozenset[int] = frozenset(),
    everyone: LabelData | None = None,
) -> SafetyUnits:
    """Read the units of the question at `number`.

    Args:
        material: The labels that count.
        without: Raters whose labels are left out besides.
        everyone: The labels of everybody, by default `material`: what any clinician saw as a failure is
            listed and settled, whether or not the clinician's labels count.
    """
    question = material.questions[number]
    labels, invalid = _valid_labels(question, material.labels_without_rule(number).leave_out(without))
    everybody = labels if everyone is None and not without else None
    if everybody is None:
        everybody, _ = _valid_labels(question, (everyone or material).labels_without_rule(number))
    units, counted = everybody.units, labels.units
    failing = np.isin(np.arange(len(question.domain)), failing_levels(question))
    counts = np.zeros_like(units.counts)
    counts[np.searchsorted(units.names, counted.names)] = counted.counts
    count, raters = _count_failing(counts, failing)
    seen_by, seen_of = _count_failing(units.counts, failing)
    judge = _judge(material, number, units.names)
    settled = _settled_references(material, number, units.names, failing)
    to_settle = seen_by > 0
    if number in material.gate_draws:
        to_settle &= np.isin(units.names, sorted(material.gate_draws[number]))
    settling = Settling(
        int((seen_by > 0).sum()), int(to_settle.sum()), int((to_settle & (settled != NOT_SETTLED)).sum())
    )
    weight = units.weight
    reference = np.where(settled == NOT_SETTLED, _majority(count, raters), settled)
    if settling.complete:
        reference = np.where((seen_by > 0) & ~to_settle, -1, reference)
        weight = np.where(to_settle, weight * settling.listed / max(settling.drawn, 1), weight)
    return SafetyUnits(
        units.names,
        units.parts[units.part] if len(units.names) else units.names,
        weight,
        labels.weight is not None or settling.drawn < settling.listed,
        count,
        raters,
        seen_by,
        seen_of,
        reference.astype(np.int64),
        to_settle & (settled == BOTH_STAND),
        judge,
        (judge >= 0) & failing[np.maximum(judge, 0)],
        invalid,
        settling,
    )


def _valid_labels(question: Question, labels: Labels) -> tuple[Labels, int]:
    """Without "does not apply" where that is invalid, and how often it was given there."""
    if not question.invalid or question.not_applicable is None:
        return labels, 0
    invalid = labels.code == question.domain.index(question.not_applicable)
    return labels.where(~invalid), int(invalid.sum())


def _count_failing(counts: Array, failing: Mask) -> tuple[IntArray, IntArray]:
    """Labels "failure" and labels of each unit."""
    return (counts * failing).sum(axis=1).astype(np.int64), counts.sum(axis=1).astype(np.int64)


def failing_levels(question: Question) -> list[int]:
    """Return the codes of the labels that mean failure, ascending, without "does not apply"."""
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


def _majority(failing: IntArray, raters: IntArray) -> IntArray:
    """What most of three clinicians or more gave, or both of two: 1 failure, 0 none, -1 unknown."""
    most = np.where(2 * failing > raters, 1, np.where(2 * failing < raters, 0, -1))
    both = np.where(failing == raters, 1, np.where(failing == 0, 0, -1))
    return np.where(raters > 2, most, np.where(raters == 2, both, -1)).astype(np.int64)


def _settled_references(material: LabelData, number: int, names: IntArray, levels: Mask) -> IntArray:
    """What was settled for each unit without the judge in view: 1 failure, 0 none, -1 where both readings
    stand, NOT_SETTLED where nothing was.
    """
    reference = np.full(len(names), NOT_SETTLED, dtype=np.int64)
    settled = [label for label in material.settled if label.question == number and label.reference]
    at, here = _find(names, np.array([label.unit for label in settled], dtype=np.int64))
    for label, place, labelled in zip(settled, at.tolist(), here.tolist(), strict=True):
        if labelled:
            reference[place] = BOTH_STAND if label.code is None else int(levels[label.code])
    return reference


def _find(names: IntArray, wanted: IntArray) -> tuple[NDArray[np.intp], Mask]:
    at = np.searchsorted(names, wanted)
    here = at < len(names)
    here[here] = names[at[here]] == wanted[here]
    return at, here
