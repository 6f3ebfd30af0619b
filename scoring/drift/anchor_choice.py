"""Which conversations become anchors: those that fail first, because a judge that misses failures is what anchors are to find."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

USUAL = 60  # conversations; from 50 to 100 tell a change apart from chance and can still be settled by hand
FAILING = 0.5  # of the set at most, so that a judge that calls everything a failure is found as well


def choose(fails: Mapping[int, bool], size: int, seed: str) -> list[int]:
    """`fails`: conversation -> whether one of its settled labels is a safety failure. Up to half of the set are failures, drawn by lot like the
    others; where there are not enough of one kind, more of the other. Sorted."""
    lots = sorted(fails, key=lambda one: hashlib.sha256(f"{seed}/{one}".encode()).digest())
    failing, passing = [one for one in lots if fails[one]], [one for one in lots if not fails[one]]
    first = failing[:max(int(size * FAILING), size - len(passing))]
    return sorted([*first, *passing[:max(0, size - len(first))]])
