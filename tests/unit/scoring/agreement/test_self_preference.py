"""Whether a judge prefers replies of its own family, on studies whose truth is planted: what is no preference
is not called one, and one that is large enough is seen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.agreement import family_differences
from scoring.agreement.family_differences import (
    JUDGE,
    NOT_BOTH,
    OTHER,
    OWN,
    PAIRS,
    UNKNOWN,
    FamilyDifference,
    family_difference,
    family_tables,
)
from scoring.agreement.label_data import HumanLabels, JudgeLabels, LabelData
from scoring.agreement.self_preference import FOLLOWS_NOT, compare_families
from scoring.arrays import IntArray
from tests.simulated_families import CELLS, FamilyPlan, count_answers, coverage, simulate

STUDIES = 60
PREFERS = [name for name in CELLS if "prefers" in name]
INNOCENT = [name for name in CELLS if "prefers" not in name]


@pytest.mark.parametrize("name", INNOCENT)
def test_what_is_no_preference_is_not_called_one(name: str) -> None:
    counts = count_answers(CELLS[name], STUDIES)
    assert counts["prefers_own"] <= 5 and counts["prefers_others"] <= 5  # of 60; 2 percent expected


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("prefers its own by 0.3 levels", 34),
        ("prefers its own by 0.3 levels, 200 of each", 52),
        ("YES and NO: prefers its own (10 points), 200 of each", 52),
    ],
)
def test_a_preference_is_seen_and_never_the_other_way_round(name: str, least: int) -> None:
    counts = count_answers(CELLS[name], STUDIES)
    assert counts["prefers_own"] >= least and counts["prefers_others"] == 0


def test_a_preference_for_others_is_seen_too() -> None:
    counts = count_answers(CELLS["prefers others by 0.3 levels"], STUDIES)
    assert counts["prefers_others"] >= 34 and counts["prefers_own"] == 0


@pytest.mark.parametrize("judge", ["constant", "random"])
def test_of_a_judge_that_does_not_follow_clinicians_nothing_is_said(judge: str) -> None:
    rng = np.random.default_rng(6)
    (finding,) = compare_families(*simulate(rng, FamilyPlan(judge=judge, quality=-0.5)))
    assert finding.answer == "cannot_tell" and finding.reason == FOLLOWS_NOT and finding.p is None


@pytest.mark.parametrize("plan", [FamilyPlan(), FamilyPlan(persons=True), FamilyPlan(ordinal=False)])
def test_the_interval_holds_what_is_true(plan: FamilyPlan) -> None:
    assert coverage(plan, 0.0, 200, seed=3) >= 0.91


def tiny(people: list[list[int]], judge: list[int]) -> LabelData:
    """One criterion of 5 levels; people[rater][unit]; -1: no label of this rater."""
    data, _ = simulate(np.random.default_rng(1), FamilyPlan(own=len(judge), others=0))
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


def test_the_numbers_are_those_worked_by_hand() -> None:
    # Own family: units 0 to 9, the judge one level above; others: units 10 to 19, half of them one above.
    # Of those, the second clinician labels only the half on which the judge is one above.
    people = [[1, 3] * 10, [1, 3] * 5 + [1, -1] * 5]
    judge = [2, 4] * 5 + [2, 3] * 5
    side = np.array([OWN] * 10 + [OTHER] * 10)
    data = tiny(people, judge)
    difference = family_difference(family_tables(data, [0], side), np.arange(5.0))
    assert (difference.own.parts, difference.own.pairs, difference.own.gap) == (10, 20, 1.0)
    # A unit with both labels counts half for each. First: 1 less 2.5 / 7.5, weighing 5 * 7.5 / 12.5 = 3;
    # second: 1 less 1, weighing 5 * 2.5 / 7.5 = 5 / 3.
    assert (difference.others.parts, difference.others.pairs) == (10, 15)
    assert difference.others.gap == pytest.approx((3 / 3 + 5 / 3) / (3 + 5 / 3))
    assert difference.difference.value == pytest.approx(2 / (3 + 5 / 3))
    # First: label 1: 2 and 2; label 3: 4 and 3, weighing 2.5 * 5 / 7.5 and, of the first label, 2.5 * 2.5 / 5;
    # second: label 1 alone is on both sides: 2 and 2, 2.5 * 2.5 / 5.
    assert difference.alike.value == pytest.approx((5 / 3) / (5 / 3 + 1.25 + 1.25))
    # First: mean label 2 less (2.5 * 1 + 5 * 3) / 7.5; second: 2 less 1.
    assert difference.clinicians.value == pytest.approx((3 * (2 - 17.5 / 7.5) + 5 / 3) / (3 + 5 / 3))

    def without(own: float, meets: float, apart: float) -> float:
        """With these many of its own, of others where the judge is above, and where it is not."""
        first, second = own / 2 * (meets / 2 + apart), own / 2 * meets / 2
        first, second = first / (own / 2 + meets / 2 + apart), second / (own / 2 + meets / 2)
        return first * (1 - meets / 2 / (meets / 2 + apart)) / (first + second)

    each = np.array([without(9, 5, 5)] * 10 + [without(10, 4, 5), without(10, 5, 4)] * 5)
    error = np.sqrt(19 / 20 * ((each - each.mean()) ** 2).sum())
    assert difference.difference.error == pytest.approx(error)
    assert difference.difference.high is not None and difference.difference.value is not None
    assert difference.difference.high - difference.difference.value == pytest.approx(
        2.262157 * error, rel=1e-5
    )  # t of 9 df


def test_labels_of_who_labelled_one_side_alone_say_nothing() -> None:
    """A third clinician with one family alone changes no number, and with such people alone none is told."""
    both = [[1, 3] * 10, [3, 1] * 10]
    judge, side = [2, 4] * 5 + [2, 3] * 5, np.array([OWN] * 10 + [OTHER] * 10)

    def difference(people: list[list[int]]) -> FamilyDifference:
        return family_difference(family_tables(tiny(people, judge), [0], side), np.arange(5.0))

    alone = difference([*both, [4] * 10 + [-1] * 10])
    assert alone == difference(both)
    apart = difference([[1, 3] * 5 + [-1] * 10, [-1] * 10 + [1, 3] * 5])
    assert apart.difference.undefined == NOT_BOTH and (apart.own.parts, apart.others.parts) == (0, 0)
    (finding,) = compare_families(tiny([[1, 3] * 5 + [-1] * 10, [-1] * 10 + [1, 3] * 5], judge), side)
    assert (finding.answer, finding.reason, finding.by_question) == ("cannot_tell", NOT_BOTH, {})


def test_tables_without_one_part_are_the_same_made_at_once_or_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = family_tables(*_with_questions(FamilyPlan(12, 15)))
    values = np.arange(5.0)
    at_once = tables.without_each(values, lambda sums: sums.sum(axis=(-4, -3, -2)))
    monkeypatch.setattr(family_differences, "CELLS_AT_ONCE", 1)
    one_by_one = tables.without_each(values, lambda sums: sums.sum(axis=(-4, -3, -2)))
    assert one_by_one.tolist() == at_once.tolist()
    assert at_once[:, PAIRS] == pytest.approx(np.full(27, 26.0 * 3))
    assert at_once[:, JUDGE].sum() == pytest.approx(26 * tables.total(values)[..., JUDGE].sum())


def _with_questions(plan: FamilyPlan) -> tuple[LabelData, list[int], IntArray]:
    data, side = simulate(np.random.default_rng(2), plan)
    return data, [0, 1, 2], side


def test_too_few_conversations_of_one_family_are_a_reason() -> None:
    data = tiny([[1, 3] * 10], [2, 4] * 10)
    side = np.array([OWN] * 9 + [UNKNOWN] * 1 + [OTHER] * 10)
    (finding,) = [each for each in compare_families(data, side) if each.together.own.pairs]
    assert finding.answer == "cannot_tell"
    assert finding.together.difference.undefined == (
        "only 9 of at least 10 conversations or persons have replies of its own family with labels of both"
    )


def test_what_does_not_apply_is_no_pair_and_several_scales_are_corrected_together() -> None:
    rng = np.random.default_rng(7)
    plan = FamilyPlan(200, 200, prefers=0.5)
    data, side = simulate(rng, plan)
    other, _ = simulate(rng, replace(plan, ordinal=False))
    both = replace(
        data,
        questions=(*data.questions, *other.questions),
        given=HumanLabels(
            *(
                np.concatenate(
                    [getattr(data.given, name), getattr(other.given, name) + 3 * (name == "question")]
                )
                for name in ("question", "unit", "rater", "code", "arm", "reveals_before")
            )
        ),
        judge=JudgeLabels(
            np.concatenate([data.judge.question, other.judge.question + 3]),
            np.concatenate([data.judge.unit, other.judge.unit]),
            np.concatenate([data.judge.code, other.judge.code]),
        ),
    )
    first, second = compare_families(both, side)
    (alone,) = compare_families(data, side)
    assert (first.ordinal, second.ordinal) == (True, False)
    assert first.questions == (0, 1, 2) and second.questions == (3, 4, 5)
    assert alone.p is not None and first.p is not None
    assert first.p >= alone.p and set(first.by_question) == {0, 1, 2}
