"""Whether the metrics of conversations go with what clinicians said of them: rank correlations, and which of
them tell anything.

All of a study are one family (Holm 1979). Of each the larger p counts, of the jackknife and of points taken
as independent: with few conversations the first alone speaks too often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.labels import agreement_material
from data.record import conversations
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Shape
from reports.label_correlation import correlate_with_labels, mean_labels
from reports.metrics.metric_numbers import MetricNumbers
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS
from scoring.confidence import CONFIDENCE
from scoring.rank_correlation import RankCorrelation, chance_of_perfect_order
from scoring.subject_numbers import SubjectNumbers


@dataclass(frozen=True)
class LabelRelation:
    """How one metric goes with each criterion. `directions[i]`: 1 if higher values come with higher labels,
    -1 if with lower ones, 0 if it is too early to say.
    """

    correlations: tuple[RankCorrelation, ...]
    directions: tuple[int, ...]

    @property
    def up(self) -> int:
        return self.directions.count(1)

    @property
    def down(self) -> int:
        return self.directions.count(-1)

    @property
    def clearest(self) -> int:
        """Return the index of the criterion with the strongest correlation, among clear ones if there are
        any.
        """
        told = [place for place, direction in enumerate(self.directions) if direction]
        places = told or range(len(self.correlations))
        return max(places, key=lambda place: abs(self.correlations[place].value or 0.0))

    @property
    def shape(self) -> Shape:
        """Return "yes" if the metric rises with labels, "leans" if it falls on any criterion, else
        "unknown".
        """
        if not self.up and not self.down:
            return "unknown"
        return "leans" if self.down else "yes"

    @property
    def words(self) -> str:
        """Return in words on how many criteria the metric rises or falls with labels."""
        of = len(self.directions)
        if not self.up and not self.down:
            return "too early to say"
        if self.up and self.down:
            return f"up on {self.up}, down on {self.down} of {of}"
        rises = "higher with them" if self.up else "lower with them"
        return rises if of == 1 else f"{rises} on {self.up or self.down} of {of}"


@dataclass(frozen=True)
class LabelComparison:
    """`criteria`: those that clinicians gave labels in an order to, by name. `means[i]`: of each conversation
    the mean of its labels. `relations`: by the key of the metric.
    """

    criteria: tuple[str, ...]
    means: tuple[SubjectNumbers, ...]
    relations: Mapping[str, LabelRelation]

    @property
    def has_numbers(self) -> bool:
        """Tell whether any correlation has a value."""
        return any(
            correlation.value is not None
            for relation in self.relations.values()
            for correlation in relation.correlations
        )

    @property
    def compared(self) -> int:
        """Return the most conversations that have both a metric and a label."""
        return max(
            (correlation.n for relation in self.relations.values() for correlation in relation.correlations),
            default=0,
        )


def set_beside_labels(
    connection: Connection, study: Study, metrics: Sequence[MetricNumbers]
) -> LabelComparison | None:
    """Return how metrics go with blind labels; for somebody who may see the labels of the whole study.

    None without any metric of conversations, or without labels.
    """
    of_conversations = [numbers for numbers in metrics if numbers.judge is None and len(numbers.scores)]
    if not of_conversations:
        return None
    material = agreement_material.read(connection, study, None)
    criteria, means = [], []
    for place, question in enumerate(material.questions):
        of_question = mean_labels(material, place)
        if of_question is not None:
            criteria.append(question.criterion.name)
            means.append(of_question)
    if not criteria:
        return None
    return relate(of_conversations, criteria, means, conversations.shared_persons(connection, study.id))


def relate(
    metrics: Sequence[MetricNumbers],
    criteria: Sequence[str],
    means: Sequence[SubjectNumbers],
    persons: Mapping[int, int],
) -> LabelComparison:
    """Return how each metric goes with the mean labels of each criterion, p corrected over all.

    `persons`: conversation -> the first one of the same person, where a person has several.
    """
    correlations = [
        tuple(correlate_with_labels(numbers.scores, persons, mean) for mean in means) for numbers in metrics
    ]
    chances = [
        _chance(numbers.scores, mean, correlation)
        for numbers, of_metric in zip(metrics, correlations, strict=True)
        for mean, correlation in zip(means, of_metric, strict=True)
    ]
    clear = [p is not None and p < 1 - CONFIDENCE for p in holm(chances)]
    relations = {}
    for place, (numbers, of_metric) in enumerate(zip(metrics, correlations, strict=True)):
        of_clear = clear[place * len(means) : (place + 1) * len(means)]
        relations[numbers.key] = LabelRelation(
            of_metric,
            tuple(
                (1 if (correlation.value or 0) > 0 else -1) if is_clear else 0
                for correlation, is_clear in zip(of_metric, of_clear, strict=True)
            ),
        )
    return LabelComparison(tuple(criteria), tuple(means), relations)


def _chance(scores: SubjectNumbers, means: SubjectNumbers, correlation: RankCorrelation) -> float | None:
    """None where nothing can be told, whatever the number."""
    if correlation.value is None or (correlation.conversations or 0) < MINIMUM_CONVERSATIONS:
        return None
    if abs(correlation.value) == 1 and correlation.conversations == correlation.n:
        _, score, mean = scores.beside(means)
        return chance_of_perfect_order(score, mean)
    if correlation.p is None and correlation.conversations == correlation.n:
        return correlation.p_independent  # an order that is nearly perfect has no spread to be measured
    if correlation.p is None or correlation.p_independent is None:
        return None
    return max(correlation.p, correlation.p_independent)
