"""Which of the two moved, the judge or the clinicians? Where anchors were answered before the step and
after it, they tell.

The judge's level on an anchor after the step less the same before, over the labels that were answered on both
sides; one conversation is left out at a time. It was the judge where the family names its change on anchors
and its levels went the same way. It was not the judge where the whole interval lies within half of the step:
then most of what moved is not the judge's. Everything between cannot be told.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from scoring.agreement.intervals.additive_counts import ratio
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import ALIKE, jackknife
from scoring.agreement.labels.labels import number_pairs, numbered
from scoring.drift.findings import Finding
from scoring.drift.judge_level import MIN_CONVERSATIONS, ROUNDING_ERROR, LevelStep
from scoring.drift.judge_movement import AnchorAnswers

Mover = Literal["judge", "clinicians", "unknown"]
PART = 0.5  # of the step, within which the judge's own change has to lie for the step to be the clinicians'
_CHANGE = ratio(
    "judge's level on anchors, after the step less before it",
    "no conversation in the locked set was answered both before and after the step",
    low=-1.0,
)


def level_on_anchors(answers: AnchorAnswers, day: int) -> Estimate:
    """Return how much the judge's mean level on anchors changed from before `day` to `day` and after.

    Levels run from 0 to 1. Only labels answered on both sides count; each weighs the same, and `n` counts
    them. The value is None without any.
    """
    valued = ~np.isnan(answers.level)
    labels, label = numbered(number_pairs(answers.conversation, answers.question)[valued])
    late, level = answers.day[valued] >= day, answers.level[valued]
    n = [np.bincount(label[side], minlength=len(labels)) for side in (~late, late)]
    mean = [
        np.bincount(label[side], level[side], len(labels)) / np.maximum(count, 1)
        for side, count in zip((~late, late), n, strict=True)
    ]
    both_sides = (n[0] > 0) & (n[1] > 0)
    conversation = np.zeros(len(labels), dtype=np.int64)
    conversation[label] = answers.conversation[valued]
    talks, talk = numbered(conversation[both_sides])
    moved = (mean[1] - mean[0])[both_sides]
    counts = np.stack(
        [np.bincount(talk, moved, len(talks)), np.bincount(talk, minlength=len(talks))], axis=1
    ).astype(float)
    return jackknife(_CHANGE, counts, int(both_sides.sum()))


def who_moved(
    step: LevelStep, judge: Finding, answers: AnchorAnswers | None
) -> tuple[Mover, Estimate | None]:
    """Return who caused a step, and the judge's own change on the anchors, None where there is none to
    show.

    "judge": its change on anchors is significant and has the step's sign. "clinicians": the whole interval
    of that change lies within half of the step, or at least MIN_CONVERSATIONS (8) conversations show no
    change at all. Else "unknown".

    Args:
        step: the step in the gap between judge and clinicians.
        judge: the finding of `judge_moved`, corrected in its family.
        answers: the judge's answers to anchors, None without anchors.
    """
    if answers is None or step.day is None or step.by is None or step.by.value is None or judge.p is None:
        return "unknown", None
    change, by = level_on_anchors(answers, step.day), step.by.value
    if change.value is None:
        return "unknown", change
    if judge.named:
        return ("judge" if change.value * by > 0 else "unknown"), change
    if change.low is not None and change.high is not None and max(-change.low, change.high) < PART * abs(by):
        return "clinicians", change
    if (
        change.no_interval == ALIKE
        and abs(change.value) < ROUNDING_ERROR
        and (change.conversations or 0) >= MIN_CONVERSATIONS
    ):
        return "clinicians", change
    return "unknown", change
