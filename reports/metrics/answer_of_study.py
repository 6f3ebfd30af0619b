"""The answer of the Metrics page as it is read from a store: for all of a study, or for a rater."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from data.record import conversations, judgements
from data.record.metrics import MetricValue
from data.record.studies import Study, unit_count
from data.store.store import Connection
from reports.document import Block, Evidence, Paragraph
from reports.metrics.answer import NO_VALUE, headline, metrics_evidence
from reports.metrics.beside_labels import LabelComparison, set_beside_labels
from reports.metrics.findings import MetricsFindings
from reports.metrics.metric_numbers import MetricNumbers, numbers_of_conversations, numbers_of_units
from reports.metrics.missing_values import Missing, metrics_without_value, missing_table
from runs.scoring import shown_metrics

NOTHING_OF_OWN = "No metrics are ready yet for the conversations that you have rated."


@dataclass(frozen=True)
class MetricsAnswer:
    """`of_study`: numbers that are of no conversation. `comparison`: None where labels are not there or not
    to be told. `missing`: metrics without a value. `of_own`: of conversations that the reader has rated.
    """

    metrics: tuple[MetricNumbers, ...]
    of_study: tuple[MetricValue, ...]
    comparison: LabelComparison | None
    missing: Missing
    without: str = NO_VALUE
    of_own: bool = False

    @property
    def headline(self) -> str:
        """Return what the metrics show, in one sentence; `without` if nothing has a value."""
        of_study = sum(value.value is not None for value in self.of_study)
        return headline(self.metrics, self.comparison, of_study, self.without, self.of_own)

    @property
    def evidence(self) -> Evidence | None:
        return metrics_evidence(self.metrics, self.comparison)

    def numbers(self, key: str) -> MetricNumbers | None:
        """Return the numbers of the metric with this key; None if it has no value."""
        return next((numbers for numbers in self.metrics if numbers.key == key and len(numbers.scores)), None)


def metrics_answer(connection: Connection, study: Study, findings: MetricsFindings) -> MetricsAnswer:
    """Return what all metrics show, with labels of clinicians and judges: for study leads."""
    judges = {judge.id: judge.name for judge in judgements.judges(connection, study.id)}
    metrics = [
        *numbers_of_conversations(findings.of_conversations, len(conversations.ids(connection, study.id))),
        *numbers_of_units(
            findings.of_judges, judges, unit_count(connection, study.id), findings.unread, study.noun
        ),
    ]
    return MetricsAnswer(
        tuple(metrics),
        tuple(shown_metrics.values_of_study_metrics(findings.of_study)),
        set_beside_labels(connection, study, metrics),
        metrics_without_value(connection, study, metrics, findings.of_study, of_judges=True),
    )


def answer_for_rater(
    values: Sequence[MetricValue],
    of_study: Sequence[MetricValue],
    rated: int,
    withheld: Mapping[str, int],
) -> MetricsAnswer:
    """Return what the metrics show a rater, without anything on labels.

    Args:
        values: of the conversations that this rater may see.
        of_study: of the study as a whole.
        rated: how many conversations the rater may see.
        withheld: metric -> on how many of them it may not be shown yet.
    """
    return MetricsAnswer(
        tuple(
            replace(numbers, of=rated - left_out, withheld=left_out)
            for numbers in numbers_of_conversations(values, rated)
            for left_out in [withheld.get(numbers.values[0].metric, 0)]
        ),
        tuple(shown_metrics.values_of_study_metrics(of_study)),
        None,
        [],
        NOTHING_OF_OWN,
        of_own=True,
    )


def answer_blocks(answer: MetricsAnswer) -> Iterator[Block]:
    """Yield the answer for a file."""
    yield Paragraph(answer.headline, "strong")
    if answer.evidence is not None:
        yield answer.evidence
    if answer.missing:
        yield missing_table(answer.missing)
