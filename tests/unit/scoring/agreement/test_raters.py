"""Whose labels count, on whom a verdict rests, who is quick, and who looks copied: on labels whose truth is
planted.
"""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.raters import copies, hasty_raters, influences, thin_raters, units_of_raters
from scoring.agreement.verdict_evidence import gather_evidence
from scoring.agreement.verdict_rule import TrustVerdict, decide
from tests.simulated_judges import PLAIN, StudyPlan, seeing, simulate_labels, to_material
from tests.verdict_cells import MARGINS


def labels(rater_labels: np.ndarray, judge: np.ndarray):  # type: ignore[no-untyped-def]
    """People (C, R) and judge (C,), one unit a conversation; -1 where nobody labelled."""
    return to_material(rater_labels[:, None], judge[:, None], PLAIN)


@pytest.mark.parametrize(
    ("units", "thin"),
    [
        ({1: 50, 2: 50, 3: 9}, {3: 9}),
        ({1: 50, 2: 50, 3: 10}, {}),
        ({1: 100, 2: 100, 3: 19}, {3: 19}),
        ({1: 100, 2: 100, 3: 20}, {}),
        ({1: 6, 2: 6, 3: 5}, {}),
        ({1: 6, 2: 6, 3: 1}, {3: 1}),
        ({1: 50, 2: 3}, {}),
        ({}, {}),
        ({1: 4}, {}),
    ],
)
def test_who_labelled_too_little_to_count(units: dict[int, int], thin: dict[int, int]) -> None:
    """Fewer than a fifth of the median rater, or than ten; never so many that fewer than two are left."""
    assert thin_raters(units) == thin


def test_units_are_counted_once_however_many_questions() -> None:
    people = np.zeros((12, 2), dtype=np.int64)
    people[4:, 1] = -1
    assert units_of_raters(labels(people, np.zeros(12, dtype=np.int64))) == {1: 12, 2: 4}


@pytest.mark.parametrize(
    ("medians", "hasty"),
    [({1: 6.0, 2: 6.0, 3: 1.9}, {3}), ({1: 6.0, 2: 6.0, 3: 2.1}, set()), ({1: 3.0}, set()), ({}, set())],
)
def test_who_is_far_quicker_than_the_others(medians: dict[int, float], hasty: set[int]) -> None:
    assert hasty_raters(medians) == hasty


def test_a_verdict_that_rests_on_one_rater_names_that_rater() -> None:
    """Two see what the judge sees; the third answers at random and drags clinicians' own agreement down, so
    that any judge looks as good.
    """
    rng = np.random.default_rng(5)
    truth = (rng.random(150) < 0.4).astype(np.int64)
    people = np.stack([truth, truth, truth], axis=1)
    people[:, 2] = rng.integers(0, 2, 150)
    judge = np.where(rng.random(150) < 0.88, truth, 1 - truth)
    material = labels(people, judge)
    verdict = decide(gather_evidence(material, 0), MARGINS)
    without_random = decide(gather_evidence(material, 0, without=3), MARGINS)
    assert verdict.verdict is not TrustVerdict.NO and without_random.verdict is TrustVerdict.NO
    assert [
        (influence.rater, influence.without.verdict)
        for influence in influences(material, 0, verdict, MARGINS)
        if influence.rater == 3
    ] == [(3, TrustVerdict.NO)]


def test_a_verdict_that_nobody_carries_alone_names_nobody() -> None:
    truth = (np.arange(150) % 3 == 0).astype(np.int64)
    material = labels(np.stack([truth] * 4, axis=1), truth)
    verdict = decide(gather_evidence(material, 0), MARGINS)
    assert verdict.verdict is TrustVerdict.YES and influences(material, 0, verdict, MARGINS) == ()


def test_a_single_clinicians_false_alarms_do_not_contradict_a_judge_that_always_passes() -> None:
    people = np.full((400, 3), -1, dtype=np.int64)
    people[:, 0] = 0
    people[:40, 1] = 0
    people[50:90, 0] = 1  # forty alone who say failure
    assert gather_evidence(labels(people, np.zeros(400, dtype=np.int64)), 0).contradicted == 0
    people[50:70, 1] = 1
    assert gather_evidence(labels(people, np.zeros(400, dtype=np.int64)), 0).contradicted == 20


def test_clinicians_who_agree_wherever_two_looked_do_not_differ() -> None:
    people = np.full((100, 2), -1, dtype=np.int64)
    people[:, 0] = 0
    people[:40, 1] = 0
    people[50:56, 0] = 1
    assert (
        decide(gather_evidence(labels(people, np.zeros(100, dtype=np.int64)), 0), MARGINS).verdict
        is not TrustVerdict.COLLEAGUES_DIFFER
    )


def test_clinicians_who_never_say_failure_together_differ() -> None:
    people = np.zeros((200, 2), dtype=np.int64)
    people[:40, 0] = 1
    people[40:80, 1] = 1
    assert (
        decide(gather_evidence(labels(people, people[:, 0].copy()), 0), MARGINS).verdict
        is TrustVerdict.COLLEAGUES_DIFFER
    )


def test_a_judge_and_a_rater_who_are_both_right_are_no_copy() -> None:
    people, _ = simulate_labels(
        np.random.default_rng(3), StudyPlan(1000, 0.2, seen=0.98, false=0.02), seeing(0.999, 0.001)
    )
    truth = (people[:, 0].sum(axis=1) > 1).astype(np.int64)
    near = people[:, 0].copy()
    near[:, 0] = truth
    assert copies(labels(near, truth), [0]) == ()
    assert (
        copies(
            labels(np.where(np.random.default_rng(4).random(near.shape) < 0.85, near, 1 - near), truth), [0]
        )
        == ()
    )
    noisy = np.where(np.random.default_rng(4).random(near.shape) < 0.85, near, 1 - near)
    assert [copy.rater for copy in copies(labels(noisy, noisy[:, 1].copy()), [0])] == [2]
