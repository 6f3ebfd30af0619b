"""How alike the plans of repeated trials are."""

from __future__ import annotations

import time
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.plan_alignment import plan_consistency

sets = st.lists(st.frozensets(st.sampled_from("abcd"), max_size=4), max_size=9)


@given(sets)
def test_the_mean_over_distinct_plans_is_the_mean_over_all_pairs(held: list[frozenset[str]]) -> None:
    pairs = [
        len(one & other) / len(one | other) if one | other else 1.0 for one, other in combinations(held, 2)
    ]
    found = plan_consistency(held).jaccard_all.value
    assert found == pytest.approx(sum(pairs) / len(pairs)) if pairs else found is None


@given(sets)
def test_every_value_lies_between_0_and_1_and_none_has_a_reason_beside_the_published_number(
    held: list[frozenset[str]],
) -> None:
    found = plan_consistency(held)
    for name in ("validity_rate", "jaccard_all", "jaccard_valid_only", "modal_set_agreement"):
        estimate = getattr(found, name)
        assert (estimate.value is None) == (estimate.undefined is not None)
        assert estimate.value is None or 0 <= estimate.value <= 1 + 1e-12
        assert estimate.value is None or estimate.value == found.reference[name]
    assert (found.jaccard_all.value is None) == (len(held) < 2)


@given(sets, st.randoms(use_true_random=False))
def test_the_order_of_the_trials_does_not_matter(held: list[frozenset[str]], chance: Any) -> None:
    shuffled = list(held)
    chance.shuffle(shuffled)
    one, other = plan_consistency(held), plan_consistency(shuffled)
    assert one.reference == pytest.approx(other.reference)


@given(sets)
def test_one_more_of_the_most_frequent_plan_never_lowers_the_modal_agreement(
    held: list[frozenset[str]],
) -> None:
    if len(held) >= 2:
        most = max(held, key=held.count)
        more = plan_consistency([*held, most]).modal_set_agreement.value
        before = plan_consistency(held).modal_set_agreement.value
        assert more is not None and before is not None and more >= before


@pytest.mark.parametrize(
    ("held", "validity", "reference"), [([], None, 1.0), ([{"a"}], 1.0, 1.0), ([set()], 0.0, 1.0)]
)
def test_one_plan_is_like_nothing_and_has_no_mean(
    held: list[set[str]], validity: float | None, reference: float
) -> None:
    found = plan_consistency(held)
    assert (found.jaccard_all.value, found.modal_set_agreement.value, found.validity_rate.value) == (
        None,
        None,
        validity,
    )
    assert found.reference["jaccard_all"] == reference


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("ab", "strategy_sets"),
        (None, "strategy_sets"),
        (["ab"], r"strategy_sets\[0\]"),
        ([None], r"strategy_sets\[0\]"),
        ([3], r"strategy_sets\[0\]"),
        ([[1]], r"strategy_sets\[0\]"),
        ([[["a"]]], r"strategy_sets\[0\]"),
        ([float("nan")], r"strategy_sets\[0\]"),
        (b"ab", "strategy_sets"),
        ([["a"], b"ab"], r"strategy_sets\[1\]"),
        ([[None]], r"strategy_sets\[0\]"),
    ],
)
def test_plans_of_a_wrong_kind_are_refused_by_name(held: Any, name: str) -> None:
    with pytest.raises(BadInput, match=f"^{name}.*: expected"):
        plan_consistency(held)


def test_ten_thousand_plans_take_no_hours() -> None:
    began = time.perf_counter()
    plan_consistency([{f"s{number % 50}", f"t{number % 40}"} for number in range(10_000)])
    plan_consistency([{f"s{number}"} for number in range(3_000)])
    assert time.perf_counter() - began < 60
