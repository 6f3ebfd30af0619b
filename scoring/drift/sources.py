"""What moved: the judge, a rater, the mix of cases, or the model under study? On the line of agreement all
four look alike.

Each has a measurement that only it can move. The judge: frozen anchors (judge_movement.py). A rater: the same
units as colleagues (rater_movement.py). The mix of cases: which conditions come when, whatever
anybody says of them. The model: the level of its conversations within their condition, seen by people and by
the judge alike; the larger of both p values (intersection-union test, Berger 1982), so that a judge or a
rater who moves alone is not taken for the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.arrays import Array, IntArray
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.judge_movement import AnchorAnswers, judge_moved
from scoring.drift.kendall import Kendall, kendall
from scoring.drift.rater_movement import DriftLevels, raters_moved

ONE_CONDITION = "all conversations are of one condition, or nothing is known of it"
ONE_MOMENT = "all conversations fall on one day"
NO_JUDGE = (
    "no judge has labelled these conversations, and clinicians' labels alone can't show whether the model "
    "or the raters changed"
)
NO_PEOPLE = (
    "nobody has rated these conversations blind, and the judge's labels alone can't show whether the model "
    "or the judge changed"
)
NO_TIME = "within a condition the conversations all fall on one day, or all have one level"


@dataclass(frozen=True, eq=False)
class ConversationDates:
    """The conversations, arrays of one length. `day`: on the axis that was chosen, NaN where not known.
    `condition`: -1 where not known. `person`: whose it is, as a number; where a person has several, these are
    compared with each other only.
    """

    day: Array
    condition: IntArray
    person: IntArray

    def strata(self, conditions: bool) -> IntArray:
        """Return (N,) a group number per conversation: only conversations of one group may be compared.

        Conversations of a person who has several form a group of their own; all others form one group. With
        `conditions` each group is divided by condition.
        """
        several = np.bincount(self.person)[self.person] > 1
        alone = np.where(several, self.person + 1, 0)
        return alone * (int(self.condition.max(initial=0)) + 2) + self.condition + 1 if conditions else alone


@dataclass(frozen=True, eq=False)
class DriftEvidence:
    """`rated`: the day on which each of the labels of `people` was given, below 0 where not known."""

    cases: ConversationDates
    people: DriftLevels
    rated: IntArray
    judge: DriftLevels
    anchors: AnchorAnswers | None = None


def sources(evidence: DriftEvidence) -> list[Finding]:
    """Return the findings "judge", "raters", "mix" and "model", in this order, not yet corrected for each
    other.
    """
    return [
        judge_moved(evidence.anchors),
        raters_moved(evidence.people, evidence.rated, evidence.cases.person),
        mix_moved(evidence.cases),
        model_moved(evidence),
    ]


def mix_moved(cases: ConversationDates) -> Finding:
    """Test whether some conditions come earlier or later than others (Kruskal and Wallis 1952), as a
    finding "mix".

    `who` is the condition whose days differ most, `direction` 1 where it comes later and -1 where earlier.
    Conversations without day or condition are ignored. `untold`: fewer than two conditions, or only one
    day.
    """
    valued = ~np.isnan(cases.day) & (cases.condition >= 0)
    day, condition = cases.day[valued], cases.condition[valued]
    groups = np.unique(condition)
    if len(groups) < 2:
        return cannot_tell("mix", ONE_CONDITION, len(day))
    if np.ptp(day) == 0:
        return cannot_tell("mix", ONE_MOMENT, len(day))
    p = float(scipy.stats.kruskal(*(day[condition == group] for group in groups)).pvalue)
    rank = scipy.stats.rankdata(day) - (len(day) + 1) / 2
    lean = np.array(
        [rank[condition == group].sum() / np.sqrt((condition == group).sum()) for group in groups]
    )
    most = int(np.abs(lean).argmax())
    return Finding("mix", p, len(day), int(np.sign(lean[most])), who=int(groups[most]))


def model_moved(evidence: DriftEvidence) -> Finding:
    """Test whether levels move over time in the same direction for clinicians and judge, as a finding
    "model".

    Conversations are compared within their condition (`kendall`). `p` is the larger of both p values, and
    1.0 with direction 0 where the directions differ. `untold` where either side has no labels, or all is of
    one day.
    """
    if not len(evidence.people.level):
        return cannot_tell("model", NO_PEOPLE)
    if not len(evidence.judge.level):
        return cannot_tell("model", NO_JUDGE)
    if np.isnan(evidence.cases.day).all() or np.nanmin(evidence.cases.day) == np.nanmax(evidence.cases.day):
        return cannot_tell("model", ONE_MOMENT, len(evidence.cases.day))
    people, judge = (_moves(levels, evidence.cases) for levels in (evidence.people, evidence.judge))
    n = min(people.n, judge.n)
    if people.p is None or judge.p is None:
        return cannot_tell("model", NO_TIME, n)
    if people.direction != judge.direction:
        return Finding("model", 1.0, n)
    return Finding("model", max(people.p, judge.p), n, people.direction)


def _moves(levels: DriftLevels, cases: ConversationDates) -> Kendall:
    """The mean of a conversation's levels, each less the mean of its question, so that a question asked late
    moves nothing.
    """
    asked = np.bincount(levels.question)
    level = (
        levels.level - (np.bincount(levels.question, levels.level) / np.maximum(asked, 1))[levels.question]
    )
    n = np.bincount(levels.case, minlength=len(cases.day))
    mean = np.bincount(levels.case, level, len(cases.day)) / np.maximum(n, 1)
    valued = (n > 0) & ~np.isnan(cases.day)
    return kendall(cases.day[valued], mean[valued], cases.strata(conditions=True)[valued])
