"""Did the judge move? On anchor conversations, whose labels are settled and which never change, nothing else
can.

Each conversation gives one direction: whether the judge's levels there rise or fall with time, question by
question (least squares on the day, the sum over questions, each around its own means, so that an answer that
failed once does not count as a change). Over conversations the exact sign test of risers against fallers,
which asks nothing of how the levels are spread. The same of "is the settled label"; the smaller of both p
values times two (Bonferroni).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.agreement.labels.labels import number_pairs, numbered
from scoring.agreement.significance_tests.mcnemar import sign_test
from scoring.arrays import Array, IntArray, Mask
from scoring.drift.findings import Finding, cannot_tell

NONE_YET = "there is no locked set of conversations yet; lock one under \u201cThe judge\u201d"
ONE_DAY = "no conversation in the locked set was answered on more than one day; have the set answered again"
ROUNDING_ERROR = 1e-9


@dataclass(frozen=True, eq=False)
class AnchorAnswers:
    """Answers of the judge to anchor conversations, one entry an answer, arrays of one length. `day`: since
    1970-01-01. `level`: from 0 to 1, NaN where the answer has no place in an order. `right`: whether it is
    the settled label.
    """

    conversation: IntArray
    question: IntArray
    day: IntArray
    level: Array
    right: Mask


def judge_moved(answers: AnchorAnswers | None) -> Finding:
    """Test whether the judge's answers to anchors changed over time, as a finding of kind "judge".

    `p` is the smaller of two exact sign tests over conversations (levels; settled label given), times two.
    `what` names the test that gave it. Without answers, or where nothing was answered on more than one day,
    `p` is None and `untold` says why.
    """
    if answers is None or not len(answers.day):
        return cannot_tell("judge", NONE_YET)
    asked = len(np.unique(answers.conversation))
    if not (_lean(answers, answers.level)[1] | _lean(answers, answers.right.astype(float))[1]).any():
        return cannot_tell("judge", ONE_DAY, asked)
    tests = []
    for what, values in (("level", answers.level), ("right", answers.right.astype(float))):
        lean, again = _lean(answers, values)
        if again.any():
            up, down = int((lean > ROUNDING_ERROR).sum()), int((lean < -ROUNDING_ERROR).sum())
            p = sign_test(up, down)
            tests.append(
                (1.0 if p is None else p, what, up, down, int(again.sum()))
            )  # where no answer ever changed, the judge did not
    p, what, up, down, n = min(tests, key=lambda test: test[0])
    return Finding(
        "judge", min(1.0, p * len(tests)), n, (up > down) - (up < down), what=what, up=up, down=down
    )


def _lean(answers: AnchorAnswers, values: Array) -> tuple[Array, Mask]:
    """(C,) for each conversation the sum over its questions of day times value, each less its mean, and
    whether any was answered on two days.
    """
    talks, talk = numbered(answers.conversation)
    valued = ~np.isnan(values)
    both = number_pairs(answers.conversation, answers.question)
    cells, cell = numbered(both[valued])
    day, value = answers.day[valued].astype(float), values[valued]
    n = np.maximum(np.bincount(cell, minlength=len(cells)), 1)
    day = day - (np.bincount(cell, day, len(cells)) / n)[cell]
    value = value - (np.bincount(cell, value, len(cells)) / n)[cell]
    lean: Array = np.bincount(talk[valued], day * value, len(talks)).astype(float)
    return lean, np.bincount(talk[valued], day**2, len(talks)) > ROUNDING_ERROR
