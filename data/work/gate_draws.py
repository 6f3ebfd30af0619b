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
    """The chance of each unit to be drawn, above 0 to 1, as the newest plan has it."""
    return (plans.current(connection, study_id) or WorkPlan()).settle_share


def is_drawn(units: IntArray, study_id: int, share: float) -> Mask:
    """Whether each unit, by id, is drawn. With a larger share those that were drawn stay so, and a failure
    that is seen later has the same chance as the others.
    """
    return np.asarray(scramble(units, study_id) < share * 2.0**BITS)


def scramble(units: IntArray, seed: int) -> IntArray:
    """A number from 0, below 2^62, of each unit: in an order that has to do with nothing, the same at every
    reading (the mixer of SplitMix64, Steele, Lea and Flood 2014).
    """
    mixed = units.astype(np.uint64) + np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(64 - BITS)).astype(np.int64)
