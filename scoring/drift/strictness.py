"""Judge less clinician, with each clinician's usual strictness allowed for: who happens to rate must not look
like another judge.
"""

from __future__ import annotations

import numpy as np

from scoring.agreement.labels.labels import numbered
from scoring.arrays import Array, IntArray
from scoring.drift.rater_levels import DatedLevels, strictness
from scoring.drift.rater_movement import DriftLevels


def without_strictness(people: DriftLevels, rater: IntArray, difference: Array) -> Array:
    """`difference` (N,): judge less clinician `rater`, each brought to one average clinician by their effect
    in level = item + rater over the labels of
    `people` alone, so that the judge takes no part in it. The mean over everything stays.
    """
    item = numbered(people.unit * (int(people.question.max(initial=0)) + 1) + people.question)[1].astype(
        np.int64
    )
    effects = strictness(
        DatedLevels(item, people.who, people.case, people.level, np.zeros(len(item), dtype=np.int64))
    )
    clinicians, place = numbered(rater)
    own: Array = np.array([effects.get(number, 0.0) for number in clinicians.tolist()], dtype=float)[place]
    brought: Array = difference + own - (float(own.mean()) if len(own) else 0.0)
    return brought
