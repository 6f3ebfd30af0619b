"""How a computed score goes with what clinicians said of the same conversations, question by question."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scoring.agreement.labels.label_data import LabelData
from scoring.arrays import IntArray
from scoring.rank_correlation import RankCorrelation, rank_correlation
from scoring.subject_numbers import SubjectNumbers


def mean_labels(material: LabelData, question: int) -> SubjectNumbers | None:
    """Return each conversation's mean of blind labels in values of the scale; None if no label has a value.

    Labels without a value, such as "does not apply", are left out.
    """
    asked, labels = material.questions[question], material.labels_without_rule(question)
    values = np.array([np.nan if value is None else value for value in asked.values], dtype=float)[
        labels.code
    ]
    chosen = ~np.isnan(values)
    if len(asked.levels) < 2 or not chosen.any():
        return None
    talk = material.units.conversation[material.units.at(labels.unit)]
    talks, places = np.unique(talk[chosen], return_inverse=True)
    return SubjectNumbers(talks, np.bincount(places, values[chosen]) / np.bincount(places))


def correlate_with_labels(
    scores: SubjectNumbers, persons: Mapping[int, int], means: SubjectNumbers
) -> RankCorrelation:
    """Return the rank correlation over the conversations with a score and a label.

    `persons`: conversation -> its person; a conversation that is absent is its own.
    """
    both, score, mean = scores.beside(means)
    return rank_correlation(score, mean, _persons_of(both, persons), ("the score", "the mean of the labels"))


def _persons_of(conversations: IntArray, persons: Mapping[int, int]) -> IntArray:
    if not persons:
        return conversations
    return np.array(
        [persons.get(conversation, conversation) for conversation in conversations.tolist()], dtype=np.int64
    )
