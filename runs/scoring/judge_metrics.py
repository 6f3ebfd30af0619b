"""Compute numbers from a judge's labels, per unit and for the whole study."""

from __future__ import annotations

from collections.abc import Iterator

from configs.registry import RegistryEntry
from data.record import judgements, units
from data.record.metrics import MetricSubject, MetricValue, inputs_hash
from data.record.studies import Study
from data.record.units import Unit
from data.store.store import Connection
from runs.scoring.checked_results import failed_results, results_of
from runs.scoring.metric_spec import JudgedUnit, JudgeMetric, MetricSpec, StudyMetric
from runs.scoring.metric_values import as_values
from runs.scoring.registry import metric_entries, metric_specs

Labels = dict[str, str | None]  # by criterion; None for a failure


def unit_metrics(connection: Connection, study: Study, conversation_ids: list[int]) -> Iterator[MetricValue]:
    """Yield the numbers from each judge's labels for the units of some conversations."""
    by_unit = judgements.first_labels(connection, study.id, conversation_ids)
    entries = _entries(study)
    for unit in units.of_conversations(connection, conversation_ids) if entries else ():
        for judge_id, labels in by_unit.get(unit.id, {}).items():
            for entry, spec in entries:
                yield from _values(entry, spec, study, unit, judge_id, labels)


def count_judged(connection: Connection, study: Study, conversation_ids: list[int]) -> int:
    """Return how many of these conversations have units with numbers from a judge's labels."""
    if not conversation_ids or not _entries(study):
        return 0
    return len(judgements.judged_conversations(connection, study.id).intersection(conversation_ids))


def instrument_score(study: Study, unit: Unit, judge_id: int, labels: Labels) -> MetricValue | None:
    """Return the score of one unit from one judge's labels by the rule of the instrument; None if it has
    none.
    """
    own = [(entry, spec) for entry, spec in _entries(study) if entry.is_own]
    return next(
        (value for entry, spec in own for value in _values(entry, spec, study, unit, judge_id, labels)), None
    )


def applicable_titles(study: Study) -> dict[str, str]:
    """Return name -> title in small letters of the metrics that a judge's labels would give in this study."""
    return {spec.name: spec.title for _, spec in _entries(study)}


def experiment_metrics(
    connection: Connection, study: Study, conversation_ids: list[int]
) -> Iterator[MetricValue]:
    """Yield the numbers of the whole study from the current labels."""
    for spec in metric_specs(StudyMetric):
        if spec.of_labels is not None:
            yield from spec.of_labels(connection, study, conversation_ids)


def _entries(study: Study) -> list[tuple[RegistryEntry[MetricSpec], JudgeMetric]]:
    return [
        (entry, entry.spec)
        for entry in metric_entries()
        if isinstance(entry.spec, JudgeMetric) and _applies(entry, entry.spec, study)
    ]


def _applies(entry: RegistryEntry[MetricSpec], spec: JudgeMetric, study: Study) -> bool:
    try:
        return spec.applies is None or bool(spec.applies(study.instrument))
    except Exception:  # another package's metric that fails here doesn't apply; ours must not fail
        if entry.is_own:
            raise
        return False


def _values(
    entry: RegistryEntry[MetricSpec],
    spec: JudgeMetric,
    study: Study,
    unit: Unit,
    judge_id: int,
    labels: Labels,
) -> list[MetricValue]:
    subject = MetricSubject(unit.conversation_id, unit.id, judge_id)
    judged = JudgedUnit(study.instrument, unit.criteria(study), labels, unit.turns, unit.declared)
    inputs = _inputs(entry, spec, study, judged)
    try:
        results = results_of(entry, spec.compute(judged), spec.variants)
    except Exception as error:  # noqa: BLE001  whatever a metric raises, its number is undefined
        results = failed_results(error, spec.variants)
        inputs = inputs_hash(inputs, "failed")
    return as_values(spec, subject, inputs, results)


def _inputs(entry: RegistryEntry[MetricSpec], spec: JudgeMetric, study: Study, judged: JudgedUnit) -> str:
    """Return the hash of the number's inputs, for another package's metric too, which doesn't give it."""
    if entry.is_own and spec.inputs is not None:
        return spec.inputs(judged)
    return inputs_hash(
        spec.name,
        spec.version,
        study.instrument.key,
        study.instrument.version,
        judged.labels,
        judged.turns,
        judged.declared,
    )
