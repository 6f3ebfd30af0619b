"""Blind labels as levels of their scale, to compare how strict raters are."""

from __future__ import annotations

import numpy as np

from scoring.agreement.coefficients.levels import failing, order
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.people.severity import OrdinalLabels
from scoring.instruments import Instrument


def has_ordered_scale(material: LabelData) -> bool:
    """Tell whether any question has an ordered scale."""
    return any(question.ordinal for question in material.questions)


def ordinal_levels(material: LabelData, instrument: Instrument) -> list[OrdinalLabels]:
    """Return each question's blind labels as levels of its ordered scale, without labels outside the order.

    If no question has an ordered scale, 1 for failing and 0 for other labels.
    """
    ordinal_labels, levels = [], has_ordered_scale(material)
    for number, question in enumerate(material.questions):
        scale, labels = instrument.scale_of(question.criterion), material.labels_without_rule(number)
        places = order(scale) if levels else failing(scale)
        level = np.array([places.get(label, np.nan) for label in question.domain])[labels.code]
        valued = ~np.isnan(level)
        ordinal_labels.append(
            OrdinalLabels(labels.unit[valued], labels.rater[valued], labels.part[valued], level[valued])
        )
    return ordinal_labels
