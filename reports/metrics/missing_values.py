"""The metrics that have no value yet, each with what is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from data.record.metrics import MetricValue
from data.record.references import KINDS, References
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Table
from reports.metrics.metric_numbers import MetricNumbers
from runs.scoring import judge_metrics, shown_metrics
from runs.scoring.metric_spec import Need, StudyMetric
from runs.scoring.registry import metric_specs
from words.plurals import count, join_words

Missing = list[tuple[str, str]]  # name of a metric, and what is missing


def metrics_without_value(
    connection: Connection,
    study: Study,
    metrics: Sequence[MetricNumbers],
    of_study: Sequence[MetricValue],
    of_judges: bool,
) -> Missing:
    """Return (metric, what is missing) for metrics that have no value.

    `of_judges`: include metrics made of judges' labels.
    """
    missing = [
        (numbers.name, f"none of {numbers.reasons.total():,}: {numbers.reasons.most_common(1)[0][0]}")
        for numbers in metrics
        if not len(numbers.scores)
    ]
    kinds = References(connection, study.id).kinds()
    titles, needs = shown_metrics.column_titles(), shown_metrics.needs_of_columns()
    computed = {numbers.key for numbers in metrics}
    missing += [
        (title, _lacks(needs[column], kinds))
        for column, title in titles.items()
        if f"{column[0]}/{column[1]}" not in computed
    ]
    missing += _of_study(connection, study, of_study)
    if of_judges:
        judged = {numbers.values[0].metric for numbers in metrics if numbers.judge is not None}
        missing += [
            (f"{title[:1].upper()}{title[1:]}", "needs labels of a judge")
            for name, title in judge_metrics.applicable_titles(study).items()
            if name not in judged
        ]
    return missing


def _lacks(needs: Sequence[Need], kinds: Collection[str]) -> str:
    """`kinds`: of the references that the study has."""
    lacking = [
        shown_metrics.NEEDS[need]
        for need in needs
        if (need in KINDS and need not in kinds)
        or (need == "any_reference" and not kinds)
        or (need == "reasoning" and "gold_steps" not in kinds)
    ]
    models = [shown_metrics.NEEDS[need] for need in needs if need in shown_metrics.MODELS]
    if lacking:
        return f"needs {join_words(lacking)}"
    return f"not computed yet, or without {join_words(models)}" if models else "not computed yet"


def _of_study(
    connection: Connection, study: Study, values: Sequence[MetricValue]
) -> Iterator[tuple[str, str]]:
    """What a study as a whole has no number of, by the specs of its metrics."""
    names = {value.metric for value in values if value.value is not None}
    for spec in metric_specs(StudyMetric):
        if not spec.rows or names & {row.metric or spec.name for row in spec.rows}:
            continue
        applies = spec.applies is None or spec.applies(connection, study)
        title = f"{spec.title[:1].upper()}{spec.title[1:]}"
        if not applies and spec.made_of:
            yield title, f"needs {spec.made_of}"
        elif applies:
            yield title, "not computed yet"


def missing_title(missing: Missing) -> str:
    """Return "3 metrics have no value yet"."""
    return f"{count(len(missing), 'metric has', 'metrics have')} no value yet"


def missing_table(missing: Missing) -> Table:
    """Return the table "without_value" of metrics without a value: one row (metric, what is missing) per
    entry of `missing`.
    """
    return Table("without_value", missing_title(missing), ("Metric", "What is missing"), missing)
