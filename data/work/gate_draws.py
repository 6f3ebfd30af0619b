"""Which units of a safety gate are settled: all in which a clinician saw a failure, or a random part of them,
each with the chance that the plan of work names.
"""

from __future__ import annotations

import numpy as np
from sqlalchemy import Connection

from data.work import plan as plans
from data.work.plan import WorkPlan
from scoring.arrays import IntArray, Mask

BITS = 62


def read_settle_share(connection: Connection, study_id: int) -> float:
    """Return the chance of each failure at a safety gate to be settled, above 0 to 1, by the newest plan."""
    return (plans.current(connection, study_id) or WorkPlan()).settle_share


def is_drawn(units: IntArray, study_id: int, share: float) -> Mask:
    """Tell of each unit, by id, whether it is drawn with this chance; always the same for the same study.

    With a larger share those that were drawn stay drawn, and a failure that is seen later has the same
    chance as the others.
    """
    return np.asarray(scramble(units, study_id) < share * 2.0**BITS)


def scramble(units: IntArray, seed: int) -> IntArray:
    """Return a fixed pseudo-random number from 0, below 2^62, for each unit (SplitMix64; Steele, Lea and
    Flood 2014).
    """
    mixed = units.astype(np.uint64) + np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(64 - BITS)).astype(np.int64)
