"""Tables of counts that come from outside, checked before anything is computed from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.agreement.labels.pairs import Counts
from scoring.bad_input import BadInput, count


def square(argument: str, table: Sequence[Sequence[int]] | Counts) -> Counts:
    """A (k, k) table of counts. Raises BadInput that names the row or cell for another shape, or for what is
    no count.
    """
    rows = [
        [count(f"{argument}[{i}][{j}]", cell) for j, cell in enumerate(row)] for i, row in enumerate(table)
    ]
    for i, row in enumerate(rows):
        if len(row) != len(rows):
            raise BadInput(
                f"{argument}[{i}]",
                f"expected {len(rows)} counts, as many as there are rows, found {len(row)}",
            )
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(rows))
