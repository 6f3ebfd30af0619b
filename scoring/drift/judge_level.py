"""The judge's level beside the clinicians': judge less clinicians' mean on the same unit and question, period
by period, and whether it stepped.

The share of equal labels hardly shows a judge who comes to give lower levels; this difference does. Levels
run from 0, the lowest of a scale, to 1. Each clinician's usual strictness is allowed for (rater_levels.py),
so that other clinicians are not read as another judge; the mean over everything stays.

The test: of each conversation the mean difference, each question around its own mean, each conversation
around the mean of those it may be compared with (its condition; a person with several among themselves). Over
all splits in time the largest sum of squares between both sides (Page 1955; Worsley 1979), by a permutation
test that shuffles whole days, because a clinician's good or bad day strikes all conversations of that day.
The page names the split itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.intervals.additive_counts import ratio
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic, around, jackknife
from scoring.agreement.labels.labels import number_pairs, numbered
from scoring.arrays import Array, IntArray, Mask, small_column
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.rater_levels import DatedLevels, strictness
from scoring.drift.rater_movement import DriftLevels
from scoring.drift.sources import ConversationDates
from words.plurals import count

NOTHING = "nothing the judge labelled was rated blind"
NO_ORDER = "no label has a place in the order of its scale"
ONE_MOMENT = "all conversations fall on one day"
MIN_CONVERSATIONS, MIN_DAYS = (
    8,
    8,
)  # conversations, days; no order of fewer days would stand up to Holm over the family
MIN_SHARE_OF_SIDE = 0.1  # of the conversations, and two days, that each side of a step has at least
BLOCKS = 120  # neighbouring days are shuffled together where there are more
DRAWS, SEED = 4_999, 20261122
DRAWS_PER_PART = 1_000  # draws
ROUNDING_ERROR = 1e-9
_MEAN = ratio("judge less clinicians, mean", NOTHING, low=-np.inf, high=np.inf)
_STEP = Statistic(
    "judge less clinicians, from the step on less before it",
    lambda counts: counts,
    lambda _: NO_ORDER,
    low=-np.inf,
    high=np.inf,
    all_agree=None,
    kind="amount",
)


@dataclass(frozen=True, eq=False)
class LevelPairs:
    """Blind labels beside the judge's where both have a place in the order of their scale, one entry a pair,
    arrays of one length.

    `case`: position among the conversations; `part`: the conversation or its person. `period`: below 0 where
    not known. `difference`: judge less clinician, as a share of the range of the scale. `weight`: of the
    unit.
    """

    unit: IntArray = small_column()
    question: IntArray = small_column()
    case: IntArray = small_column()
    part: IntArray = small_column()
    period: IntArray = small_column()
    difference: Array = small_column()
    weight: Array = small_column()


@dataclass(frozen=True)
class LevelStep:
    """`day`: the first from which on the levels lie otherwise. `by`: judge less clinicians from then on, less
    the same before; `before`, `after`: how far the judge lay above the clinicians. All None where `untold`
    says why.
    """

    p: float | None
    n: int
    day: int | None = None
    by: Estimate | None = None
    before: float | None = None
    after: float | None = None
    untold: str | None = None

    def finding(self) -> Finding:
        """Return the step as a finding of kind "level", with the sign of `by` as its direction.

        Where `p` is None, the finding has `untold` instead.
        """
        if self.p is None:
            return cannot_tell("level", self.untold or NOTHING, self.n)
        return Finding(
            "level",
            self.p,
            self.n,
            0 if self.by is None or self.by.value is None else int(np.sign(self.by.value)),
        )


def level_by_period(pairs: LevelPairs, count: int) -> list[Estimate]:
    """Return, for each of `count` periods, the mean of judge less clinicians, with its interval.

    Differences are shares of the scale's range, weighted by the units' weights; a unit and question counts
    once, however many clinicians labelled it. `n` counts units and questions. A period without pairs has
    value None.
    """
    items_of_pairs = number_pairs(pairs.unit, pairs.question)
    estimates = []
    for period in range(count):
        rows = np.flatnonzero(pairs.period == period)
        if not len(rows):
            estimates.append(undefined_estimate(NOTHING, 0, _MEAN.name, 0))
            continue
        items, item = numbered(items_of_pairs[rows])
        weight = pairs.weight[rows] / np.bincount(item)[item]
        parts, part = numbered(pairs.part[rows])
        counts = np.stack(
            [
                np.bincount(part, weight * pairs.difference[rows], len(parts)),
                np.bincount(part, weight, len(parts)),
            ],
            axis=1,
        )
        estimates.append(jackknife(_MEAN, counts.astype(float), len(items)))
    return estimates


def level_step(pairs: LevelPairs, cases: ConversationDates) -> LevelStep:
    """Test whether and from which day on the judge's level relative to the clinicians' changed.

    The permutation test is described at the head of this module. `p` is None, with the reason in `untold`,
    where there are no pairs, fewer than MIN_CONVERSATIONS (8) dated conversations or MIN_DAYS (8) days, or
    where no split has enough conversations on both sides. Otherwise `day`, `by`, `before` and `after`
    describe the best split, whether or not it is significant.
    """
    if not len(pairs.unit):
        return LevelStep(None, 0, untold=NO_ORDER)
    plain, centred, labelled = _by_case(pairs, len(cases.day))
    chosen = np.flatnonzero(labelled & ~np.isnan(cases.day))

    def cannot(reason: str) -> LevelStep:
        return LevelStep(None, len(chosen), untold=reason)

    if len(chosen) < MIN_CONVERSATIONS:
        conversations = count(len(chosen), "conversation", "conversations")
        return cannot(
            f"labels of both and a day are known of only {conversations}, and {MIN_CONVERSATIONS} are needed"
        )
    stratum = numbered(cases.strata(conditions=True)[chosen])[1]
    size = np.bincount(stratum)
    residual = centred[chosen] - (np.bincount(stratum, centred[chosen]) / size)[stratum]
    days, place = np.unique(np.floor(cases.day[chosen]).astype(np.int64), return_inverse=True)
    if len(days) == 1:
        return cannot(ONE_MOMENT)
    if len(days) < MIN_DAYS:
        return cannot(f"they fall on only {len(days)} days, and {MIN_DAYS} are needed")
    first, block = _blocks(place)
    lone = size[stratum] == 1  # a conversation without another to compare with tells nothing
    sums, counts = (np.bincount(block, weights, len(first)).astype(float) for weights in (residual, ~lone))
    p, split = _scan(sums, counts)
    if p is None:
        return cannot("within a condition too few conversations can be compared over time")
    late = block >= split
    by = _difference(centred[chosen], stratum, late, cases.person[chosen])
    before, after = (float(plain[chosen][side].mean()) for side in (~late, late))
    return LevelStep(p, len(chosen), int(days[first[split]]), by, before, after)


def _by_case(pairs: LevelPairs, count: int) -> tuple[Array, Array, Mask]:
    """(count,) the mean difference of each conversation over its units and questions, the same with every
    question around its own mean, and which have one. A unit and question counts once, however many clinicians
    labelled it.
    """
    item = numbered(number_pairs(pairs.unit, pairs.question))[1]
    weight = 1 / np.bincount(item)[item]
    labels = np.bincount(pairs.question, weight)
    usual = np.bincount(pairs.question, weight * pairs.difference) / np.maximum(labels, ROUNDING_ERROR)
    whole = np.bincount(pairs.case, weight, count)
    plain, centred = (
        np.bincount(pairs.case, weight * values, count) / np.maximum(whole, ROUNDING_ERROR)
        for values in (pairs.difference, pairs.difference - usual[pairs.question])
    )
    return plain, centred, whole > 0


def _blocks(place: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(position of the first day of each block, block of each conversation), days as they are or neighbours
    together.
    """
    count = int(place.max()) + 1
    first = np.unique(np.linspace(0, count, min(count, BLOCKS), endpoint=False).round().astype(np.intp))
    return first, np.searchsorted(first, place, side="right") - 1


