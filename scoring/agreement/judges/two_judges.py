"""Two judges of one study against its reference labels (reference.py): which is right more often?"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.agreement.judges.reference import reference_labels
from scoring.agreement.judges.right_or_wrong import RightOrWrong, right_or_wrong
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.labels.labels import label_by_unit


def against_reference(first: LabelData, second: LabelData) -> RightOrWrong:
    """Compare two judges on the units that both and the reference labelled, over all questions.

    `first` and `second` are the same study, read with either judge. The result counts (unit, question)
    pairs.
    """
    return right_or_wrong(_units(first, second))


def _units(first: LabelData, second: LabelData) -> Iterator[tuple[int, str, str, str]]:
    for number, asked in enumerate(first.questions):
        truth, first_label, other = (
            reference_labels(first, number),
            label_by_unit(first.judge_labels(number)),
            label_by_unit(second.judge_labels(number)),
        )
        for unit, part, code in zip(
            truth.unit.tolist(), truth.part.tolist(), truth.code.tolist(), strict=True
        ):
            if unit in first_label and unit in other:
                yield part, asked.domain[code], first_label[unit], other[unit]
