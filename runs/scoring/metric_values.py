"""From what a metric returns to the numbers that are kept, each with what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from data.record.metrics import MetricSubject, MetricValue
from runs.scoring.metric_spec import MetricResult, MetricSpec


def as_values(
    spec: MetricSpec, subject: MetricSubject, inputs: str, results: Sequence[MetricResult]
) -> list[MetricValue]:
    """Return the numbers of one subject as they are stored. `inputs`: the hash of what they were made of."""
    variants: Sequence[str] = getattr(spec, "variants", ())
    return [
        MetricValue(
            subject,
            result.metric or spec.name,
            result.variant or (variants[0] if variants else "product"),
            result.version or spec.version,
            result.value,
            result.undefined,
            result.inputs or inputs,
            result.detail,
        )
        for result in results
    ]
