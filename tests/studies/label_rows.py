"""Labels from rows of units and columns of raters, as tables print them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.agreement.labels.labels import Labels


def from_rows(
    ratings: Sequence[Sequence[object | None]],
    domain: Sequence[object],
    parts: Sequence[object] | None = None,
    values: Sequence[float] | None = None,
) -> Labels:
    """None where a label is missing; `parts`: one entry a unit. A label must be on the scale."""
    index = {label: code for code, label in enumerate(domain)}
    named = {name: number for number, name in enumerate(dict.fromkeys(parts))} if parts is not None else {}
    label_rows: list[tuple[int, int, int, int]] = []
    for unit, row in enumerate(ratings):
        for rater, label in enumerate(row):
            if label is None:
                continue
            label_rows.append((unit, rater, named[parts[unit]] if parts is not None else unit, index[label]))
    unit_, rater_, part_, code_ = np.array(label_rows, dtype=np.int64).reshape(-1, 4).T
    return Labels(
        tuple(map(str, domain)),
        unit_,
        rater_,
        part_,
        code_,
        values=tuple(values) if values is not None else None,
    )
