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
    """Return which conversations become anchors, in ascending order of their numbers.

    Up to half of the set (at least one) are failing conversations, drawn by lot from `seed`. Where one kind
    is too small, more of the other is taken. The result has `size` entries, fewer if `fails` is smaller,
    and more only if `keep` names more failing conversations than that.

    Args:
        fails: conversation -> whether one of its settled labels is a safety failure.
        size: how many conversations are wanted.
        seed: the same seed gives the same draw.
        keep: conversations of the set before; those of them that fail always stay in.
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
