"""What opens behind one metric: what its number is, how it goes with each criterion, and its numbers of the
study as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from data.record.metrics import MetricValue
from reports.document import Block, Forest, ForestMark, ForestRow
from reports.metrics.answer import why_not_all
from reports.metrics.beside_labels import LabelComparison, LabelRelation
from reports.metrics.metric_numbers import SLOPES, MetricNumbers
from reports.metrics.whole_study import average_curves, study_table
from words.plurals import count

SLOPE_NOTE = (
    "Here, each conversation has its own slope (least squares on the number of the turn). Drift shows the "
    "mean of these slopes; the slope of the average curve is a separate number."
)
RELATION_NAME = "The value and the mean of the labels"
AVERAGE = "_average_slope"  # how the name of a study's number ends that is made of curves


def notes_of(numbers: MetricNumbers) -> str:
    """Return what to know of a metric's values, in few sentences; "" if nothing."""
    return " ".join(_notes(numbers))


def _notes(numbers: MetricNumbers) -> Iterator[str]:
    if numbers.is_slope:
        yield SLOPE_NOTE
    missing = why_not_all(numbers)
    if missing:
        yield f"{missing[:1].upper()}{missing[1:]}."
    if numbers.reasons:
        reason, times = numbers.reasons.most_common(1)[0]
        others = len(numbers.reasons) - 1
        yield (
            f"Most often ({times:,}): {reason} {count(others, 'other reason', 'other reasons')} in the list."
            if others
            else f"The reason: {reason}"
        )


def relation_forest(comparison: LabelComparison, relation: LabelRelation) -> Forest:
    """Return a line per criterion; hollow where it is too early to say."""
    return Forest(
        "beside_labels",
        "With each criterion",
        "Spearman's rho with the mean of clinicians' blind labels; hollow: too early to say",
        tuple(
            ForestRow(
                name, f"n {correlation.n:,}", (ForestMark(RELATION_NAME, correlation, hollow=not direction),)
            )
            for name, correlation, direction in zip(
                comparison.criteria, relation.correlations, relation.directions, strict=True
            )
        ),
        -1.0,
        1.0,
    )


def whole_study_blocks(numbers: MetricNumbers, of_study: Sequence[MetricValue]) -> Iterator[Block]:
    """Yield the study's numbers of the same curves, and the average curve; nothing for a judge's numbers."""
    if numbers.judge is not None:
        return
    own = numbers.values[0]
    name = own.metric.removesuffix(SLOPES)
    variants = {own.variant, own.detail.get("counterpart"), f"actions/{own.variant}"}
    values = [
        value
        for value in of_study
        if value.metric.startswith(name)
        and (not value.metric.endswith(AVERAGE) or value.metric == f"{name}{AVERAGE}")
        and (value.variant in variants or not value.metric.endswith(AVERAGE))
    ]
    yield from study_table(values)
    for curve in average_curves(values):
        yield replace(curve.chart, key=f"opened_{curve.chart.key}")  # it stands on the page twice
