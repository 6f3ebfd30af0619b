"""One comparer a vector file, by the file's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.vectors.families import (
    agreement_coefficients,
    agreement_drift,
    agreement_rates,
    agreement_tests,
    conflict,
    drift,
    entities,
    goals,
    plans,
    rubrics,
    steps,
    study_a,
)
from tests.vectors.tally import Tally

Case = dict[str, Any]
Comparer = Callable[[Case, Tally, dict[str, Any]], None]

NOT_YET: tuple[str, ...] = ()  # beginnings of file names that nothing answers to yet
COMPARERS: dict[str, Comparer] = {
    **agreement_coefficients.COMPARERS,
    **agreement_drift.COMPARERS,
    **agreement_rates.COMPARERS,
    **agreement_tests.COMPARERS,
    **conflict.COMPARERS,
    **drift.COMPARERS,
    **entities.COMPARERS,
    **goals.COMPARERS,
    **plans.COMPARERS,
    **rubrics.COMPARERS,
    **steps.COMPARERS,
    **study_a.COMPARERS,
}
