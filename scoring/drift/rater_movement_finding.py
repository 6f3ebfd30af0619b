"""Did a rater move? The finding of the family (sources.py), made of the tests of all raters
(rater_movement.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.labels.labels import numbered
from scoring.arrays import Array, IntArray, shrink, small_column
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.rater_levels import DatedLevels
from scoring.drift.rater_movement import movements

NO_DAYS = "when clinicians rated is not known"
ALONE = "nobody rated often enough what a colleague rated too"


@dataclass(frozen=True, eq=False)
class DriftLevels:
    """Labels that have a place in the order of their scale, one entry a label, arrays of one length. `who`: a
    rater, or 0 for a judge. `case`: the conversation, as a position among the cases. `level`: from 0, the
    lowest of the scale, to 1.
    """

    who: IntArray = small_column()
    unit: IntArray = small_column()
    question: IntArray = small_column()
    case: IntArray = small_column()
    level: Array = small_column()


def raters_moved(people: DriftLevels, rated: IntArray, person: IntArray) -> Finding:
    """`rated`: the day of each label, below 0 where not known. `person` (cases,): whose conversation it is.
    The rater whose movement is clearest gives the p, after Holm over raters; between two who have only each
    other nobody is named.
    """
    if not (rated >= 0).any():
        return cannot_tell("raters", NO_DAYS)
    item = numbered(people.unit * (int(people.question.max(initial=0)) + 1) + people.question)[1].astype(int)
    movement_by_rater = movements(
        DatedLevels(
            shrink(item),  # one after the other, not all of them at once in 64 bits
            shrink(people.who),
            shrink(person[people.case]),
            people.level,
            rated,
        )
    ).raters
    tests = [
        (movement.adjusted, -abs(movement.tau or 0.0), rater)
        for rater, movement in movement_by_rater.items()
        if movement.adjusted is not None
    ]
    if not tests:
        reasons = {
            movement.undefined for movement in movement_by_rater.values() if movement.undefined is not None
        }
        return cannot_tell("raters", reasons.pop() if len(reasons) == 1 else ALONE)
    p, _, rater = min(tests)
    clearest = movement_by_rater[rater]
    if clearest.verdict == "moved apart":
        return Finding("raters", p, clearest.conversations)
    return Finding("raters", p, clearest.conversations, 1 if clearest.up else -1, who=rater)
