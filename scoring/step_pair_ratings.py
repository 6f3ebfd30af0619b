"""The Dice coefficient from which on clinicians call two steps the same, from pairs that they rated blind.

The threshold is the one that makes the fewest mistakes against their answers: a pair that they call right and
the threshold leaves out counts as much as one that they call wrong and it matches. Where the chance of
"right" rises with the score, that is the score from which on a pair is rather right than wrong, whatever
share of pairs lies where. The threshold with the highest F1 or Youden index, or from which on a stated share
is right, moves with that share, and which pairs are asked about is chosen by the score
(scoring/step_pair_choice.py).

No threshold is named unless the score tells right pairs from wrong ones of the same conversation: the
rank-biserial correlation (Glass 1966; Cureton 1956), which is 2 AUC - 1, over right and wrong pairs within
conversations, lies above 0 with its interval, a jackknife over conversations. Across conversations it may
rise where within none it does: those with longer words in common may be the better ones. The limits of the
threshold are those thresholds that do not make clearly more mistakes than the best one, by a test that flips
the sign of each conversation's difference (Fisher 1935). What this reaches is measured by `python -m bench
thresholds` and stands in docs/reference_statistics.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import ALIKE, Statistic, jackknife
from scoring.arrays import Array, IntArray
from scoring.step_f1 import THRESHOLD

MIN_RATED_PAIRS = 60  # rated pairs
CANDIDATES = np.arange(30, 102) / 100  # the last: above every score, so that nothing is matched
FLIPS, SEED, FLIPS_PER_BATCH = 1_999, 20_260_101, 200
TAIL = 0.025

PartlyAs = Literal["right", "wrong"]
ALL_RIGHT = "every rated pair counts as right, so there is nothing to tell apart"
ALL_WRONG = "every rated pair counts as wrong, so there is nothing to tell apart"
NOT_SHOWN = (
    "these ratings do not show that, within a conversation, pairs with more words in common are more "
    "often right"
)
INVERTED = "within a conversation, pairs with more words in common are less often right"
NONE_WITHIN = "no conversation has both right and wrong pairs, so there is nothing to rank within one"


@dataclass(frozen=True)
class RatedPair:
    """A pair of steps with the shares of its raters who call it right, and partly right, 0 to 1. `part`:
    whose conversation it is of, as a number from 0.
    """

    part: int
    dice: float
    right: float
    partly: float


@dataclass(frozen=True)
class StepThreshold:
    """`share_right`: of all rated pairs, `order`: the rank-biserial correlation of the score with "right"
    within conversations, -1 to 1. `threshold`: on the scale of the Dice coefficient, or why none is named.
    `mistakes`: pairs on the wrong side of it, None without one, and `mistakes_now`: of the threshold that is
    used; a pair on which raters differ counts in part.
    """

    partly_as: PartlyAs
    pairs: int
    share_right: float
    order: Estimate
    threshold: Estimate
    mistakes: float | None
    mistakes_now: float


def estimate_threshold(
    pairs: Sequence[RatedPair], partly_as: PartlyAs, now: float = THRESHOLD
) -> StepThreshold:
    """Estimate the Dice threshold that best separates pairs that raters call right from the others.

    The caller decides whether there are enough pairs; at least one is needed.

    Args:
        pairs: the rated pairs.
        partly_as: whether "partly right" counts as "right" or "wrong".
        now: the threshold that is used at present.
    """
    dice = np.array([pair.dice for pair in pairs])
    right = np.array([pair.right + (pair.partly if partly_as == "right" else 0.0) for pair in pairs])
    part = np.unique([pair.part for pair in pairs], return_inverse=True)[1]
    order = jackknife(ORDER, _ranked_within(_weights_by_level(dice, right, part)), len(pairs))
    by_part = _mistakes(dice, right, part, CANDIDATES)
    total = by_part.sum(axis=0)
    best = _middle_of_lowest(total)
    reason = _reason(order, right)
    method = "fewest mistakes; sign flips of conversations"
    threshold = (
        Estimate(None, len(pairs), method, reason)
        if reason
        else _with_limits(by_part, best, len(pairs), method)
    )
    return StepThreshold(
        partly_as,
        len(pairs),
        float(right.mean()),
        order,
        threshold,
        None if reason else float(total[best]),
        float(_mistakes(dice, right, part, np.array([now])).sum()),
    )


def _reason(order: Estimate, right: Array) -> str | None:
    """Why no threshold is named; None where the score tells right from wrong."""
    if np.ptp(right) == 0:
        return ALL_RIGHT if right[0] > 0.5 else ALL_WRONG
    if order.value is None:
        return order.undefined
    if order.low is None or order.high is None:
        return INVERTED if order.no_interval == ALIKE and order.value < 0 else order.no_interval
    if order.low > 0:
        return None
    return INVERTED if order.high < 0 else NOT_SHOWN


def _ranked_within(weights: Array) -> Array:
    """(C, 2, K) weights of right and of wrong pairs at each score, ascending, to (C, 2): of right beside
    wrong pairs of one conversation, how many more have the higher score than the lower one, and how many
    there are.
    """
    right, wrong = weights[:, 0], weights[:, 1]
    below = np.cumsum(wrong, axis=-1)
    total = below[:, -1:]
    higher = (right * (below - wrong - (total - below))).sum(axis=-1)
    return np.stack([higher, right.sum(axis=-1) * total[:, 0]], axis=1)


def _share(counts: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(counts[..., 0] / counts[..., 1], dtype=np.float64)


ORDER = Statistic("rank-biserial correlation within conversations", _share, lambda _: NONE_WITHIN)


def _weights_by_level(dice: Array, right: Array, part: IntArray) -> Array:
    """(C, 2, K): by part and distinct score, how much counts as right and how much as wrong."""
    levels, level = np.unique(dice, return_inverse=True)
    shape = int(part.max()) + 1, len(levels)
    cells = part * len(levels) + level
    counted = [np.bincount(cells, weight, shape[0] * shape[1]) for weight in (right, 1 - right)]
    return np.stack([weight.reshape(shape) for weight in counted], axis=1)


def _mistakes(dice: Array, right: Array, part: IntArray, thresholds: Array) -> Array:
    """(C, T): of each part and threshold, pairs on the wrong side."""
    matched = dice[:, None] >= thresholds
    mistakes = np.where(matched, 1 - right[:, None], right[:, None])
    parts = int(part.max()) + 1
    return np.stack([np.bincount(part, column, parts) for column in mistakes.T], axis=1)


def _middle_of_lowest(total: Array) -> int:
    """Of the thresholds that make the fewest mistakes, the one in the middle."""
    lowest = np.flatnonzero(total <= total.min() + 1e-9)
    return int(lowest[np.abs(lowest - np.median(lowest)).argmin()])


def _with_limits(by_part: Array, best: int, n: int, method: str) -> Estimate:
    more = by_part - by_part[:, [best]]
    inside = np.flatnonzero(_p_values(more) >= TAIL)
    return Estimate(
        float(CANDIDATES[best]),
        n,
        method,
        low=float(CANDIDATES[inside[0]]),
        high=float(CANDIDATES[inside[-1]]),
        conversations=len(by_part),
    )


def _p_values(more: Array) -> Array:
    """(T,): the chance of so many more mistakes if the sign of each part's difference (C, T) were a coin's;
    the parts flip together at all thresholds.
    """
    generator = np.random.default_rng(SEED)
    seen = more.sum(axis=0) - 1e-9
    as_many = np.zeros(more.shape[1])
    for first in range(0, FLIPS, FLIPS_PER_BATCH):
        signs = generator.integers(0, 2, size=(min(FLIPS_PER_BATCH, FLIPS - first), len(more))) * 2.0 - 1.0
        as_many += (signs @ more >= seen).sum(axis=0)
    return np.asarray((as_many + 1) / (FLIPS + 1), dtype=np.float64)
