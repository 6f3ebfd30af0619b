"""How much higher a judge labels its own family than clinicians do, on studies whose truth is planted: a judge
without a preference that sees what clinicians see is rarely said to, and a preference that is large is seen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.agreement.judges.self_preference import (
    DIFFERENT_CASES,
    NOT_FOLLOWED,
    OTHER,
    OWN,
    UNKNOWN,
    SelfPreference,
    compare_families,
)
from scoring.agreement.labels.label_data import HumanLabels, JudgeLabels, LabelData
from tests.studies.simulated_families import CELLS, FamilyPlan, count_answers, coverage, finding, simulate

STUDIES = 60
SEES_AS_CLINICIANS = [  # and has no preference
    "no preference",
    "no preference, 12 against 100",
    "own better by 0.5, 200 of each",
    "lenient with all by 0.5, own worse by 0.5",
    "copy of one clinician, own worse by 0.5",
    "20% of labels missing, more where clinicians see failures",
    "9 of 10 of its own by a lenient clinician, 200 of each",
    "YES and NO: no preference",
]


@pytest.mark.parametrize("name", SEES_AS_CLINICIANS)
def test_of_a_judge_without_a_preference_no_difference_is_clear(name: str) -> None:
    counts = count_answers(CELLS[name], STUDIES)
    assert counts["not shown"] >= 53 and counts["higher"] <= 5 and counts["lower"] <= 5  # of 60; 5% expected


@pytest.mark.parametrize(
    ("name", "side", "least"),
    [
        ("prefers its own by 0.3 levels, 200 of each", "higher", 58),
        ("YES and NO: prefers its own (10 points), 200 of each", "higher", 50),
        ("prefers others by 0.3 levels", "lower", 45),
    ],
)
def test_a_preference_is_seen_and_never_the_other_way_round(name: str, side: str, least: int) -> None:
    counts = count_answers(CELLS[name], STUDIES)
    assert counts[side] >= least and counts["lower" if side == "higher" else "higher"] == 0


@pytest.mark.parametrize("judge", ["constant", "random"])
def test_of_a_judge_that_does_not_follow_clinicians_nothing_is_said(judge: str) -> None:
    result = finding(np.random.default_rng(6), FamilyPlan(judge=judge, quality=-0.5))
    assert result.difference.undefined == NOT_FOLLOWED


def test_families_with_different_cases_are_not_compared() -> None:
    result = finding(np.random.default_rng(6), FamilyPlan(200, 200, apart=True, prefers=1.0))
    assert (result.difference.undefined, result.cases) == (DIFFERENT_CASES, 0)


@pytest.mark.parametrize("plan", [FamilyPlan(), FamilyPlan(20, 20), FamilyPlan(ordinal=False)])
def test_the_interval_holds_what_is_true(plan: FamilyPlan) -> None:
    assert coverage(plan, 0.0, 200, seed=3) >= 0.91


def tiny(people: list[list[int]], judge: list[int]) -> LabelData:
    """One criterion of 5 levels; people[rater][unit]; -1: no label of this rater."""
    data, *_ = simulate(np.random.default_rng(1), FamilyPlan(own=len(judge), others=0))
    given = [
        (rater, unit, code) for rater, row in enumerate(people) for unit, code in enumerate(row) if code >= 0
    ]
    rater, unit, code = (np.array(column) for column in zip(*given, strict=True))
    nothing = np.zeros(len(code), dtype=np.int64)
    return replace(
        data,
        given=HumanLabels(nothing, unit, rater, code, nothing, nothing),
        judge=JudgeLabels(np.zeros(len(judge), dtype=np.int64), np.arange(len(judge)), np.array(judge)),
    )


def test_the_number_is_the_one_worked_by_hand() -> None:
    # Cases 0 to 9. Own replies, units 0 to 9: the judge one level above. Others, units 10 to 19: above by one
    # on the even cases. Case 0 has a second reply of others, unit 20, on which it is not above.
    people = [[1, 3] * 10 + [1], [1, 3] * 5 + [1, -1] * 5 + [-1]]
    judge = [2, 4] * 5 + [2, 3] * 5 + [1]
    side = np.array([OWN] * 10 + [OTHER] * 11)
    case = np.concatenate([np.arange(10), np.arange(10), [0]])
    result = compare_families(tiny(people, judge), side, case)
    # Strata of the first clinician: case 0 has 1 against 2 replies, 1 * 2 / 3, and a difference of 1 - 1/2;
    # the four other even ones 0, the five odd ones 1, each with 1 / 2. Of the second: five even ones, 0.
    n = [2 / 3] + [1 / 2] * 9 + [1 / 2] * 5
    difference = [1 / 2] + [0, 0, 0, 0] + [1] * 5 + [0] * 5
    cases = np.array([0, 2, 4, 6, 8, 1, 3, 5, 7, 9, 0, 2, 4, 6, 8])
    weight, levels = np.array(n), np.array(difference) / 4  # four levels are the whole scale
    assert result.cases == 10
    assert result.difference.value == pytest.approx((weight * levels).sum() / weight.sum())
    without = [
        (weight * levels)[cases != number].sum() / weight[cases != number].sum() for number in range(10)
    ]
    error = np.sqrt(9 / 10 * ((np.array(without) - np.mean(without)) ** 2).sum())
    assert result.difference.high is not None and result.difference.value is not None
    assert result.difference.high - result.difference.value == pytest.approx(2.262157 * error, rel=1e-5)


def test_too_few_cases_with_both_are_a_reason() -> None:
    data = tiny([[1, 3] * 10], [2, 4] * 10)
    side = np.array([OWN] * 9 + [UNKNOWN] + [OTHER] * 10)
    result = compare_families(data, side, np.concatenate([np.arange(10), np.arange(10)]))
    assert result.cases == 9 and str(result.difference.undefined).startswith("only 9 of at least 10 cases")


def test_labels_of_who_labelled_one_side_alone_say_nothing() -> None:
    judge, side = [2, 4] * 5 + [2, 3] * 5, np.array([OWN] * 10 + [OTHER] * 10)
    case = np.concatenate([np.arange(10), np.arange(10)])
    both = [[1, 3] * 10, [3, 1] * 10]
    alone = compare_families(tiny([*both, [4] * 10 + [-1] * 10], judge), side, case)
    assert alone.difference == compare_families(tiny(both, judge), side, case).difference


def test_replies_whose_case_is_unknown_are_compared_with_none() -> None:
    people, judge = [[1, 3] * 10 + [1, 1]], [2, 4] * 5 + [2, 3] * 5 + [4, 1]
    side = np.array([OWN] * 10 + [OTHER] * 10 + [OWN, OTHER])
    case = np.concatenate([np.arange(10), np.arange(10)])
    without_unknown = compare_families(tiny([people[0][:20]], judge[:20]), side[:20], case)
    with_unknown = compare_families(tiny(people, judge), side, np.append(case, [-1, -1]))
    assert with_unknown == without_unknown


def test_cases_are_counted_where_persons_are_left_out_one_at_a_time() -> None:
    """20 cases of 10 persons, then of 9, which are too few."""
    people, judge = [[1, 3] * 20], [2, 4] * 10 + [2, 3] * 9 + [2, 4]
    side, case = np.array([OWN] * 20 + [OTHER] * 20), np.concatenate([np.arange(20), np.arange(20)])
    data = tiny(people, judge)

    def result(persons: int) -> SelfPreference:
        return compare_families(replace(data, units=replace(data.units, part=case % persons)), side, case)

    assert (result(10).cases, result(10).difference.conversations) == (20, 10)
    assert result(9).cases == 20
    assert str(result(9).difference.undefined).startswith(
        "only 9 of at least 10 persons have replies of both"
    )
