"""Did a rater become stricter or more lenient beside the others? A test for each, and who it was that moved.

Conversations are the independent parts: of each the mean difference from the others, at the mean day on which
it was rated. Mann (1945) and Kendall (1975) on these pairs (tau-b with ties in both; scipy.stats.kendalltau),
and once more on the means of the days, because a rater's good or bad day strikes all conversations of that
day; the larger p counts, after Holm (1979) over the raters. Theil (1950) and Sen (1968) for the slope. Where
one rater moves, the others seem to move the other way. So only the rater with the clearest movement is named,
taken out of "the others", and everything is tested again, until nobody is left to name. Where two have nobody
but each other, either may have moved, and neither is named alone. The clearest movement becomes the
finding of the family (sources.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.labels.labels import number_pairs, numbered
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.arrays import Array, IntArray, shrink, small_column
from scoring.confidence import ALPHA
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.rater_levels import DatedLevels, LevelDifferences, level_differences
from words.plurals import inflect

MIN_CONVERSATIONS = 8  # conversations, below which a movement is told in words only
# On fewer, even days in perfect order (p 0.017 of five) would not stand up to Holm over three raters.
MIN_DAYS = 6
WEEKS = 28.0  # days; slopes are per four weeks
MAX_SLOPE_POINTS = 1_000  # points of a slope, which takes every two of them
SLOPE = "Theil-Sen slope over conversations, per 4 weeks"
ONE_DAY = "all of it was rated on one day"
FEW_DAYS = (
    f"rated on only {{days}} days, where a good and a bad day would look like a change, and {MIN_DAYS} are "
    "needed"
)
NOBODY = "nobody else rated the same"
NO_DAYS = "it is unknown when clinicians rated"
ALONE = "nobody rated enough of what a colleague rated too"
TIED = "most pairs of conversations show the same difference"
Verdict = Literal["", "moved", "difference changed"]


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


@dataclass(frozen=True)
class Movement:
    """Of one rater beside the others who did not move themselves. `tau`: over conversations. `p`: the larger
    of both tests, `adjusted`: after Holm; all None where `undefined` says why.

    `first`, `second`: the mean difference in the earlier and in the later half of the conversations, by day.
    `verdict`: "moved"; "difference changed" of two who have only each other, where either may have moved;
    was; or "".
    """

    conversations: int
    tau: float | None
    p: float | None
    slope: Estimate
    first: float | None
    second: float | None
    undefined: str | None = None
    adjusted: float | None = None
    verdict: Verdict = ""

    @property
    def up(self) -> bool:
        """Tell whether the rater's levels rise relative to the others'; False where that is unknown."""
        return self.tau is not None and self.tau > 0


@dataclass(frozen=True, eq=False)
class Movements:
    """`raters`: everybody with a label of a known day. `differences`: those that each was tested with."""

    raters: dict[int, Movement]
    differences: dict[int, LevelDifferences]


def movements(levels: DatedLevels) -> Movements:
    """Test for each rater whether their levels moved relative to the others', naming the clearest in turn.

    The rater with the smallest p below ALPHA (0.05) after Holm is marked "moved", removed from the others,
    and all is tested again until nobody is left to name. Of two raters who have only each other, both are
    marked "difference changed". Both results have every rater with a label of a known day, in ascending
    order.
    """
    everybody = numbered(levels.rater[levels.day >= 0])[0].tolist()
    named: dict[int, Movement] = {}
    paired: dict[int, Movement] = {}
    while True:
        differences = level_differences(levels.where(~np.isin(levels.rater, [*named])))
        tested = _tested(
            differences, [rater for rater in everybody if rater not in named and rater not in paired]
        )
        clearest = _clearest(tested)
        if clearest is None:
            break
        rater, movement = clearest
        other = _only_each_other(differences, rater)
        if other is None:
            named[rater] = replace(movement, verdict="moved")
        else:  # the other one saw the same units, from the other side
            paired[rater] = replace(movement, verdict="difference changed")
            if other in tested:
                paired[other] = replace(tested[other], verdict="difference changed")
    raters = {**tested, **paired}
    differences_by_rater = {rater: differences.of(rater) for rater in everybody if rater not in named}
    for rater, movement in named.items():
        differences_by_rater[rater] = level_differences(
            levels.where((levels.rater == rater) | ~np.isin(levels.rater, [*named]))
        ).of(rater)
        again = measure_movement(differences_by_rater[rater])
        raters[rater] = (
            movement
            if again.p is None
            else replace(again, p=movement.p, adjusted=movement.adjusted, verdict="moved")
        )
    return Movements(
        {rater: raters[rater] for rater in everybody},
        {rater: differences_by_rater[rater] for rater in everybody},
    )


def _tested(differences: LevelDifferences, raters: Iterable[int]) -> dict[int, Movement]:
    tested = {rater: measure_movement(differences.of(rater)) for rater in raters}
    return {
        rater: replace(movement, adjusted=p)
        for (rater, movement), p in zip(
            tested.items(), holm([movement.p for movement in tested.values()]), strict=True
        )
    }


def _clearest(tested: dict[int, Movement]) -> tuple[int, Movement] | None:
    clear = [
        (movement.p, -abs(movement.tau or 0.0), rater)
        for rater, movement in tested.items()
        if movement.p is not None and movement.adjusted is not None and movement.adjusted < ALPHA
    ]
    return (min(clear)[2], tested[min(clear)[2]]) if clear else None


def _only_each_other(differences: LevelDifferences, rater: int) -> int | None:
    """The one other rater of this one, where they in turn have nobody else."""
    others = differences.partners.get(rater, frozenset())
    other = next(iter(others), None)
    return (
        other
        if other is not None and len(others) == 1 and differences.partners.get(other) == frozenset((rater,))
        else None
    )


def measure_movement(differences: LevelDifferences) -> Movement:
    """Test one rater's differences for a trend over days; `adjusted` and `verdict` are left unset.

    `p` is None, with the reason in `undefined`, where there are fewer than MIN_CONVERSATIONS (8)
    conversations or MIN_DAYS (6) days. If all differences are equal, tau is 0 and p is 1.
    """
    parts, part = numbered(differences.part)
    n = len(parts)
    number = np.maximum(np.bincount(part, minlength=n), 1)
    value, day = (
        np.bincount(part, weights=column, minlength=n) / number
        for column in (differences.difference, differences.day.astype(float))
    )
    if not n:
        return _cannot(n, NOBODY)
    if n < MIN_CONVERSATIONS:
        return _cannot(
            n,
            f"only {n} {inflect(n, 'conversation', 'conversations')} with others, and "
            f"{MIN_CONVERSATIONS} are needed",
        )
    if np.ptp(day) == 0:
        return _cannot(n, ONE_DAY)
    value = np.round(value, 12)  # what rounding leaves of equal differences is no order
    days, at = np.unique(np.floor(day), return_inverse=True)
    if len(days) < MIN_DAYS:
        return _cannot(n, FEW_DAYS.format(days=len(days)))
    first, second = _halves(value, day)
    if np.ptp(value) == 0:  # always exactly the same difference is no movement
        return Movement(
            n, 0.0, 1.0, Estimate(0.0, n, SLOPE, no_interval=TIED, conversations=n), first, second
        )
    test, of_days = (
        scipy.stats.kendalltau(day, value),
        scipy.stats.kendalltau(days, np.round(np.bincount(at, weights=value) / np.bincount(at), 12)),
    )
    # Where the means of all days are the same, the days show no movement at all.
    p = 1.0 if np.isnan(of_days.pvalue) else max(float(test.pvalue), float(of_days.pvalue))
    return Movement(n, float(test.statistic), p, _slope(value, day), first, second)


def _cannot(n: int, reason: str) -> Movement:
    return Movement(n, None, None, undefined_estimate(reason, n, SLOPE, n), None, None, reason)


def _halves(value: Array, day: Array) -> tuple[float, float]:
    """The days up to the middle and those after it; all of one day stay together."""
    middle = float(np.median(day))
    early = day < middle if (day < middle).sum() * 2 >= len(day) - 1 else day <= middle
    if early.all():
        early = day < middle
    return float(value[early].mean()), float(value[~early].mean())


def _slope(value: Array, day: Array) -> Estimate:
    """Of very many conversations, neighbours in time are averaged first: every two of them would be too many
    pairs.
    """
    n = len(value)
    if n > MAX_SLOPE_POINTS:
        order = np.argsort(day, kind="stable")
        groups = np.array_split(order, MAX_SLOPE_POINTS)
        value, day = (np.array([column[group].mean() for group in groups]) for column in (value, day))
    fit = scipy.stats.theilslopes(value, day / WEEKS)
    if not fit.low_slope < fit.high_slope:
        return Estimate(float(fit.slope), n, SLOPE, no_interval=TIED, conversations=n)
    return Estimate(
        float(fit.slope),
        n,
        SLOPE,
        low=float(fit.low_slope),
        high=float(fit.high_slope),
        conversations=n,
    )


def raters_moved(people: DriftLevels, rated: IntArray, person: IntArray) -> Finding:
    """Return the movement of the rater who moved most clearly, as a finding of kind "raters".

    `p` is after Holm over the raters, `direction` 1 or -1 and `who` the rater's number. Of two raters who
    have only each other, `who` is None and `direction` 0. `untold` says why nothing could be tested.

    Args:
        people: the labels.
        rated: the day of each label, below 0 where not known.
        person: the person of each conversation.
    """
    if not (rated >= 0).any():
        return cannot_tell("raters", NO_DAYS)
    item = numbered(number_pairs(people.unit, people.question))[1].astype(int)
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
    if clearest.verdict == "difference changed":
        return Finding("raters", p, clearest.conversations)
    return Finding("raters", p, clearest.conversations, 1 if clearest.up else -1, who=rater)
