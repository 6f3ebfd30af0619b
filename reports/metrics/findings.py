"""What there is to say of the metrics of a study, as it is read from a store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from data.record import conversations, metrics
from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.store import Connection
from runs.scoring import judge_metrics


@dataclass(frozen=True)
class MetricsFindings:
    """`present`: the newest numbers of the study and its conversations, none of a judge. `of_labels`: what is
    made of the labels of judges as they are now; it is for those alone who may see them. `unread`: so many
    of the study's conversations have judged units that were not read; numbers of the whole study are always
    of all.
    """

    present: list[MetricValue]
    of_labels: list[MetricValue]
    unread: int

    @property
    def of_study(self) -> list[MetricValue]:
        return [metric for metric in self.present if metric.subject.is_study]

    @property
    def of_conversations(self) -> list[MetricValue]:
        return [metric for metric in self.present if metric.subject.conversation_id]

    @property
    def of_judges(self) -> list[MetricValue]:
        return [metric for metric in self.of_labels if metric.subject.judge_id]

    @property
    def nothing(self) -> bool:
        return not self.present and not self.has_judge_part

    @property
    def has_judge_part(self) -> bool:
        """Tell whether there is anything to show on judges, unread labels included."""
        return bool(self.of_judges) or self.unread > 0


def gather_metrics(connection: Connection, study: Study, most: int | None = None) -> MetricsFindings:
    """Read the newest numbers of a study.

    `most`: of how many conversations, the first ones, judged units are read; None for all.
    """
    ids = conversations.ids(connection, study.id)
    return MetricsFindings(
        metrics.present_without_curves(connection, study.id),
        [
            *_unit_metrics(connection, study, ids[:most]),
            # Made of the labels as they are now, so that number and labels never part.
            *judge_metrics.experiment_metrics(connection, study, ids),
        ],
        0 if most is None else judge_metrics.count_judged(connection, study, ids[most:]),
    )


def _unit_metrics(connection: Connection, study: Study, ids: list[int]) -> Iterator[MetricValue]:
    for first in range(0, len(ids), MAX_IDS_PER_QUERY):
        yield from judge_metrics.unit_metrics(connection, study, ids[first : first + MAX_IDS_PER_QUERY])
