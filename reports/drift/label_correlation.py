"""Whether a computed score goes with what clinicians said: rank correlation, criterion by criterion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from data.record.curves import CurveTable
from reports.document import Block, Paragraph, Table
from reports.label_correlation import correlate_with_labels, mean_labels
from reports.wording import limits, number
from scoring.agreement.labels.label_data import LabelData
from scoring.rank_correlation import RankCorrelation
from scoring.subject_numbers import SubjectNumbers

SUPPLEMENTARY = (
    "This score is supplementary. It compares wording with the plan and is not a label, so do not rank "
    "models by it."
)


def beside_labels(table: CurveTable, material: LabelData, what: str) -> Iterator[Block]:
    """Yield how a curve's values go with clinicians' labels; nothing if no ordered criterion has blind
    labels.

    `what`: what the metric is called in a sentence.
    """
    rows = []
    for question in range(len(material.questions)):
        rank_correlation = _correlation(table, material, question)
        if rank_correlation is not None:
            rows.append(
                (
                    material.questions[question].criterion.name,
                    number(rank_correlation),
                    limits(rank_correlation),
                    f"{rank_correlation.n:,}",
                )
            )
    if rows:
        yield Table(
            "beside_labels",
            f"{what} of a whole conversation and the mean of its blind labels",
            ("Criterion", "Spearman's rho", "95% interval", "Conversations"),
            rows,
            (1, 3),
        )
        yield Paragraph(
            f"Above 0: where the score is higher, clinicians gave higher levels. {SUPPLEMENTARY}", "small"
        )


def _correlation(table: CurveTable, material: LabelData, question: int) -> RankCorrelation | None:
    """None where nobody gave a label that has a place in the order."""
    means = mean_labels(material, question)
    if means is None:
        return None
    known = ~np.isnan(table.last)
    persons = dict(zip(table.conversation.tolist(), table.part.tolist(), strict=True))
    return correlate_with_labels(SubjectNumbers(table.conversation[known], table.last[known]), persons, means)
