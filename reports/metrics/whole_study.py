"""The numbers of a study as a whole, with their intervals, and its average curves with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.record.metrics import MetricValue
from reports.document import Block, Panel, PanelPoint, Panels, Paragraph, Table
from reports.metrics.number_words import interval, number, published_number
from runs.scoring import shown_metrics
from words.figures import decimal


@dataclass(frozen=True)
class AverageCurveBlocks:
    """A curve over the turns as a chart, and its numbers as a table."""

    chart: Panels
    table: Table


def study_table(values: Sequence[MetricValue]) -> Iterator[Block]:
    """Yield the table "whole_study" of the study's numbers, one row per value, then a paragraph per model;
    nothing without any.

    A row holds the name, the value, its interval, what it rests on, and the value as the published program
    prints it.
    """
    if not values:
        return
    yield Table(
        "whole_study",
        "The study as a whole",
        ("What", "Value", "95% interval", "Rests on", "As the published program prints it"),
        [
            (
                shown_metrics.study_title(metric),
                number(metric),
                interval(metric),
                shown_metrics.basis(metric),
                published_number(metric),
            )
            for metric in values
        ],
        (1, 2, 4),
    )
    for model in shown_metrics.named_models(values):
        yield Paragraph(model, "small")


def average_curves(values: Sequence[MetricValue]) -> list[AverageCurveBlocks]:
    """Return a chart and a table for each number of the study that has a curve."""
    titles = [(metric, shown_metrics.curve_title(metric)) for metric in values]
    return [
        _curve(f"curve_{number}", title, metric)
        for number, (metric, title) in enumerate(
            ((metric, title) for metric, title in titles if title), start=1
        )
    ]


def _curve(key: str, title: str, metric: MetricValue) -> AverageCurveBlocks:
    means: list[float | None] = metric.detail["curve"]
    counts: list[int] = metric.detail["n"]
    turns = tuple(str(turn) for turn in range(1, len(means) + 1))
    points = tuple(PanelPoint(mean, None, None, count) for mean, count in zip(means, counts, strict=True))
    rows = [
        (turn, decimal(mean, 3) if mean is not None else "none", str(count))
        for turn, mean, count in zip(turns, means, counts, strict=True)
    ]
    return AverageCurveBlocks(
        Panels(key, title, "turn", "mean", turns, (Panel("", points),), "conversations", 3),
        Table(key, title, ("Turn", "Mean", "Conversations"), rows, (1, 2)),
    )