def _scan(sums: Array, counts: Array) -> tuple[float | None, int]:
    """The p of the largest sum of squares over all splits, and the block that begins the later side; None
    where no split has enough on both sides.
    """
    observed = _squares(sums[:, None], counts[:, None])[:, 0]
    if not np.isfinite(observed).any():
        return None, 0
    split = int(observed.argmax()) + 1
    least = observed.max() - ROUNDING_ERROR
    as_large = sum(
        int(np.sum(_squares(sums.take(order), counts.take(order)).max(axis=0) >= least))
        for order in _orders(len(sums))
    )
    return (as_large + 1) / (DRAWS + 1), split


def _squares(sums: Array, counts: Array) -> Array:
    """Of columns of blocks (B, R) the sum of squares between the sides of each split, -inf where a side is
    too small. Residuals of a column add up to 0.
    """
    rising, n = sums.cumsum(axis=0)[:-1], counts.cumsum(axis=0)[:-1]
    whole = counts.sum(axis=0)
    least = np.maximum(MIN_SHARE_OF_SIDE * whole, 2)
    at = np.arange(1, len(sums))[:, None]
    later = whole - n
    allowed = (n >= least) & (later >= least) & (at >= 2) & (at <= len(sums) - 2)
    squares: Array = np.where(allowed, rising**2 * whole / np.maximum(n * later, 1), -np.inf)
    return squares


