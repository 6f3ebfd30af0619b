"""Units with more raters on which raters agree less, or more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.agreement.judges.lost_answers import compare_lost_answers
from scoring.agreement.verdicts.uneven_raters import find_uneven_raters
from scoring.arrays import Mask
from tests.studies.simulated_judges import JUDGES, PLAIN, StudyPlan, simulate_study, to_material


def share_found(plan: StudyPlan, studies: int = 60) -> float:
    return float(
        np.mean(
            [
                find_uneven_raters(simulate_study(plan, JUDGES["exchangeable"], n).human_labels(0))
                for n in range(studies)
            ]
        )
    )


def test_third_opinions_where_the_first_two_differ_are_found() -> None:
    assert share_found(StudyPlan(200, 0.3, raters=5, seen=0.85, false=0.05, thirds=True)) == 1.0


def test_as_many_raters_on_each_unit_are_never_uneven() -> None:
    assert share_found(StudyPlan(60, 0.3, raters=3)) == 0.0


def test_raters_who_are_drawn_at_random_are_not_uneven() -> None:
    rng = np.random.default_rng(1)
    uneven = 0
    for _ in range(100):
        truth = rng.random(150) < 0.3
        people = (rng.random((150, 5)) < np.where(truth, 0.85, 0.05)[:, None]).astype(np.int64)
        people[rng.random(people.shape) < 0.5] = -1
        uneven += find_uneven_raters(
            to_material(people[:, None], truth[:, None].astype(np.int64), PLAIN).human_labels(0)
        )
    assert uneven <= 4


@pytest.mark.parametrize("hard", [True, False])
def test_more_raters_on_easy_or_on_hard_units_are_found(hard: bool) -> None:
    rng = np.random.default_rng(2)
    truth, is_hard = rng.random(200) < 0.3, rng.random(200) < 0.3
    chance = np.where(is_hard, np.where(truth, 0.65, 0.25), np.where(truth, 0.95, 0.02))
    people = (rng.random((200, 5)) < chance[:, None]).astype(np.int64)
    people[is_hard != hard, 2:] = -1
    assert find_uneven_raters(
        to_material(people[:, None], truth[:, None].astype(np.int64), PLAIN).human_labels(0)
    )


@pytest.mark.parametrize(("judge_says", "together"), [(2, True), (1, False)])
def test_does_not_apply_where_clinicians_see_failures_is_an_evasion(judge_says: int, together: bool) -> None:
    truth = np.arange(100) % 5 == 0
    people = np.repeat(truth[:, None], 3, axis=1).astype(np.int64)
    judge = np.where(truth & (np.arange(100) % 10 == 0), judge_says, truth.astype(np.int64))
    lost = compare_lost_answers(to_material(people[:, None], judge[:, None], PLAIN), 0)
    assert lost.evasions.together is together is lost.together
    both = np.where(truth[:, None], 2, people)  # they say so too: nothing is evaded
    assert not compare_lost_answers(to_material(both[:, None], judge[:, None], PLAIN), 0).together


def test_absent_rows_where_clinicians_are_content_accuse_nobody() -> None:
    """One-sided: a judge that has no row for good conversations hides no failure. Nor is a failed call absent."""
    truth = np.arange(100) % 5 == 0
    people = np.repeat(truth[:, None], 3, axis=1).astype(np.int64)

    def lost(silent: Mask, absent: bool) -> tuple[bool, bool, int, int]:
        judge = np.where(silent, -1, truth.astype(np.int64))
        material = to_material(people[:, None], judge[:, None], PLAIN)
        if absent:
            material = replace(material, judge=replace(material.judge, failed=()))
        answers = compare_lost_answers(material, 0)
        return answers.absences.together, answers.failures.together, answers.absent, answers.failed

    bad, good = truth & (np.arange(100) % 10 == 0), ~truth & (np.arange(100) % 3 == 0)
    assert lost(bad, absent=True) == (True, False, 10, 0)
    assert lost(bad, absent=False) == (False, True, 0, 10)
    assert lost(good, absent=True)[:2] == (False, False)
