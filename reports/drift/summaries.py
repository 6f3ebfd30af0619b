"""The runs of a study in numbers: those of imported tables as they stand there, that of its run folder
computed from the study itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from data.record import conversations, metrics, run_summaries, units
from data.record.metrics import MetricValue
from data.record.run_summaries import RunSummary
from data.record.studies import Study
from data.store.store import Connection
from runs.scoring.judge_metrics import experiment_metrics

# What the metrics of a study are called in a run table.
NAMES = {
    "validity_rate": "validity_rate",
    "jaccard_all": "jaccard_all",
    "jaccard_valid_only": "jaccard_valid",
    "modal_set_agreement": "modal_set_agreement",
}
SIMILARITIES = ("bertscore_precision", "bertscore_recall", "bertscore_f1")


def of_study(connection: Connection, study: Study, judge_id: int | None = None) -> list[RunSummary]:
    """Return the study's runs; those imported as folders have numbers computed from the study.

    They reveal a judge's labels and the model: only for somebody who may see both. `judge_id`: whose
    alignment counts; None where the study has one judge, and with several there is no alignment.
    """
    stored_runs = run_summaries.listing(connection, study.id)
    return [
        _computed(connection, study, run_summary, judge_id) if run_summary.source == "folder" else run_summary
        for run_summary in stored_runs
    ]


def _computed(connection: Connection, study: Study, run: RunSummary, judge_id: int | None) -> RunSummary:
    ids = conversations.ids(connection, study.id)
    experiment_values = list(experiment_metrics(connection, study, ids))
    numbers = {
        NAMES[metric.metric]: metric.value
        for metric in experiment_values
        if metric.metric in NAMES and metric.value is not None
    }
    numbers |= {
        metric.metric: metric.value
        for metric in metrics.present_without_curves(connection, study.id)
        if metric.metric in SIMILARITIES and metric.value is not None
    }
    declared = Counter(name for unit in units.of_conversations(connection, ids) for name in unit.declared)
    numbers |= {f"n_{name}": float(times) for name, times in sorted(declared.items())}
    return replace(run, n_trials=len(ids), numbers={**numbers, **_alignment(experiment_values, judge_id)})


def _alignment(metrics: list[MetricValue], judge_id: int | None) -> dict[str, float]:
    """Over the trials that were judged in full: a failed call is no 0."""
    metrics = [
        metric
        for metric in metrics
        if (metric.metric, metric.variant) == ("alignment_mean", "judged")
        and judge_id in (None, metric.subject.judge_id)
    ]
    if len(metrics) != 1:
        return {}
    mean = {} if metrics[0].value is None else {"alignment_mean": metrics[0].value}
    return {**mean, **{f"align_{name}": value for name, value in metrics[0].detail["per_strategy"].items()}}
