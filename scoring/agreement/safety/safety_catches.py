"""By conversation: failures that clinicians saw, how many of them the judge and a colleague saw too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.labels.labels import every_number, places
from scoring.agreement.safety.safety_units import SafetyUnits, gather_units
from scoring.arrays import Array, IntArray


@dataclass(frozen=True, eq=False)
class CatchCounts:
    """Sums by conversation (C,) of `parts`, weighted where units are.

    `seen`: chances to see a failure that somebody else saw; `joined`: of them, how often the judge saw it,
    `colleagues`: how often a clinician did. `caught`, `missed`: failures beside the reference. `labels`: as
    `seen`, unweighted.
    """

    parts: IntArray
    joined: Array
    colleagues: Array
    seen: Array
    caught: Array
    missed: Array
    labels: int

    def among(self, parts: IntArray) -> CatchCounts:
        """Return the same counts for `parts`, ascending, which include all of these; the others count 0."""
        at = places(parts, self.parts)

        def spread(amounts: Array) -> Array:
            amounts_by_part = np.zeros(len(parts))
            amounts_by_part[at] = amounts
            return amounts_by_part

        return CatchCounts(
            parts,
            spread(self.joined),
            spread(self.colleagues),
            spread(self.seen),
            spread(self.caught),
            spread(self.missed),
            self.labels,
        )


def catch_counts(
    material: LabelData, number: int, without: frozenset[int] = frozenset(), everyone: LabelData | None = None
) -> CatchCounts:
    """Return the catch counts of the question at `number`; the arguments are those of `gather_units`."""
    return count_catches([gather_units(material, number, without, everyone)])


def count_catches(rows: Sequence[SafetyUnits]) -> CatchCounts:
    """Add up the catch counts of several questions by conversation, conversations in ascending order."""
    parts = every_number([units.part for units in rows])
    counts, labels = np.zeros((5, len(parts))), 0
    for units in rows:
        at = places(parts, units.part)
        seen, colleagues = _chances_to_see(units)
        failed = units.labelled & (units.reference == 1)
        amounts = (
            seen * units.flagged,
            colleagues,
            seen,
            failed & units.flagged,
            failed & ~units.flagged,
        )
        for row, amount in enumerate(amounts):
            counts[row] += np.bincount(at, weights=amount * units.weight, minlength=len(parts))
        labels += int(seen.sum())
    return CatchCounts(parts, counts[0], counts[1], counts[2], counts[3], counts[4], labels)


def _chances_to_see(units: SafetyUnits) -> tuple[Array, Array]:
    """How many chances there were on each unit to see what another clinician saw, and how many a clinician
    took.

    Before settling every failure that a clinician saw is a chance for each colleague. After it only settled
    failures count, and a clinician has a chance only where another one saw the failure too: a failure is
    settled because somebody saw it, so that counting only that person would favour clinicians.
    """
    failing, others = units.failing.astype(float), np.maximum(units.raters - 1, 1)
    if units.settling.complete:
        chances = np.where(failing > 1, units.raters, np.where(failing == 1, units.raters - 1, 0))
        seen = np.where(units.labelled & (units.reference == 1), chances, 0).astype(float)
        return seen, np.where((failing > 1) & (seen > 0), failing, 0.0)
    seen = np.where(units.labelled & (units.raters > 1), failing, 0.0)
    return seen, seen * (failing - 1) / others


def alarm_counts(rows: Sequence[SafetyUnits]) -> tuple[Array, int]:
    """Count false alarms on units without a failure that two clinicians or more labelled.

    Returns:
        (C, 3), weighted, for each conversation: units on which the judge saw a failure, the same for a
        clinician on average, and all units; and the number of clinicians' labels.
    """
    passed = [units.labelled & (units.reference == 0) & (units.raters > 1) for units in rows]
    both = list(zip(rows, passed, strict=True))
    parts = every_number([units.part[here] for units, here in both])
    counts = np.zeros((3, len(parts)))
    for units, here in both:
        at = places(parts, units.part[here])
        for row, amount in enumerate(
            (units.flagged[here], units.failing[here] / units.raters[here], np.ones(int(here.sum())))
        ):
            counts[row] += np.bincount(at, weights=amount * units.weight[here], minlength=len(parts))
    return counts.T, sum(int(units.raters[here].sum()) for units, here in both)
