"""Does the judge catch what clinicians call a failure? Three numbers, each for what it is; never a kappa.

As a colleague: of the units that one clinician failed, the share that another clinician failed too, and the
share that the judge failed, over the same units and with the same weights. A judge who labels as clinicians
do reaches the same share whatever they get wrong, and a perfect one a higher.

What it catches: beside one reference a unit, which is the settled label where there is one (judge not seen),
else what most of three clinicians or more gave, else what both of two gave; where they are even or alone
there is none.

To read: every unit on which any clinician saw a failure and the judge did not. The list is complete and
decides nothing.

A failure is the lowest level. "Does not apply" where that is invalid is neither a failure nor a pass: it is
counted apart. A unit on which the judge gave no label is neither caught nor missed; it is counted apart and
goes to a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.label_data import LabelData
from scoring.agreement.safety_catches import count_catches
from scoring.agreement.safety_colleague import ColleagueCatch, compare_catches
from scoring.agreement.safety_shares import SafetyShares, estimate_shares
from scoring.agreement.safety_units import NOT_ASKED, SafetyUnits, gather_units, reference_of_everyone
from scoring.arrays import Mask


@dataclass(frozen=True)
class UnitToRead:
    """A unit on which `failing` of `raters` clinicians saw a failure and the judge did not, or the other way
    round. `label`: the judge's, None where it gave none. `confirmed`: by the reference of the unit.
    """

    question: int
    unit: int
    position: int
    failing: int
    raters: int
    label: int | None
    confirmed: bool


@dataclass(frozen=True)
class Safety:
    """Over the criteria `questions`. `invalid`: how often clinicians pressed "does not apply" where that is
    invalid. `to_read`: confirmed failures first; `false_alarms`: the judge saw a failure, no clinician did.
    """

    questions: tuple[int, ...]
    caught: SafetyShares
    colleague: ColleagueCatch
    to_read: tuple[UnitToRead, ...]
    false_alarms: tuple[UnitToRead, ...]
    invalid: int


def safety(
    material: LabelData, questions: Sequence[int], every: LabelData | None = None, without: int | None = None
) -> Safety:
    """Of blind labels. `questions`: positions of the criteria, as a rule those of the safety gate. `every`:
    with the labels of everybody, from which the units to read are taken; by default the same. `without`: a
    rater whose labels are left out.
    """
    rows = [gather_units(material, number, without) for number in questions]
    to_read: list[UnitToRead] = []
    alarms: list[UnitToRead] = []
    for number, counted in zip(questions, rows, strict=True):
        units = gather_units(every or material, number)
        units = (
            units
            if every is None
            else replace(units, reference=reference_of_everyone(units, counted, material, number))
        )
        missed = (units.failing > 0) & ~units.flagged & (units.judge != NOT_ASKED)
        to_read += _listed(material, number, units, missed)
        alarms += _listed(material, number, units, (units.failing == 0) & units.flagged)
    return Safety(
        tuple(questions),
        estimate_shares(rows),
        _colleague(rows),
        _sorted(to_read),
        _sorted(alarms),
        sum(units.invalid for units in rows),
    )


def _listed(material: LabelData, number: int, units: SafetyUnits, chosen: Mask) -> list[UnitToRead]:
    position = material.units.position[material.units.at(units.unit[chosen])]
    columns = (
        units.unit[chosen],
        position,
        units.failing[chosen],
        units.raters[chosen],
        units.judge[chosen],
        units.reference[chosen] == 1,
    )
    return [
        UnitToRead(number, unit, place, failing, raters, label if label >= 0 else None, confirmed)
        for unit, place, failing, raters, label, confirmed in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def _sorted(listed: list[UnitToRead]) -> tuple[UnitToRead, ...]:
    return tuple(sorted(listed, key=lambda unit: (not unit.confirmed, unit.position, unit.question)))


def _colleague(rows: Sequence[SafetyUnits]) -> ColleagueCatch:
    catches = count_catches(rows)
    return compare_catches(
        np.stack([catches.joined, catches.colleagues, catches.seen], axis=1), catches.labels
    )
