"""How a computed score goes with what clinicians said of the same conversations, question by question."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scoring.agreement.label_data import LabelData
from scoring.rank_correlation import RankCorrelation, rank_correlation


def mean_labels(material: LabelData, question: int) -> dict[int, float] | None:
    """Conversation -> the mean of its blind labels that have a place in the order; None where nobody gave
    one.
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
    means = np.bincount(places, values[chosen]) / np.bincount(places)
    return dict(zip(talks.tolist(), means.tolist(), strict=True))


def correlate_with_labels(
    scores: Mapping[int, float], parts: Mapping[int, int], means: Mapping[int, float]
) -> RankCorrelation:
    """Over the conversations with a score and a label. `parts`: whose each of them is; itself where it is not
    said.
    """
    both = [conversation for conversation in means if conversation in scores]
    return rank_correlation(
        [scores[conversation] for conversation in both],
        [means[conversation] for conversation in both],
        [parts.get(conversation, conversation) for conversation in both],
        ("the score", "the mean of the labels"),
    )
