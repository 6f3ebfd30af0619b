"""One comparer a vector file, by the file's name."""

from __future__ import annotations

from collections.abc import Callable

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
from tests.vectors.tracked import TrackedDict

Comparer = Callable[[TrackedDict, Tally, TrackedDict], None]
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
