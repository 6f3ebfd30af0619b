"""Whether a criterion applies, and what is said where it does, taken apart."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.kappa import NO_PAIR, cohen
from scoring.agreement.coefficients.spread import of_pairs
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.labels.applicability import APPLIES, separate
from scoring.agreement.labels.pairs import LabelPairs, pair_with_judge
from scoring.arrays import Array
from tests.unit.scoring.agreement.drawn import labels_of, weighing

pytestmark = pytest.mark.filterwarnings("error")


def pairs_of(rows: list[list[int]], weight: list[float] | None = None) -> LabelPairs:
    labels = labels_of(rows, 3)
    labels = labels if weight is None else weighing(labels, weight)
    made = pair_with_judge(labels.where(labels.rater == 0), labels.where(labels.rater == 1))
    return LabelPairs(
        ("YES", "NA", "NO"), made.side, made.unit, made.part, made.first, made.second, made.weight
    )


def kappa(pairs: LabelPairs) -> float | None:
    return jackknife(cohen("none", len(pairs.domain)), pairs.by_part(), len(pairs)).value


def test_pairs_that_a_rule_decides_are_counted_and_left_out() -> None:
    found = separate(
        pairs_of([[1, 1], [1, 0], [2, 1], [0, 2], [1, 1]]), np.array([True, True, True, False, False]), "NA"
    )
    assert (found.forced, found.first_against, found.second_against) == (3, 1, 1)
    assert (len(found.free), len(found.applies), len(found.verdict)) == (2, 2, 1)
    assert found.applies.domain == APPLIES
    assert found.applies.table().tolist() == [[1, 0], [0, 1]]
    assert found.verdict.domain == ("YES", "NO")
    assert found.verdict.table().tolist() == [[0, 1], [0, 0]]


def test_agreement_on_what_applies_does_not_pass_for_agreement_on_the_verdict() -> None:
    rows = [[1, 1]] * 50 + [[0, 0], [0, 2], [2, 0], [2, 2]] * 10
    found = separate(pairs_of(rows), np.zeros(len(rows), dtype=bool), "NA")
    assert (kappa(found.applies), kappa(found.verdict)) == pytest.approx((1, 0))
    naive = kappa(found.free)
    assert naive is not None and naive > 0.6


def test_where_nobody_gave_a_verdict_there_is_none_to_agree_on() -> None:
    found = separate(pairs_of([[1, 1], [1, 0]]), np.zeros(2, dtype=bool), "NA")
    assert jackknife(cohen("none", 2), found.verdict.by_part(), 0).undefined == NO_PAIR
    tables: Array = of_pairs(found.verdict.by_part())
    assert jackknife(gwet("none", (0.0, 1.0)), tables, 0).value is None


def test_weights_stay_with_their_pairs() -> None:
    found = separate(
        pairs_of([[0, 0], [1, 1], [2, 0], [0, 0]], [2, 3, 5, 7]), np.array([False, False, False, True]), "NA"
    )
    assert found.free.weight is not None and found.free.weight.tolist() == [2, 3, 5]
    assert found.applies.by_part().sum(axis=0).tolist() == [[7, 0], [0, 3]]
    assert found.verdict.by_part().sum(axis=0).tolist() == [[2, 0], [5, 0]]
