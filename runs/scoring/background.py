"""Compute metrics in a process next to the app, one at a time per store, at the lowest priority.

If it is killed, its results are kept and the next one continues.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from data.store import locks
from data.store.store import Store
from runs.processes import start_scoring
from runs.scoring.run import score_study

LOCK = "scoring"
LAST = 19  # the lowest priority, because rating comes first
ACTOR = "second-reader"


def start(store: Store, studies: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start to compute the metrics of some studies, after any other process that is doing so."""
    return start_scoring(store.path, studies)


def score_in_turn(store: Store, studies: Sequence[str]) -> None:
    """Compute the metrics of these studies. Raises NotFound for an unknown study, StoreError."""
    os.nice(LAST)
    with locks.in_turn(store.path, LOCK):
        for key in studies:
            score_study(store, key, ACTOR)


def under_way(store: Store) -> bool:
    """Tell whether numbers of any study are being computed now."""
    return locks.held(store.path, LOCK)
