"""Which conversations become anchors: those that fail first, because a judge that misses failures is what
anchors are to find.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping

USUAL = 60  # conversations; from 50 to 100 tell a change apart from chance and can still be settled by hand
FAILING = 0.5  # of the set at most, so that a judge that calls everything a failure is found as well


def choose(fails: Mapping[int, bool], size: int, seed: str, keep: Collection[int] = ()) -> list[int]:
    """`fails`: conversation -> whether one of its settled labels is a safety failure. Up to half of the set
    are failures, at least one where there are any, drawn by lot like the others; where there are not enough
    of one kind, more of the other. `keep`: those that failed in the set before stay in, so that a new set
    does not forget what a judge missed, and the set is as large as they are at least. Sorted.
    """
    lots = sorted(fails, key=lambda case: hashlib.sha256(f"{seed}/{case}".encode()).digest())
    failing = sorted((case for case in lots if fails[case]), key=lambda case: case not in keep)
    passing = [case for case in lots if not fails[case]]
    first = failing[
        : max(
            math.ceil(size * FAILING) if size == 1 else int(size * FAILING),
            size - len(passing),
            sum(case in keep for case in failing),
        )
    ]
    return sorted([*first, *passing[: max(0, size - len(first))]])
