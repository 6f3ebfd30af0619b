"""The judge's level beside the clinicians': a planted step is named with its day, size and way, and nothing
else is taken for one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from scoring.agreement.intervals.estimate import Estimate
from scoring.drift.findings import Finding, cannot_tell
from scoring.drift.judge_level import LevelPairs, LevelStep, level_by_period, level_step, without_strictness
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.level_on_anchors import level_on_anchors, who_moved
from scoring.drift.rater_movement import DriftLevels
from scoring.drift.sources import ConversationDates
from tests.studies.simulated_levels import CHANGES, TOP, LevelStudy, cells, simulate_levels

pytestmark = pytest.mark.slow

CELLS = {cell.title: cell for cell in cells()}
STUDIES = 60


@cache
def studies(title: str) -> list[LevelStudy]:
    return [simulate_levels(CELLS[title], number) for number in range(STUDIES)]


def named(title: str, kind: str = "level") -> int:
    return sum(kind in one.named for one in studies(title))


@pytest.mark.parametrize(
    "title",
    [
        "judge 0.65 lower from week 12 on",
        "the same, all of a week on one day",
        "0.65 lower from week 12 on, 15 % left out",
    ],
)
def test_a_drop_of_a_judge_is_named_with_its_week_its_way_and_its_size(title: str) -> None:
    right = [study for study in studies(title) if "level" in study.named]
    assert len(right) >= 0.9 * STUDIES
    assert all(
        next(finding for finding in study.findings if finding.kind == "level").direction == -1
        for study in right
    )
    weeks = [(study.step.day or 0) // 7 for study in right]
    assert np.median(weeks) == CHANGES and np.mean([abs(week - CHANGES) <= 1 for week in weeks]) > 0.7
    sizes = [TOP * (study.step.by.value or 0.0) for study in right if study.step.by]
    assert -0.75 < np.mean(sizes) < -0.5
    assert (
        np.mean(
            [
                study.step.by.low * TOP < -0.6 < study.step.by.high * TOP
                for study in right
                if study.step.by and study.step.by.low and study.step.by.high
            ]
        )
        > 0.75
    )


def test_a_rise_is_named_the_other_way() -> None:
    ways = [
        next(found for found in one.findings if found.kind == "level")
        for one in studies("judge 0.65 higher from week 12 on")
    ]
    assert sum(one.named and one.direction == 1 for one in ways) >= 0.9 * STUDIES


@pytest.mark.parametrize(
    "title",
    [
        "nothing planted",
        "nothing planted, good and bad days (sd 0.3)",
        "nothing planted, 8 weeks of 4, one question",
    ],
)
def test_where_nothing_is_planted_the_whole_family_hardly_speaks(title: str) -> None:
    assert sum(bool(one.named) for one in studies(title)) <= 0.08 * STUDIES


@pytest.mark.parametrize(
    "title",
    [
        "another mix only: the harder from 15 % to 85 %",
        "a judge that always gives the middle level",
        "a judge that draws by lot",
        "a judge that leaves out half of its lowest labels",
    ],
)
def test_what_is_no_move_of_the_judge_is_not_named(title: str) -> None:
    assert named(title) <= 0.06 * STUDIES
    assert "mix" not in title or named(title, "mix") >= 0.9 * STUDIES


def test_a_judge_and_clinicians_move_apart_where_a_clinician_moved() -> None:
    title = "one clinician 0.8 stricter from week 12 on"
    assert named(title, "raters") >= 0.8 * STUDIES and named(title) >= 0.2 * STUDIES


def pairs(
    difference: list[float], condition: list[int] | None = None, person: list[int] | None = None
) -> tuple[LevelPairs, ConversationDates]:
    """A conversation a day, one question."""
    count = len(difference)
    at = np.arange(count)
    persons = np.array(person if person is not None else range(count))
    return (
        LevelPairs(
            at, np.zeros(count, dtype=np.int64), at, persons, at // 7, np.array(difference), np.ones(count)
        ),
        ConversationDates(
            at.astype(float), np.array(condition if condition is not None else [0] * count), persons
        ),
    )


def test_the_size_of_a_step_and_its_interval_are_those_of_leaving_out_by_hand() -> None:
    rng = np.random.default_rng(4)
    condition, person = rng.integers(0, 2, 40).tolist(), [*range(30), *([30] * 5), *([31] * 5)]
    value = rng.normal(0, 0.1, 40) - 0.5 * (np.arange(40) >= 25)
    some, cases = pairs(value.tolist(), condition, rng.permutation(person).tolist())
    step = level_step(some, cases)
    assert step.day == 25 and step.by is not None and step.by.error is not None
    stratum, late = cases.strata(conditions=True), np.arange(40) >= 25
    centred = value - value.mean()

    def size(keep: np.ndarray) -> float:
        columns = np.stack(
            [
                *((stratum == stratum_number).astype(float) for stratum_number in np.unique(stratum)),
                late.astype(float),
            ],
            axis=1,
        )[keep]
        return float(np.linalg.lstsq(columns, centred[keep], rcond=None)[0][-1])

    assert step.by.value == pytest.approx(size(np.ones(40, dtype=bool)))
    without = np.array([size(cases.person != owner) for owner in np.unique(cases.person)])
    count = len(without)
    assert step.by.error == pytest.approx(
        np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum())
    )


def test_another_mix_alone_is_a_step_only_where_conditions_are_not_known() -> None:
    rng = np.random.default_rng(7)
    condition = (rng.random(90) < np.linspace(0.05, 0.95, 90)).astype(int)
    value = (-0.4 * condition + rng.normal(0, 0.15, 90)).tolist()
    assert (level_step(*pairs(value)).p or 0) < 0.001 and (
        level_step(*pairs(value, condition.tolist())).p or 0
    ) > 0.05


def test_a_question_that_is_asked_late_is_no_step() -> None:
    at = np.arange(40)
    late = at >= 20
    some = LevelPairs(
        at,
        late.astype(np.int64),
        at,
        at,
        at // 7,
        np.where(late, -0.5, 0.2) + np.tile([0.01, -0.01], 20),
        np.ones(40),
    )
    assert (
        level_step(some, ConversationDates(at.astype(float), np.zeros(40, dtype=np.int64), at)).p or 0
    ) > 0.5


def test_a_strict_clinician_who_joins_late_is_no_other_judge() -> None:
    rng = np.random.default_rng(5)
    case = rng.normal(0.5, 0.1, 60)
    at = np.repeat(np.arange(60), 2)
    rater = np.stack([np.ones(60), np.where(np.arange(60) < 30, 2, 3)], axis=1).astype(np.int64).ravel()
    level = np.clip(case[at] + np.array([0, 0, 0.2, -0.2])[rater] + rng.normal(0, 0.02, 120), 0, 1)
    people = DriftLevels(rater, at, np.zeros(120, dtype=np.int64), at, level)
    plain = case[at] - level
    allowed = without_strictness(people, rater, plain)
    assert (
        abs(plain[at < 30].mean() - plain[at >= 30].mean())
        > 0.15
        > 0.03
        > abs(allowed[at < 30].mean() - allowed[at >= 30].mean())
    )
    assert allowed.mean() == pytest.approx(plain.mean())


def test_a_unit_of_two_clinicians_counts_once_in_its_period() -> None:
    some = LevelPairs(
        np.array([0, 0, 1, 2]),
        np.zeros(4, dtype=np.int64),
        np.array([0, 0, 1, 2]),
        np.array([0, 0, 1, 2]),
        np.array([0, 0, 0, 2]),
        np.array([0.5, 0.25, 0.0, -1.0]),
        np.ones(4),
    )
    first, gap, last = level_by_period(some, 3)
    assert first.value == pytest.approx((0.375 + 0) / 2) and (first.n, first.conversations) == (2, 2)
    assert gap.value is None and last.value == -1.0 and last.low is None


def test_what_cannot_be_told_says_why() -> None:
    few = level_step(*pairs([0.1, -0.1] * 3))
    assert (
        few.p is None and "only 6 conversations" in (few.untold or "") and few.finding().untold == few.untold
    )
    some, cases = pairs([0.1, -0.1] * 10)
    assert level_step(some, replace(cases, day=np.zeros(20))).untold == "all conversations fall on one day"
    assert "only 2 days" in (level_step(some, replace(cases, day=np.repeat([0.0, 9.0], 10))).untold or "")
    assert level_step(*pairs([0.25] * 20)).p == 1.0
    nothing = np.zeros(0, dtype=np.int64)
    assert (
        level_step(LevelPairs(nothing, nothing, nothing, nothing, nothing, np.zeros(0), np.zeros(0)), cases).p
        is None
    )


def answers(late: list[float]) -> AnchorAnswers:
    """A conversation each; 0.75 before day 50, then `late`."""
    count = len(late)
    talk, day = np.tile(np.arange(count), 2), np.repeat([10, 60], count)
    return AnchorAnswers(
        talk,
        np.zeros(2 * count, dtype=np.int64),
        day,
        np.array([0.75] * count + late),
        np.ones(2 * count, dtype=bool),
    )


STEP = LevelStep(0.001, 100, 50, Estimate(-0.2, 100, "step", low=-0.25, high=-0.15), 0.0, -0.2)
CHANGED = Finding("judge", 0.001, 12, -1, corrected=0.002, what="level")
STEADY = Finding("judge", 1.0, 12, corrected=1.0)


@pytest.mark.parametrize(
    ("late", "judge", "mover"),
    [
        ([0.5, 0.75] * 6, CHANGED, "judge"),
        ([1.0, 0.75] * 6, CHANGED, "unknown"),
        ([0.75] * 12, STEADY, "clinicians"),
        ([0.75] * 7, STEADY, "unknown"),
        ([0.75] * 11 + [0.7], STEADY, "clinicians"),
        ([0.25, 1.0] * 6, STEADY, "unknown"),
        ([0.75] * 12, cannot_tell("judge", "none"), "unknown"),
    ],
)
def test_anchors_tell_who_moved_or_say_that_they_cannot(
    late: list[float], judge: Finding, mover: str
) -> None:
    assert who_moved(STEP, judge, answers(late))[0] == mover


def test_anchors_on_one_side_of_the_step_tell_nothing() -> None:
    some = answers([0.5] * 12)
    assert who_moved(STEP, CHANGED, replace(some, day=np.full(24, 10)))[0] == "unknown"
    assert who_moved(STEP, CHANGED, None) == ("unknown", None)
    assert level_on_anchors(some, 50).value == pytest.approx(-0.25)
