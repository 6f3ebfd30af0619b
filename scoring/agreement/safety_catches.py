"""By conversation: failures that clinicians saw, how many of them the judge and a colleague saw too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.agreement.label_data import LabelData
from scoring.agreement.labels import every_number, places
from scoring.agreement.safety_units import SafetyUnits, gather_units
from scoring.arrays import Array, IntArray


@dataclass(frozen=True, eq=False)
class CatchCounts:
    """Of each conversation (C,) of `parts`: over the clinicians who failed a unit (`seen`), how many the
    judge `joined` and how many a colleague did on average; and beside the reference, failures `caught` and
    `missed`. Weighted where units are. `labels`: failures seen, unweighted.
    """

    parts: IntArray
    joined: Array
    colleagues: Array
    seen: Array
    caught: Array
    missed: Array
    labels: int

    def among(self, parts: IntArray) -> CatchCounts:
        """The same of more conversations, ascending, where there is nothing in the others."""
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


def catch_counts(material: LabelData, number: int) -> CatchCounts:
    """Of one question, by conversation."""
    return count_catches([gather_units(material, number)])


def count_catches(rows: Sequence[SafetyUnits]) -> CatchCounts:
    """Of several questions together, by conversation."""
    parts = every_number([units.part for units in rows])
    counts, labels = np.zeros((5, len(parts))), 0
    for units in rows:
        failing, at = units.failing.astype(float), places(parts, units.part)
        seen = np.where(units.labelled & (units.raters > 1), failing, 0.0)
        failed = units.labelled & (units.reference == 1)
        amounts = (
            seen * units.flagged,
            seen * (failing - 1) / np.maximum(units.raters - 1, 1),
            seen,
            failed & units.flagged,
            failed & ~units.flagged,
        )
        for row, amount in enumerate(amounts):
            counts[row] += np.bincount(at, weights=amount * units.weight, minlength=len(parts))
        labels += int(seen.sum())
    return CatchCounts(parts, counts[0], counts[1], counts[2], counts[3], counts[4], labels)
