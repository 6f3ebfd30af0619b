"""The metrics that tests know which count all numbers of a study. One that is added later changes none of their
counts: it has a test of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from runs.scoring.registry import METRICS

USUAL = (
    "entity_recall",
    "goal_alignment",
    "knowledge_conflict",
    "paired_runs",
    "plan_alignment",
    "plan_experiment",
    "response_similarity",
    "rubric_score",
    "step_f1",
    "step_validity",
)


@contextmanager
def only_usual_metrics() -> Iterator[None]:
    """Of the program's own; those of other packages are there as ever."""
    with pytest.MonkeyPatch.context() as patch:
        own = METRICS._own
        patch.setattr(METRICS, "_own", lambda: (entry for entry in own() if entry.name in USUAL))
        METRICS.forget()
        yield
    METRICS.forget()
