"""Whether a computed score goes with what clinicians said: rank correlation, criterion by criterion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from data.curves import CurveTable
from reports.document import Block, Paragraph, Table
from reports.wording import limits, number
from scoring.agreement.label_data import LabelData
from scoring.rank_correlation import RankCorrelation, rank_correlation

SUPPLEMENTARY = (
    "Supplementary, not for ranking: the score compares wording with the plan. It is no label, "
    "and models are not to be ranked by it."
)


def beside_labels(table: CurveTable, material: LabelData, what: str) -> Iterator[Block]:
    """Nothing where no criterion has an order and blind labels."""
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
            f"{what} of a whole conversation beside the mean of its blind labels",
            ("Criterion", "Spearman's rho", "95 % interval", "Conversations"),
            rows,
            (1, 3),
        )
        yield Paragraph(
            f"Above 0: where the score is higher, clinicians gave higher levels. {SUPPLEMENTARY}", "small"
        )


def _correlation(table: CurveTable, material: LabelData, question: int) -> RankCorrelation | None:
    """Over the conversations with a score and a label that has a place in the order; None where nobody gave
    one.
    """
    asked, labels = material.questions[question], material.labels_without_rule(question)
    values = np.array([np.nan if value is None else value for value in asked.values], dtype=float)[
        labels.code
    ]
    if len(asked.levels) < 2 or not (~np.isnan(values)).any():
        return None
    talk = material.units.conversation[material.units.at(labels.unit)]
    chosen = ~np.isnan(values)
    where = {conversation_id: row for row, conversation_id in enumerate(table.conversation.tolist())}
    sums: dict[int, list[float]] = {}
    for conversation_id, value in zip(talk[chosen].tolist(), values[chosen].tolist(), strict=True):
        if conversation_id in where and not np.isnan(table.last[where[conversation_id]]):
            sums.setdefault(conversation_id, []).append(value)
    rows = [where[conversation_id] for conversation_id in sums]
    return rank_correlation(
        [float(table.last[row]) for row in rows],
        [
            sum(values_of_conversation) / len(values_of_conversation)
            for values_of_conversation in sums.values()
        ],
        [int(table.part[row]) for row in rows],
        ("the score", "the mean of the labels"),
    )
