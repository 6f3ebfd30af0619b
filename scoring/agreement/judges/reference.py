"""The judge beside one label a unit that may stand as the truth.

That is the label settled between people who had not seen the judge, or the one that all of two clinicians or
more gave blind. Where they differ and nothing is settled, or both readings stand, there is none; what was
settled with the judge in view never becomes one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import ItemsView, Iterator, Mapping

import numpy as np

from scoring.agreement.judges.arms import ArmAgreement, arm_agreement
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import pair_with_judge
from scoring.arrays import IntArray, shrink


def reference_labels(material: LabelData, number: int) -> Labels:
    """Return the label of each unit that may stand as the truth for question `number`, as labels of rater
    0.

    That is the settled label if it is a reference, else the blind label that all of at least two clinicians
    gave. Units without one are left out, also where a reference was settled on no single label. Units are
    in ascending order.
    """
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


class SettledLabels(Mapping[tuple[int, str], str]):
    """(unit, criterion) -> its label that may stand as the truth, where it has one. They are kept as numbers,
    which take a tenth of the memory of a dictionary.
    """

    def __init__(self, material: LabelData) -> None:
        self.columns = {
            question.id: self._column(material, number) for number, question in enumerate(material.questions)
        }

    @staticmethod
    def _column(material: LabelData, number: int) -> tuple[tuple[str, ...], IntArray, IntArray]:
        """The domain, the units in ascending order, and the place of the label of each in the domain."""
        labels = reference_labels(material, number)
        return material.questions[number].domain, shrink(labels.unit), shrink(labels.code)

    def __getitem__(self, key: tuple[int, str]) -> str:
        unit, criterion = key
        domain, units, codes = self.columns[criterion]
        at = bisect_left(units, unit)  # numpy would copy the whole column to search a small one
        if at == len(units) or units[at] != unit:
            raise KeyError(key)
        return domain[int(codes[at])]

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return (key for key, _ in self.items())

    def __len__(self) -> int:
        return sum(len(units) for _, units, _ in self.columns.values())

    def items(self) -> _SettledItems:
        """Return a view of ((unit, criterion), label), criterion by criterion, units in ascending order."""
        return _SettledItems(self)


class _SettledItems(ItemsView[tuple[int, str], str]):
    """Read column by column: to look up each key takes thirty times as long."""

    _mapping: SettledLabels

    def __iter__(self) -> Iterator[tuple[tuple[int, str], str]]:
        for criterion, (domain, units, codes) in self._mapping.columns.items():
            for unit, code in zip(units.tolist(), codes.tolist(), strict=True):
                yield (unit, criterion), domain[code]


def beside_reference(material: LabelData) -> ArmAgreement:
    """Return the judge's percent agreement with the reference labels over all questions, named
    "reference".
    """
    return arm_agreement(
        "reference",
        [
            pair_with_judge(reference_labels(material, number), material.judge_labels(number))
            for number in range(len(material.questions))
        ],
    )
