"""The average of a study's curves, and its slope with an interval over persons, or over conversations if each
has another person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from data.record.metrics import MetricValue, inputs_hash
from runs.scoring.metric_spec import MetricResult
from scoring.agreement.intervals.bootstrap import Interval
from scoring.drift.curves import average_curve, drift_slope, truth_decay_rate


def average_slopes(
    values: Sequence[MetricValue], metric: str, variants: Sequence[str]
) -> Iterator[MetricResult]:
    """Yield a result for each variant for which at least one conversation has a curve."""
    for variant in variants:
        with_curve = [
            value
            for value in values
            if (value.metric, value.variant) == (metric, variant)
            and any(point is not None for point in value.detail.get("curve", []))
        ]
        if not with_curve:
            continue
        curves = [list(value.detail["curve"]) for value in with_curve]
        persons = [value.detail.get("person", -(value.subject.conversation_id or 0)) for value in with_curve]
        has_shared = len(set(persons)) < len(persons)
        average = average_curve(curves)
        slope = drift_slope(average.values)
        yield MetricResult(
            slope.value,
            slope.undefined,
            variant,
            {
                "curve": list(average.values),
                "n": list(average.n),
                "conversations": len(with_curve),
                **({"persons": len(set(persons))} if has_shared else {}),
                "reference": average.reference,
                **interval_detail(truth_decay_rate(curves, persons)),
            },
            f"{metric}_average_slope",
            inputs=inputs_hash(
                "average_curve",
                "1",
                sorted(value.inputs for value in with_curve),
                *([sorted(persons)] if has_shared else []),
            ),
        )


def interval_detail(interval: Interval) -> dict[str, Any]:
    """Return an interval's fields as a detail: low, high, interval (its method) and no_interval (the
    reason).
    """
    return {
        "low": interval.low,
        "high": interval.high,
        "interval": interval.method,
        "no_interval": interval.undefined,
    }
