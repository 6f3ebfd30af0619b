"""Thresholds that turn a score into a label: fitted on labels that are known, kept in a file with what they
were fitted on.

Cuts between the levels are those with the least sum of |level given - level known| over the labels that were
learned from (ordinal threshold regression with absolute loss; found exactly by dynamic programming). Seed
"Plan-Output Alignment": thresholding a continuous score into bins "requires calibration data".
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from pydantic import Field, ValidationError

from scoring.arrays import Array, IntArray, Mask
from scoring.bad_input import BadInput
from scoring.confidence import ALPHA
from scoring.instruments import Strict

MIN_LABELS = 10  # labels of a criterion to learn from
TOO_FEW_LABELS = "only {n} settled labels to learn from; at least {least} are needed"
ONE_LABEL = "all {n} settled labels that it could learn from are {label}"
TELLS_NOTHING = (
    "on labels that it had not seen, its scores are not shown to tell more than always saying {label}"
)
FOLDS = 10


class CriterionCuts(Strict):
    """`labels` from the lowest level to the highest; `cuts[i]`: the least score of `labels[i + 1]`.
    `learned`: from how many labels; `right`: how many of these cuts give that were fitted without them
    (cross-validation), `commonest`: how many always saying the commonest gives.
    """

    labels: tuple[str, ...] = Field(min_length=2)
    cuts: tuple[float, ...]
    learned: int = Field(ge=1)
    right: int = Field(ge=0)
    commonest: int = Field(ge=0)

    def label(self, score: float) -> str:
        """Return the label of a score: the one whose cuts it reaches."""
        return self.labels[sum(score >= cut for cut in self.cuts)]


class ClassifierThresholds(Strict):
    """`learned_from`: keys of the conversations whose labels were learned from; the judge says nothing of
    them. `not_fitted`: criteria that it does not judge, with the reason.
    """

    study: str
    instrument: str
    model: str
    criteria: dict[str, CriterionCuts]
    not_fitted: dict[str, str]
    learned_from: tuple[str, ...]

    def body(self) -> str:
        """Return the JSON text of the file."""
        return json.dumps(self.model_dump(mode="json"), indent=1, sort_keys=True)

    @property
    def file_name(self) -> str:
        """Return the name of the file, which contains a hash of `body`, so that other thresholds are
        another judge.
        """
        return f"thresholds-{self.study}-{_digest(self.body())}.json"


@dataclass(frozen=True)
class FittedCriterion:
    """Exactly one of `cuts` and `reason`."""

    cuts: CriterionCuts | None
    reason: str | None


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8")).hexdigest()[:12]


def read_thresholds(path: Path) -> ClassifierThresholds:
    """Return the thresholds in a file that `second-reader fit` wrote.

    Raises:
        BadInput: the file can't be read, was changed after it was written, or holds something else.
    """
    try:
        body = path.read_text(encoding="utf-8")
        thresholds = ClassifierThresholds.model_validate_json(body)
    except (OSError, UnicodeDecodeError, ValidationError):
        raise BadInput("thresholds", f"{path} cannot be read; second-reader fit writes it anew") from None
    if _digest(body) not in path.name:
        raise BadInput("thresholds", f"{path.name} was changed after it was written; fit the judge again")
    return thresholds


def fit_criterion(
    scores: Sequence[float], levels: Sequence[int], labels: Sequence[str], parts: Sequence[int] | None = None
) -> FittedCriterion:
    """Fit cuts between the labels, or return the reason why there are none.

    There are none with fewer than MIN_LABELS (10) labels, with one label only, or where the gain over
    always saying the commonest label is not shown to lie above 0 in cross-validation.

    Args:
        scores: one number per label.
        levels: the position of each label in `labels`.
        labels: the scale, from the lowest to the highest.
        parts: the conversation or person of each, which are left out together; by default each its own.

    Raises:
        BadInput: the lists differ in length.
    """
    parts = range(len(levels)) if parts is None else parts
    if not len(scores) == len(levels) == len(parts):
        raise BadInput("levels", "expected one for each score")
    if len(scores) < MIN_LABELS:
        return FittedCriterion(None, TOO_FEW_LABELS.format(n=len(scores), least=MIN_LABELS))
    common_level, commonest = Counter(levels).most_common(1)[0]
    if commonest == len(levels):
        return FittedCriterion(None, ONE_LABEL.format(n=len(levels), label=labels[common_level]))
    levels_known, place = np.asarray(levels), np.unique(np.asarray(parts), return_inverse=True)[1]
    right = _cross_validated(np.asarray(scores, dtype=float), levels_known, place, len(labels))
    gain = right.astype(float) - (levels_known == common_level)
    gains = np.bincount(place, gain)  # of each conversation or person
    error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else np.inf
    if gains.mean() <= scipy.special.stdtrit(max(len(gains) - 1, 1), 1 - ALPHA / 2) * error:
        return FittedCriterion(None, TELLS_NOTHING.format(label=labels[common_level]))
    cuts = best_cuts(np.asarray(scores, dtype=float), levels_known, len(labels))
    return FittedCriterion(
        CriterionCuts(
            labels=tuple(labels),
            cuts=cuts,
            learned=len(scores),
            right=int(right.sum()),
            commonest=commonest,
        ),
        None,
    )


def _cross_validated(scores: Array, levels: IntArray, place: IntArray, count: int) -> Mask:
    """Which labels are right by cuts that were learned without every tenth part."""
    right = np.zeros(len(levels), dtype=bool)
    for fold in range(FOLDS):
        left_out = place % FOLDS == fold
        if left_out.all():
            continue
        cuts = best_cuts(scores[~left_out], levels[~left_out], count)
        given = (scores[left_out][:, None] >= np.array(cuts)).sum(axis=1)
        right[left_out] = given == levels[left_out]
    return right


def best_cuts(scores: Array, levels: Array, count: int) -> tuple[float, ...]:
    """Return the ascending cuts between `count` levels with the least sum of absolute differences in
    levels.

    Of several such cuts, the lowest. A cut lies half way between two scores, or is infinite where a level
    is never given.

    Args:
        scores: (N,).
        levels: (N,), the level of each score, from 0.
        count: number of levels; the result has one entry fewer.
    """
    order = np.argsort(scores, kind="stable")
    ranked, settled = scores[order], levels[order]
    places = [0, *(np.flatnonzero(np.diff(ranked) > 0) + 1).tolist(), len(ranked)]
    # loss[level][place]: of giving `level` to everything before a place.
    losses = [
        np.concatenate([[0], np.cumsum(np.abs(settled - level))])[places].astype(float)
        for level in range(count)
    ]
    best, cut_before = losses[0], []
    for level in range(1, count):
        # The cut is at `place`: below it the best of the lower levels, from there on this level.
        gain = best - losses[level]
        lowest = np.minimum.accumulate(gain)
        is_new = np.concatenate([[True], gain[1:] < lowest[:-1]])
        first = np.maximum.accumulate(np.where(is_new, np.arange(len(places)), 0))
        cut_before.append(first)
        best = lowest + losses[level]
    end, cuts = len(places) - 1, []
    for first in reversed(cut_before):
        end = int(first[end])
        cuts.append(_between(ranked, places[end]))
    return tuple(reversed(cuts))


def _between(ranked: Array, place: int) -> float:
    if place == 0:
        return float("-inf")
    if place == len(ranked):
        return float("inf")
    return float((ranked[place - 1] + ranked[place]) / 2)
