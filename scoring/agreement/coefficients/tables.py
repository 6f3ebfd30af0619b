"""Tables of counts that come from outside, checked before anything is computed from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.agreement.labels.pairs import Counts
from scoring.bad_input import BadInput, count


def square(argument: str, table: Sequence[Sequence[int]] | Counts) -> Counts:
    """Return `table` as a (k, k) array of counts.

    Raises:
        BadInput: the table is not square or a cell is not a count; the error names the row or cell.
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
