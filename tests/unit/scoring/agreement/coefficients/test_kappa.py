"""Kappa against scikit-learn on random tables; what is undefined says why."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from scoring.agreement.coefficients.kappa import kappa
from scoring.agreement.coefficients.percent import percent
from scoring.agreement.coefficients.weights import Weights
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.labels.pairs import confusion

WEIGHTS: list[Weights] = ["none", "linear", "quadratic"]
DOMAIN = ("0", "1", "2", "3", "4")
weights = st.sampled_from(WEIGHTS)
pairs = st.integers(1, 5).flatmap(
    lambda k: st.tuples(
        st.just(DOMAIN[:k]),
        st.lists(st.tuples(st.sampled_from(DOMAIN[:k]), st.sampled_from(DOMAIN[:k])), max_size=60),
    )
)


def by_scikit_learn(rows: list[tuple[str, str]], domain: Sequence[str], weight: Weights) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(
            cohen_kappa_score(
                [a for a, _ in rows],
                [b for _, b in rows],
                labels=list(domain),
                weights=None if weight == "none" else weight,
            )
        )


@given(pairs, weights)
def test_it_is_the_kappa_of_scikit_learn_on_the_declared_domain(
    drawn: tuple[tuple[str, ...], list[tuple[str, str]]], weight: Weights
) -> None:
    domain, rows = drawn
    assume(rows)
    expected = by_scikit_learn(rows, domain, weight)
    estimate = kappa(confusion(rows, domain), weight)
    if math.isnan(expected):
        assert estimate.value is None
    else:
        assert estimate.value == pytest.approx(expected, abs=1e-9)


@given(pairs, weights)
@example((DOMAIN, []), "none")
@example((DOMAIN, [("2", "2")] * 9), "quadratic")
def test_there_is_either_a_finite_number_or_a_reason(
    drawn: tuple[tuple[str, ...], list[tuple[str, str]]], weight: Weights
) -> None:
    domain, rows = drawn
    found = kappa(confusion(rows, domain), weight)
    if found.value is None:
        assert found.undefined
    else:
        assert math.isfinite(found.value)
        assert found.value <= 1


@pytest.mark.parametrize("weight", WEIGHTS)
def test_no_pairs_cannot_be_estimated(weight: Weights) -> None:
    assert kappa(confusion([], DOMAIN), weight).undefined == "there is no pair of labels"


@pytest.mark.parametrize("weight", WEIGHTS)
def test_one_and_the_same_label_throughout_cannot_be_estimated(weight: Weights) -> None:
    found = kappa(confusion([("2", "2")] * 30, DOMAIN), weight)
    assert (found.value, found.n) == (None, 30)
    assert "every label is the same" in str(found.undefined)


def test_a_judge_that_always_says_the_same_has_kappa_0_because_that_can_be_estimated() -> None:
    assert kappa(confusion([("0", "2"), ("2", "2"), ("1", "2")], DOMAIN)).value == 0


def test_perfect_agreement_on_two_labels_is_1() -> None:
    assert kappa(confusion([("0", "0"), ("2", "2")], DOMAIN), "quadratic").value == 1


def test_an_unused_middle_keeps_its_place_on_the_scale() -> None:
    rows = [("0", "0"), ("0", "1"), ("1", "4"), ("4", "4")]
    declared, squeezed = (
        kappa(confusion(rows, DOMAIN), "quadratic").value,
        kappa(confusion(rows, ["0", "1", "4"]), "quadratic").value,
    )
    assert declared != pytest.approx(squeezed)


@given(pairs, weights)
def test_who_stands_first_makes_no_difference(
    drawn: tuple[tuple[str, ...], list[tuple[str, str]]], weight: Weights
) -> None:
    domain, rows = drawn
    there, back = (
        kappa(confusion(rows, domain), weight),
        kappa(confusion([(b, a) for a, b in rows], domain), weight),
    )
    assert there.value == (None if back.value is None else pytest.approx(back.value, abs=1e-12))


@pytest.mark.parametrize("pair", [("YES", "MAYBE"), ("MAYBE", "YES"), ("yes", "YES")])
def test_a_label_outside_the_domain_is_refused_by_name(pair: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"the label '(MAYBE|yes)' is not on this scale: YES, NO"):
        confusion([pair], ["YES", "NO"])


def test_counts_stand_with_the_first_side_in_rows() -> None:
    assert np.array_equal(
        confusion([("YES", "NO"), ("YES", "NO"), ("NO", "NO")], ["YES", "NO"]), [[0, 2], [0, 1]]
    )


def test_percent_is_the_share_on_the_diagonal() -> None:
    assert percent(confusion([("0", "0"), ("0", "1"), ("1", "1"), ("2", "2")], DOMAIN)).value == 0.75


def test_percent_of_nothing_cannot_be_estimated() -> None:
    assert percent(confusion([], DOMAIN)).value is None


def test_an_estimate_has_a_value_or_a_reason_and_never_both_or_neither() -> None:
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(None, 3, "kappa")
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(0.5, 3, "kappa", "but why")
    assert undefined_estimate("no pairs", 0, "kappa").value is None
