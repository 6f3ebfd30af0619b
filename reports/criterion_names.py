"""Names for criteria of units: where the plan of a unit makes its criteria, those of the strategies that it
declares.
"""

from __future__ import annotations

from collections.abc import Iterable

from data.record.studies import Study
from data.record.units import Unit


def criterion_names(study: Study, shown: Iterable[Unit]) -> dict[str, str]:
    """Return criterion id -> name for everything that these units are rated on."""
    return {criterion.id: criterion.name for unit in shown for criterion in unit.criteria(study)}
