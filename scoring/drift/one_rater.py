"""Did a rater move? Their levels less those of the others on the same units, over the days on which they rated.

What is common to all who rated a unit, the case and the model, cancels out; how strict everybody usually is, is
taken off first. Each conversation gives one mean difference; over conversations
Kendall's test, Holm's correction over raters, and the rater who moved most is named. Between two
raters nobody can tell which of them moved, and then none is named.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scoring.agreement.labels import Array, Whole, numbered
from scoring.agreement.multiplicity import holm
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.kendall import kendall

NO_DAYS = "when clinicians rated is not known"
ALONE = "nobody rated the same units as a colleague on two days or more"


@dataclass(frozen=True, eq=False)
class Levels:
    """Labels that have a place in the order of their scale, one entry a label, arrays of one length. `who`: a rater, or 0 for a judge. `case`: the
    conversation, as a position among the cases. `level`: from 0, the lowest of the scale, to 1."""

    who: Whole
    unit: Whole
    question: Whole
    case: Whole
    level: Array


def raters_moved(people: Levels, rated: Whole, stratum: Whole) -> Finding:
    """`rated`: the day of each label, below 0 where not known. `stratum` (cases,): conversations of one person are compared with each other only."""
    if not (rated >= 0).any():
        return cannot_tell("raters", NO_DAYS)
    apart, shared = _differences(people)
    chosen = shared & (rated >= 0)
    tests = []
    for rater in np.unique(people.who[chosen]).tolist():
        mine = chosen & (people.who == rater)
        cases, place = numbered(people.case[mine])
        n = np.bincount(place)
        found = kendall(np.bincount(place, rated[mine]) / n, np.bincount(place, apart[mine]) / n, stratum[cases])
        if found.p is not None:
            tests.append((found.p, rater, found))
    if not tests:
        return cannot_tell("raters", ALONE)
    corrected = [one if one is not None else 1.0 for one in holm([p for p, _, _ in tests])]
    most = int(np.argmin([p for p, _, _ in tests]))
    _, rater, found = tests[most]
    if len(np.unique(people.who[shared])) == 2:
        return Finding("raters", corrected[most], found.n)
    return Finding("raters", corrected[most], found.n, found.direction, who=rater)


def _differences(people: Levels) -> tuple[Array, NDArray[np.bool_]]:
    """Of each label how far it lies above the mean of the others' on the same unit and question, and whether there are any. Everybody's usual strictness
    is taken off before, or a rater whose colleagues change from a lenient to a strict one would seem to move."""
    cells, place = numbered(people.unit * (int(people.question.max(initial=0)) + 1) + people.question)
    n = np.bincount(place)[place]
    level = people.level - _strictness(people, place, len(cells))
    total = np.bincount(place, level)[place]
    return level - (total - level) / np.maximum(n - 1, 1), np.asarray(n > 1)


def _strictness(people: Levels, place: NDArray[np.intp], cells: int) -> Array:
    """Of each label the effect of its rater in level = unit and question + rater, by least squares (the smallest where groups share nothing)."""
    raters, who = numbered(people.who)
    there = csr_array((np.ones(len(who)), (place, who)), shape=(cells, len(raters)))
    n = np.bincount(place, minlength=cells)
    shares = csr_array((1 / n[place], (place, who)), shape=(cells, len(raters)))
    normal = np.diag(np.bincount(who, minlength=len(raters))) - (there.T @ shares).toarray()
    above = np.bincount(who, people.level - (np.bincount(place, people.level) / n)[place], len(raters))
    return np.asarray(np.linalg.lstsq(normal, above, rcond=None)[0][who])
