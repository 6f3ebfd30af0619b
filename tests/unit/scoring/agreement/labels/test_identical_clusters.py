"""One conversation for all in which the same was said: fewer labels, the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.labels.identical_clusters import collapse_identical, identical_groups
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import answers, pair_raters, pair_with_judge
from scoring.agreement.people.colleague import compare_with_colleagues, shared_pairs
from tests.unit.scoring.agreement.drawn import ALL, PAIRED, Drawn, drawn, shuffle, weighing

pytestmark = pytest.mark.filterwarnings("error")


def many(sample: Drawn, weighted: bool = False) -> Labels:
    """Every conversation of a sample three times, under other numbers and in no order."""
    units, parts = len(sample.rows), 1 + max(sample.parts)
    three = Drawn(
        sample.k, sample.rows * 3, [part + again * parts for again in range(3) for part in sample.parts]
    )
    labels = (
        weighing(three.labels, [1 + unit % units % 2 for unit in range(3 * units)])
        if weighted
        else three.labels
    )
    return shuffle(labels, 1)


def same(first: Estimate, other: Estimate) -> None:
    """But for which of the conversations that are alike is named."""
    assert (first.n, first.method, first.undefined, first.no_interval, first.conversations) == (
        other.n,
        other.method,
        other.undefined,
        other.no_interval,
        other.conversations,
    )
    for end in ("value", "low", "high", "influence", "error"):
        assert getattr(first, end) == pytest.approx(getattr(other, end), abs=1e-12), end


@given(drawn(), st.booleans())
def test_every_statistic_is_that_of_all_conversations(sample: Drawn, weighted: bool) -> None:
    labels = many(sample, weighted)
    few = collapse_identical(labels)
    assert few.n == len(labels) and len(few) * 3 <= len(labels)
    for name, of in ALL.items():
        times = pair_raters(few).parts[1] if name in PAIRED else few.units.times
        statistic, counts = of(few, sample.raters)
        every_statistic, every_count = of(labels, sample.raters)
        same(
            jackknife(statistic, counts, few.n, times),
            jackknife(every_statistic, every_count, len(labels)),
        )


@given(drawn(raters=(3, 4)), st.booleans())
def test_means_over_raters_beside_a_judge_are_those_of_all_conversations(
    sample: Drawn, weighted: bool
) -> None:
    labels = many(sample, weighted)
    people, judge = (labels.where(chosen) for chosen in (labels.rater > 0, labels.rater == 0))
    few = collapse_identical(people, answers(people, judge))
    assert (
        pair_with_judge(few, judge).n == len(pair_with_judge(people, judge))
        and pair_with_judge(few, judge).table().tolist() == pair_with_judge(people, judge).table().tolist()
    )
    for statistic in (PERCENT, cohen("none", sample.k), cohen("quadratic", sample.k)):
        own, all_ = (
            [
                average(statistic, pairs.by_side())
                for pairs in (pair_with_judge(some, judge), pair_raters(some))
            ]
            for some in (few, people)
        )
        for first, other in zip(own, all_, strict=True):
            same(first.estimate(), other.estimate())
        comparisons = [
            compare_with_colleagues(statistic, shared_pairs(some, judge)) for some in (few, people)
        ]
        assert comparisons[0].carrying == comparisons[1].carrying
        for what in ("people", "judge", "difference"):
            same(getattr(comparisons[0], what), getattr(comparisons[1], what))


@given(st.lists(st.lists(st.integers(-2, 3), min_size=1, max_size=5), max_size=12))
def test_groups_are_of_one_kind_that_hold_the_same_in_the_same_order(groups: list[list[int]]) -> None:
    group = np.repeat(np.arange(len(groups)), [len(one) for one in groups])
    found = identical_groups(
        group, np.array([item for one in groups for item in one], dtype=np.int64)
    ).tolist()
    assert [[one == other for other in found] for one in found] == [
        [one == other for other in groups] for one in groups
    ]


def test_conversations_differ_by_who_said_what_of_which_unit_and_by_what_is_noted() -> None:
    def of(*rows: tuple[int, int, int, int]) -> Labels:
        unit, rater, part, code = np.array(rows, dtype=np.int64).T
        return Labels(("a", "b"), unit, rater, part, code)

    assert collapse_identical(of((1, 1, 1, 0), (2, 1, 2, 0))).times == [2]
    assert collapse_identical(of((1, 1, 1, 0), (2, 2, 2, 0))).times.tolist() == [1, 1]  # type: ignore[union-attr]
    assert collapse_identical(of((1, 1, 1, 0), (2, 1, 2, 1))).times.tolist() == [1, 1]  # type: ignore[union-attr]
    together, apart = (
        [(1, 1, 1, 0), (1, 2, 1, 0)],
        [(2, 1, 2, 0), (3, 2, 2, 0)],
    )  # both of one unit, or of a unit each
    assert collapse_identical(of(*together, *apart)).times.tolist() == [1, 1, 1, 1]  # type: ignore[union-attr]
    assert collapse_identical(of((1, 1, 1, 0), (2, 1, 2, 0)), np.array([0, 1])).times.tolist() == [1, 1]  # type: ignore[union-attr]
    assert len(collapse_identical(of((1, 1, 1, 0)).where(np.array([False])))) == 0
