"""Whose labels count, on whom a verdict rests, who is quick, and who looks copied: on labels whose truth is
planted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring.agreement.verdicts.influences import find_influences
from scoring.agreement.verdicts.raters import (
    find_copies,
    find_raters_left_out,
    find_uninformative_raters,
    hasty_raters,
    thin_raters,
    units_of_raters,
)
from scoring.agreement.verdicts.verdict_evidence import gather_evidence
from scoring.agreement.verdicts.verdict_rule import TrustVerdict, decide
from tests.studies.simulated_judges import PLAIN, StudyPlan, seeing, simulate_labels, to_material
from tests.studies.verdict_cells import MARGINS
from tests.unit.scoring.agreement.made_evidence import evidence


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


def test_raters_set_aside_are_left_out_before_anybody_is_called_thin() -> None:
    people = np.zeros((50, 4), dtype=np.int64)
    people[8:, 2] = -1  # rater 3 has 8 units
    material = labels(people, np.zeros(50, dtype=np.int64))
    assert find_raters_left_out(material, ()) == (frozenset(), {3: 8})
    assert find_raters_left_out(material, {3, 77}) == (frozenset({3}), {}), "77 gave no label"
    assert find_raters_left_out(material, {1, 2}) == (frozenset({1, 2}), {}), "fewer than two would be left"


@pytest.mark.parametrize(
    ("medians", "hasty"),
    [({1: 6.0, 2: 6.0, 3: 1.9}, {3}), ({1: 6.0, 2: 6.0, 3: 2.1}, set()), ({1: 3.0}, set()), ({}, set())],
)
def test_who_is_far_quicker_than_the_others(medians: dict[int, float], hasty: set[int]) -> None:
    assert hasty_raters(medians) == hasty


def test_a_rater_at_random_is_left_out_of_the_verdict_and_named() -> None:
    """Two see what the judge sees; the third answers at random and drags clinicians' own agreement down, so
    that any judge looks as good.
    """
    rng = np.random.default_rng(5)
    truth = (rng.random(150) < 0.4).astype(np.int64)
    people = np.stack([truth, truth, truth], axis=1)
    people[:, 2] = rng.integers(0, 2, 150)
    judge = np.where(rng.random(150) < 0.88, truth, 1 - truth)
    material = labels(people, judge)
    gathered = gather_evidence(material, 0)
    assert gathered.uninformative == (3,) == find_uninformative_raters(material, 0)
    everybody = gather_evidence(material, 0, all_raters=True)
    assert everybody.uninformative == () and decide(everybody, MARGINS).verdict is not TrustVerdict.NO
    assert gathered.with_everyone is not None
    assert gathered.with_everyone.coefficient.difference == everybody.coefficient.difference
    assert decide(gathered, MARGINS).verdict is TrustVerdict.NOT_SHOWN, "a no has to hold with everybody"
    worse = np.where(rng.random(150) < 0.5, truth, 1 - truth)
    assert decide(gather_evidence(labels(people, worse), 0), MARGINS).verdict is TrustVerdict.NO


def test_two_raters_always_count_and_so_does_everybody_where_none_agrees() -> None:
    rng = np.random.default_rng(6)
    truth = (rng.random(150) < 0.4).astype(np.int64)
    pair = np.stack([truth, rng.integers(0, 2, 150)], axis=1)
    assert find_uninformative_raters(labels(pair, truth), 0) == ()
    assert find_uninformative_raters(labels(rng.integers(0, 2, (150, 4)), truth), 0) == ()
    good = np.stack([truth, truth, *rng.integers(0, 2, (3, 150))], axis=1)
    assert find_uninformative_raters(labels(good, truth), 0) == (3, 4, 5)


def test_a_rater_who_always_gives_one_label_says_nothing() -> None:
    truth = (np.arange(150) % 3 == 0).astype(np.int64)
    noisy = np.where(np.random.default_rng(2).random((150, 2)) < 0.95, truth[:, None], 1 - truth[:, None])
    people = np.concatenate([noisy, np.zeros((150, 1), dtype=np.int64)], axis=1)
    assert find_uninformative_raters(labels(people, truth), 0) == (3,)


def test_a_verdict_that_rests_on_one_rater_names_that_rater() -> None:
    """The judge is right where the third rater is wrong with it; without that rater it is refused."""
    rng = np.random.default_rng(5)
    truth = (rng.random(300) < 0.4).astype(np.int64)
    judge = np.where(rng.random(300) < 0.80, truth, 1 - truth)
    people = np.stack([truth, truth, judge], axis=1)
    people = np.where(rng.random(people.shape) < 0.93, people, 1 - people)
    material = labels(people, judge)
    gathered = gather_evidence(material, 0)
    verdict = decide(gathered, MARGINS)
    assert verdict.verdict is not TrustVerdict.NO and gathered.uninformative == ()
    assert [
        (influence.rater, influence.without.verdict)
        for influence in find_influences(gathered, verdict, MARGINS)
        if influence.rater == 3
    ] == [(3, TrustVerdict.NO)]


def test_a_yes_that_only_one_rater_bears_is_withheld_and_names_them() -> None:
    rest: dict[int, dict[str, Any]] = {1: {}, 2: {"coefficient": (-0.2, -0.5, 0.1)}, 3: {}}
    gathered = evidence(left_out=rest)
    verdict = decide(gathered, MARGINS)
    assert str(verdict.reason) == "rests_on_one_rater"
    assert [influence.rater for influence in find_influences(gathered, verdict, MARGINS)] == [2]


@pytest.mark.parametrize(
    ("left_out", "named"),
    [
        ({1: {"coefficient": (-0.15, -0.4, 0.1)}, 2: {"coefficient": (-0.15, -0.4, 0.1)}}, []),
        ({1: {"coefficient": (-0.15, -0.4, 0.1)}, 2: {}}, [1]),
        ({1: {"coefficient": (-0.05, -0.3, 0.1)}, 2: {"coefficient": (-0.15, -0.4, 0.1)}}, [1]),
        ({1: {"coefficient": (0.0, -0.05, 0.1)}, 2: {}}, [1]),
    ],
)
def test_a_no_rests_on_whoever_turns_it_or_takes_its_estimate_away(
    left_out: dict[int, dict[str, Any]], named: list[int]
) -> None:
    """Not on anybody, where leaving out any of two loses it for want of labels alone."""
    worse: dict[str, Any] = {"coefficient": (-0.2, -0.3, -0.1)}
    gathered = evidence(**worse, left_out={rater: {**worse, **rest} for rater, rest in left_out.items()})
    verdict = decide(gathered, MARGINS)
    assert verdict.verdict is TrustVerdict.NO
    assert [influence.rater for influence in find_influences(gathered, verdict, MARGINS)] == named


def test_a_verdict_that_nobody_carries_alone_names_nobody() -> None:
    truth = (np.arange(150) % 3 == 0).astype(np.int64)
    gathered = gather_evidence(labels(np.stack([truth] * 4, axis=1), truth), 0)
    verdict = decide(gathered, MARGINS)
    assert verdict.verdict is TrustVerdict.YES and find_influences(gathered, verdict, MARGINS) == ()


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
    assert find_copies(labels(near, truth), [0]) == {}
    assert (
        find_copies(
            labels(np.where(np.random.default_rng(4).random(near.shape) < 0.85, near, 1 - near), truth), [0]
        )
        == {}
    )
    noisy = np.where(np.random.default_rng(4).random(near.shape) < 0.85, near, 1 - near)
    assert [*find_copies(labels(noisy, noisy[:, 1].copy()), [0])] == [2]


def test_a_careless_rater_makes_no_copy_of_an_honest_one() -> None:
    """A perfect judge, two good clinicians and one at random: the two are close to the judge because the
    third is close to nobody.
    """
    rng = np.random.default_rng(8)
    truth = (rng.random(200) < 0.3).astype(np.int64)
    good = [np.where(rng.random(200) < 0.985, truth, 1 - truth) for _ in range(2)]
    people = np.stack([*good, rng.integers(0, 2, 200)], axis=1)
    assert find_copies(labels(people, truth), [0]) == {}
    assert gather_evidence(labels(people, truth), 0).suspected_copies == ()


def test_whoever_is_left_out_is_in_no_evidence_and_no_suspected_copy() -> None:
    """The fourth rater copies a judge that answers at random: neither counts, and neither accuses."""
    rng = np.random.default_rng(8)
    truth = (rng.random(150) < 0.4).astype(np.int64)
    judge = rng.integers(0, 2, 150)
    good = np.where(rng.random((150, 3)) < 0.95, truth[:, None], 1 - truth[:, None])
    material = labels(np.concatenate([good, judge[:, None]], axis=1), judge)
    gathered = gather_evidence(material, 0)
    assert gathered.uninformative == (4,) and gathered.suspected_copies == ()
    without = gather_evidence(material.leave_out(frozenset({4})), 0)
    assert gathered.left_out.keys() == without.left_out.keys() == {1, 2, 3}
    for rater, rest in without.left_out.items():
        assert gathered.left_out[rater].coefficient == rest.coefficient
