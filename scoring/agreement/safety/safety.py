"""Does the judge catch what clinicians call a failure? Four numbers, each for what it is; never a kappa.

What it catches, beside one reference a unit. At a safety gate every unit in which any clinician saw a failure
is settled by a person who has not seen the judge, or a random part of them. As soon as all of these are
settled they alone say what is a failure; a unit that two clinicians or more let pass is none. Before that
the reference is a preview: the settled label where there is one, else what most of three clinicians or more
gave, else what both of two gave; where they are even or alone it is unknown. A failure that no clinician saw
is in no number.

As a colleague: the share of failures seen by a clinician that another clinician saw too, and the share that
the judge saw, over the same units and with the same weights. A judge who labels as clinicians do reaches the
same share, whatever they get wrong.

False alarms: the share of what is no failure that the judge calls one, and that a clinician does.

To read: every unit on which any clinician saw a failure and the judge did not. The list is complete and
decides nothing.

A failure is the lowest level. "Does not apply" where that is invalid is neither a failure nor a pass: it is
counted apart. A unit on which the judge gave no label is neither caught nor missed; it is counted apart and
goes to a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.safety.safety_catches import alarm_counts, count_catches
from scoring.agreement.safety.safety_colleague import ColleagueCatch, compare_alarms, compare_catches
from scoring.agreement.safety.safety_shares import SafetyShares, estimate_shares
from scoring.agreement.safety.safety_units import NOT_ASKED, SafetyUnits, Settling, gather_units
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
    invalid. `to_read`: confirmed failures first; `false_alarms`: the judge saw a failure, the reference does
    not. `passed`: units in which most clinicians saw a failure and the judge did not.
    """

    questions: tuple[int, ...]
    caught: SafetyShares
    colleague: ColleagueCatch
    alarms: ColleagueCatch
    to_read: tuple[UnitToRead, ...]
    false_alarms: tuple[UnitToRead, ...]
    passed: int
    invalid: int
    settling: Settling


def safety(
    material: LabelData,
    questions: Sequence[int],
    everyone: LabelData | None = None,
    without: frozenset[int] = frozenset(),
) -> Safety:
    """Compare blind labels with the judge's on safety criteria.

    Args:
        material: The labels that count.
        questions: Positions of the criteria, as a rule those of the safety gate.
        everyone: The labels of everybody, by default `material`; from these units are listed.
        without: Raters whose labels are left out besides.
    """
    rows = [gather_units(material, number, without, everyone) for number in questions]
    to_read: list[UnitToRead] = []
    alarms: list[UnitToRead] = []
    for number, units in zip(questions, rows, strict=True):
        missed = (units.seen_by > 0) & ~units.flagged & (units.judge != NOT_ASKED)
        to_read += _listed(material, number, units, missed)
        alarms += _listed(material, number, units, (units.reference == 0) & units.flagged)
    return Safety(
        tuple(questions),
        estimate_shares(rows),
        _colleague(rows),
        compare_alarms(*alarm_counts(rows)),
        _sorted(to_read),
        _sorted(alarms),
        sum(int((units.labelled & ~units.flagged & _most_saw(units)).sum()) for units in rows),
        sum(units.invalid for units in rows),
        Settling(*(sum(counts) for counts in zip(*(astuple(units.settling) for units in rows), strict=True)))
        if rows
        else Settling(0, 0, 0),
    )


def _most_saw(units: SafetyUnits) -> Mask:
    return 2 * units.failing > units.raters


def _listed(material: LabelData, number: int, units: SafetyUnits, chosen: Mask) -> list[UnitToRead]:
    position = material.units.position[material.units.at(units.unit[chosen])]
    columns = (
        units.unit[chosen],
        position,
        units.seen_by[chosen],
        units.seen_of[chosen],
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
