"""The judge beside one label a unit that may stand as the truth.

That is the label settled between people who had not seen the judge, or the one that all of two clinicians or
more gave blind. Where they differ and nothing is settled, or both readings stand, there is none; what was
settled with the judge in view never becomes one.
"""

from __future__ import annotations

import numpy as np

from scoring.agreement.arms import ArmAgreement, arm_agreement
from scoring.agreement.label_data import LabelData
from scoring.agreement.labels import Labels
from scoring.agreement.pairs import pair_with_judge


def reference_labels(material: LabelData, number: int) -> Labels:
    """Of one question, as labels of one rater."""
    labels = material.labels_without_rule(number)
    units = labels.units
    unanimous = (units.counts.sum(axis=1) > 1) & (
        units.counts.max(axis=1, initial=0) == units.counts.sum(axis=1)
    )
    code = np.where(unanimous, units.counts.argmax(axis=1), -1) if len(units.names) else units.names
    for settled_label in material.settled:
        at = np.searchsorted(units.names, settled_label.unit)
        if (
            settled_label.question == number
            and settled_label.reference
            and at < len(units.names)
            and units.names[at] == settled_label.unit
        ):
            code[at] = -1 if settled_label.code is None else settled_label.code
    decided = code >= 0
    return Labels(
        labels.domain,
        units.names[decided],
        np.zeros(int(decided.sum()), dtype=np.int64),
        units.parts[units.part[decided]],
        code[decided].astype(np.int64),
        None if labels.weight is None else units.weight[decided],
    )


def settled_labels(material: LabelData) -> dict[tuple[int, str], str]:
    """(unit, criterion) -> its label that may stand as the truth, where it has one."""
    settled: dict[tuple[int, str], str] = {}
    for number, asked in enumerate(material.questions):
        labels = reference_labels(material, number)
        settled |= {
            (unit, asked.id): asked.domain[code]
            for unit, code in zip(labels.unit.tolist(), labels.code.tolist(), strict=True)
        }
    return settled


def beside_reference(material: LabelData) -> ArmAgreement:
    """Over all questions."""
    return arm_agreement(
        "reference",
        [
            pair_with_judge(reference_labels(material, number), material.judge_labels(number))
            for number in range(len(material.questions))
        ],
    )
