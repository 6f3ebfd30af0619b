"""Embedders beside each other: the mean curve of each, and whether its score goes with clinicians' labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from data.record.curves import CurveTable
from reports.document import Block, Paragraph, Table
from reports.drift.curve_kinds import COSINE, CurveKind, Embedders, curve_name
from reports.drift.label_correlation import beside_labels
from reports.drift.turn_words import curve_panels
from reports.wording import limits, number
from scoring.agreement.labels.label_data import LabelData
from scoring.drift.average_curves import SLOPE, by_turn, mean, slopes
from words.plurals import count

TITLE = "Embedders compared"
COMPARED = ("goal_alignment", "actions/windowed")
ReadCurves = Callable[[CurveKind], CurveTable]


def compared_kinds(embedders: Embedders) -> dict[str, CurveKind]:
    """Return embedder -> its curve of the actions, the default first; {} if there is only one."""
    kinds = {
        embedder.name: kind
        for kind, embedder in sorted(embedders.items(), key=lambda item: (item[1].counterpart, item[1].name))
        if COMPARED in (kind, (kind[0], embedder.counterpart))
    }
    return kinds if len(kinds) > 1 else {}


def embedder_blocks(embedders: Embedders, read: ReadCurves, labels: LabelData) -> Iterator[Block]:
    """Yield the comparison of the embedders; nothing if there is only one."""
    kinds = compared_kinds(embedders)
    if not kinds:
        return
    tables, left_out = _of_the_same_conversations({name: read(kind) for name, kind in kinds.items()})
    if left_out:
        yield Paragraph(
            f"{count(left_out, 'conversation is', 'conversations are')} left out here, because not every "
            "embedder has measured them."
        )
    if not len(next(iter(tables.values())).key):
        return
    yield curve_panels(
        "embedders",
        f"{curve_name(COMPARED)} with each embedder",
        "mean cosine",
        {name: by_turn(table.values, table.part, COSINE) for name, table in tables.items()},
    )
    yield _slopes(tables)
    rows = [
        (str(row[0]), name, *map(str, row[1:]))
        for name, table in tables.items()
        for block in beside_labels(table, labels, name)
        if isinstance(block, Table)
        for row in block.rows
    ]
    if rows:
        yield Table(
            "embedders_beside_labels",
            "Score of a whole conversation and the mean of its blind labels, by embedder",
            ("Criterion", "Embedder", "Spearman's rho", "95% interval", "Conversations"),
            sorted(rows),
            (2, 4),
        )
        yield Paragraph(
            "All rows use the same conversations and labels. Whether one rho is above another is not "
            "tested. A higher cosine is not better: each embedder has its own scale.",
            "small",
        )


def _of_the_same_conversations(tables: Mapping[str, CurveTable]) -> tuple[dict[str, CurveTable], int]:
    """What every embedder has measured, and how many conversations only some have: of others, curves and
    correlations would differ for the conversations and not for the embedder.
    """
    measured = [set(table.conversation[table.embedder == name].tolist()) for name, table in tables.items()]
    common, every = set.intersection(*measured), set.union(*measured)
    return {
        name: table.where(np.isin(table.conversation, sorted(common))) for name, table in tables.items()
    }, len(every - common)


def _slopes(tables: Mapping[str, CurveTable]) -> Table:
    rows = []
    for name, table in tables.items():
        slope = mean(slopes(table.values), table.part, SLOPE)
        rows.append((name, f"{len(table.key):,}", number(slope, 4), limits(slope, 4)))
    return Table(
        "embedder_slopes",
        "Change per turn with each embedder",
        ("Embedder", "Conversations", "Slope per turn", "95% interval"),
        rows,
        (1, 2),
    )
