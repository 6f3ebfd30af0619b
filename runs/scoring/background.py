"""Scoring in a process beside the app, so that nobody waits for it: one at a time for a store, and below
everything else.

What a killed one has kept stays, and the next one goes on from there.
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
LAST = 19  # the kindest of the priorities: whoever rates comes first
ACTOR = "second-reader"


def start(store: Store, studies: Sequence[str]) -> subprocess.Popen[bytes]:
    """Begin to score some studies; where another process is at it, after that one."""
    return start_scoring(store.path, studies)


def score_in_turn(store: Store, studies: Sequence[str]) -> None:
    """Raises NotFound for an unknown study, StoreError."""
    os.nice(LAST)
    with locks.in_turn(store.path, LOCK):
        for key in studies:
            score_study(store, key, ACTOR)


def under_way(store: Store) -> bool:
    """Whether numbers of some study are being computed just now."""
    return locks.held(store.path, LOCK)
