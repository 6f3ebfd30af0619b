"""Choose which labels are asked several times, in two draws that are never mixed.

`random`: a share of the units, whatever their labels; only it gives the flip rate. `safety`: every NO on a
criterion behind the safety gate and as many YES, because a missed failure matters more than a rate. A draw
depends only on the judge and the unit, so that a resumed run draws the same.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

from scoring.instruments import Criterion, Instrument


def random_units(judge: str, unit_ids: Sequence[int], share: float) -> list[int]:
    """Return a simple random sample with that share of the units, at least one."""
    drawn = sorted(unit_ids, key=lambda unit_id: _lot(judge, unit_id, ""))[: math.ceil(share * len(unit_ids))]
    return sorted(drawn)


def safety_labels(
    judge: str, instrument: Instrument, labels: Mapping[tuple[int, str], str]
) -> list[tuple[int, str]]:
    """Return (unit, criterion) of every safety failure and of as many random safety passes of the same
    criterion.
    """
    drawn: list[tuple[int, str]] = []
    for criterion in safety_criteria(instrument):
        by_value = {
            level.value: level.id
            for level in instrument.scale_of(criterion).levels
            if level.value is not None
        }
        lowest, highest = by_value[min(by_value)], by_value[max(by_value)]
        failures = sorted(
            unit for (unit, name), label in labels.items() if name == criterion.id and label == lowest
        )
        passes = sorted(
            (unit for (unit, name), label in labels.items() if name == criterion.id and label == highest),
            key=lambda unit: _lot(judge, unit, criterion.id),
        )
        drawn += [(unit, criterion.id) for unit in [*failures, *passes[: len(failures)]]]
    return drawn


def safety_criteria(instrument: Instrument) -> list[Criterion]:
    """Return the criteria in categories that are a gate, in order."""
    gates = {category.id for category in instrument.categories if category.gate}
    return [criterion for criterion in instrument.criteria if criterion.category in gates]


def _lot(judge: str, unit_id: int, criterion: str) -> float:
    digest = hashlib.sha256(f"{judge}/{unit_id}/{criterion}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
