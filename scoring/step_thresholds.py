"""Step-F1 as it would be with other thresholds: how much rests on the choice of 0.6.

Seed "Step-F1", which asks for the threshold to be justified. In `published` matching every model step takes
its best gold step, whatever the threshold, and a gold text keeps one model step. So at any threshold as many
pairs are met as there are gold texts whose best taker reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.arrays import Array, IntArray
from scoring.drift.average_curves import MEAN, sums_by_part
from scoring.step_f1 import best_partners, f1_of_counts, normalise

THRESHOLDS = tuple(percent / 100 for percent in range(30, 91, 5))

_MEAN_F1 = replace(MEAN, name="mean Step-F1 over conversations, delete-one jackknife", low=0.0, high=1.0)


def f1_by_threshold(
    model_steps: Sequence[str], gold_steps: Sequence[str], thresholds: Sequence[float] = THRESHOLDS
) -> list[float] | None:
    """Return Step-F1, 0 to 1, at each threshold in "published" matching; None where either list is empty."""
    if not model_steps or not gold_steps:
        return None
    highest: dict[str, float] = {}
    for pair in best_partners(model_steps, gold_steps, min(thresholds)):
        text = normalise(gold_steps[pair.gold])
        highest[text] = max(pair.dice, highest.get(text, 0.0))
    return [
        f1_of_counts(sum(dice >= threshold for dice in highest.values()), len(model_steps), len(gold_steps))
        for threshold in thresholds
    ]


def mean_f1(f1: Array, part: IntArray) -> list[Estimate]:
    """Return, for each of T thresholds, the mean F1 over conversations with its interval.

    Args:
        f1: (C, T), NaN for none.
        part: (C,), the person of each conversation, so that those of one person are left out together.
    """
    estimates = []
    for column in f1.T:
        counts = sums_by_part(column, part)
        estimates.append(jackknife(_MEAN_F1, counts, int(counts[:, 1].sum())))
    return estimates