@lru_cache(maxsize=16)
def _orders(count: int) -> tuple[NDArray[np.intp], ...]:
    """DRAWS orders of the blocks, always the same, in parts (count, up to DRAWS_PER_PART) that fit a cache:
    that and adding up whole rows halve the time.
    """
    orders = np.random.default_rng(SEED).permuted(np.tile(np.arange(count), (DRAWS, 1)), axis=1).T
    return tuple(
        np.ascontiguousarray(orders[:, first : first + DRAWS_PER_PART])
        for first in range(0, DRAWS, DRAWS_PER_PART)
    )


def _difference(value: Array, stratum: NDArray[np.intp], late: Mask, person: IntArray) -> Estimate:
    """Later less earlier within strata, each weighted by n early * n late / n (least squares with an effect
    for each stratum). One conversation, or one person with several, is left out at a time; the split is held
    fixed.
    """
    strata = int(stratum.max()) + 1
    cell = stratum * 2 + late
    sums: Array = np.bincount(cell, value, strata * 2).astype(float).reshape(strata, 2)
    n: Array = np.bincount(cell, minlength=strata * 2).astype(float).reshape(strata, 2)
    above, below = _contrast(sums, n)
    whole = float(above.sum()), float(below.sum())
    if whole[1] < ROUNDING_ERROR:
        return undefined_estimate(
            "no condition has conversations on both sides of the step", len(value), _STEP.name
        )
    several = np.bincount(person)[person] > 1
    alone = np.flatnonzero(~several)
    side = late[alone].astype(np.intp)
    fewer_sums: Array = sums[stratum[alone]]
    fewer_n: Array = n[stratum[alone]]
    fewer_sums[np.arange(len(alone)), side] -= value[alone]
    fewer_n[np.arange(len(alone)), side] -= 1
    fewer = _contrast(fewer_sums, fewer_n)
    # A person with several is compared with nobody else: their strata go.
    owner, lost = np.unique(np.stack([person[several], stratum[several]]), axis=1)
    _, owner = np.unique(owner, return_inverse=True)
    up = np.concatenate(
        [whole[0] - above[stratum[alone]] + fewer[0], whole[0] - np.bincount(owner, above[lost])]
    )
    down = np.concatenate(
        [whole[1] - below[stratum[alone]] + fewer[1], whole[1] - np.bincount(owner, below[lost])]
    )
    values: Array = np.divide(up, down, out=np.full(len(up), np.nan), where=down > ROUNDING_ERROR)
    return around(whole[0] / whole[1], values, len(value), _STEP)


def _contrast(sums: Array, n: Array) -> tuple[Array, Array]:
    """Of rows of (early, late): weight times difference, and the weight n early * n late / n."""
    whole = np.maximum(n.sum(axis=1), 1)
    return (sums[:, 1] * n[:, 0] - sums[:, 0] * n[:, 1]) / whole, n[:, 0] * n[:, 1] / whole


def without_strictness(people: DriftLevels, rater: IntArray, difference: Array) -> Array:
    """Return `difference` (N,) with each clinician's usual strictness taken out.

    Each entry is judge less the clinician in `rater`; that clinician's effect in level = item + rater,
    fitted to the labels of `people` alone, is added. The mean over all entries stays the same.
    """
    item = numbered(number_pairs(people.unit, people.question))[1].astype(np.int64)
    effects = strictness(
        DatedLevels(item, people.who, people.case, people.level, np.zeros(len(item), dtype=np.int64))
    )
    clinicians, place = numbered(rater)
    own: Array = np.array([effects.get(number, 0.0) for number in clinicians.tolist()], dtype=float)[place]
    brought: Array = difference + own - (float(own.mean()) if len(own) else 0.0)
    return brought
