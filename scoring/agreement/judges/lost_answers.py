"""Does the judge fail to answer just where it matters? Its failures beside what clinicians said of the same
conversations.

A judge that gives no label on the hard units looks good on the rest. So conversations with a failure to
answer are compared with the others: Fisher's exact test of whether they are more often those in which
clinicians saw a failure, or on an ordered scale with more than two levels, those that clinicians placed below
the middle of the study. The same test is made of units for which the judge has no row at all: a judge that
labelled a planned half passes it, a judge whose hard units were lost on the way does not. And of units on
which it says "does not apply" while most clinicians give a level: that is a label, and it hides a failure as
well as none does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.labels.label_data import Arm, LabelData, Question
from scoring.agreement.labels.labels import Labels, numbered
from scoring.arrays import Array, IntArray

# Fisher's exact test stays well below its level, and it only withholds a "yes": at 0.01, judges that were
# silent on twice as many failures as passes got one in half of the studies.
SURE = 0.05
MIN_UNANSWERED = 3  # conversations with a failure to answer


@dataclass(frozen=True)
class LossTest:
    """`table`: conversations without an answer, and the others, in rows; in columns those that clinicians
    thought badly of, and the others. `p`: one-sided, that the two go together; None where there is nothing to
    test.
    """

    table: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    p: float | None = None

    @property
    def together(self) -> bool:
        """Whether the judge is silent where clinicians think badly of the conversation."""
        return self.p is not None and self.p < SURE and sum(self.table[0]) >= MIN_UNANSWERED


@dataclass(frozen=True)
class LostAnswers:
    """Units with a clinician's label: `labelled` by the judge, `failed` where it was asked and gave no label,
    and `absent` where it has no row. `failures`, `absences`: whether these lie where clinicians think badly
    of the conversation; `evasions`: whether those do on which it says "does not apply" and most clinicians
    give a level.
    """

    labelled: int
    failed: int
    absent: int = 0
    failures: LossTest = LossTest()
    absences: LossTest = LossTest()
    evasions: LossTest = LossTest()

    @property
    def share(self) -> float:
        """Of the units on which the judge was asked, without a label; 0 where it was asked of none."""
        return self.failed / (self.labelled + self.failed) if self.failed else 0.0

    @property
    def rated(self) -> int:
        """All units with a clinician's label."""
        return self.labelled + self.failed + self.absent

    @property
    def together(self) -> bool:
        """Tell whether any of the three tests finds the judge silent where clinicians think badly."""
        return self.failures.together or self.absences.together or self.evasions.together


def compare_lost_answers(
    material: LabelData, number: int, arm: Arm = "blind", without: frozenset[int] = frozenset()
) -> LostAnswers:
    """Count on how many units the judge gave no label to one criterion, and test whether these are bad
    ones.

    Args:
        material: labels of clinicians and judge.
        number: position of the criterion in `material.questions`.
        arm: which labels of clinicians count.
        without: raters whose labels are left out.

    Returns:
        Counts of units that a clinician labelled, and three tests; a test without any such unit has p None.
    """
    labels, judge = (
        material.labels_without_rule(number, arm).leave_out(without),
        material.judge_labels(number),
    )
    failed = np.array(
        [unit for question, unit, _ in material.judge.failed if question == number], dtype=np.int64
    )
    names = numbered(labels.unit)[0]
    answered = np.isin(names, judge.unit)
    lost = np.isin(names, failed) & ~answered
    absent = ~(answered | lost)
    question = material.questions[number]
    evaded = np.isin(names, _find_evaded(question, labels, judge))
    return LostAnswers(
        int(answered.sum()),
        int(lost.sum()),
        int(absent.sum()),
        _test_loss(question, labels, names[lost], names[answered]),
        _test_loss(question, labels, names[absent], names[answered]),
        _test_loss(question, labels, names[evaded], names[answered & ~evaded]),
    )


def _find_evaded(question: Question, labels: Labels, judge: Labels) -> IntArray:
    """Units on which the judge says "does not apply", and most clinicians give a level."""
    if question.not_applicable is None or question.invalid:
        return np.zeros(0, dtype=np.int64)
    names, place = numbered(labels.unit)
    given = np.bincount(place, weights=labels.code < len(question.levels)) * 2 > np.bincount(place)
    dodged = judge.unit[judge.code == question.domain.index(question.not_applicable)]
    return names[given & np.isin(names, dodged)]


def _test_loss(question: Question, labels: Labels, lost: IntArray, answered: IntArray) -> LossTest:
    """Whether the units `lost` lie in worse conversations than the units `answered`."""
    if not len(lost):
        return LossTest()
    asked = labels.where(np.isin(labels.unit, np.concatenate([lost, answered])))
    parts, place = numbered(asked.part)
    unanswered = np.zeros(len(parts), dtype=bool)
    unanswered[place[np.isin(asked.unit, lost)]] = True
    badly = _badly(question, asked, len(parts), place.astype(np.int64))
    valued = ~np.isnan(badly)
    first, second = unanswered[valued], badly[valued] > 0
    cells = tuple((int((row & second).sum()), int((row & ~second).sum())) for row in (first, ~first))
    table = (cells[0], cells[1])
    if first.all() or not first.any():
        return LossTest(table)
    return LossTest(table, float(scipy.stats.fisher_exact(table, alternative="greater").pvalue))


def _badly(
    question: Question, labels: Labels, parts: int, place: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> Array:
    """Of each conversation: 1 where clinicians thought badly of it, 0 where not, NaN where all of it does not
    apply.
    """
    values = np.full(len(question.domain), np.nan)
    values[: len(question.levels)] = question.scale
    level = values[labels.code]
    valued = ~np.isnan(level)
    failing = np.isin(labels.code, list(question.failing))
    sums, counts = (
        np.bincount(place[valued], weights=level[valued], minlength=parts),
        np.bincount(place[valued], minlength=parts),
    )
    mean = np.divide(sums, counts, out=np.full(parts, np.nan), where=counts > 0)
    if question.ordinal and len(question.levels) > 2:
        return np.where(np.isnan(mean), np.nan, mean < np.nanmedian(mean)) if valued.any() else mean
    most = np.bincount(place, weights=failing, minlength=parts) * 2 > np.bincount(place, minlength=parts)
    return most.astype(float)
