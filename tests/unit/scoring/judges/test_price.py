"""What a call costs, in whole billionths of the currency."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from scoring.judges.catalogue import Price


def price(**more: Any) -> Price:
    return Price.model_validate(
        {"date": "2026-11-01", "currency": "USD", "input": "0.75", "output": "3.75", **more}
    )


def test_a_million_tokens_cost_what_the_list_says() -> None:
    assert price().nano(1_000_000, 0) == 750_000_000
    assert price().nano(0, 1_000_000) == 3_750_000_000


def test_one_token_is_counted_to_the_billionth() -> None:
    assert (price().nano(1, 0), price().nano(0, 1)) == (750, 3750)


def test_a_part_of_a_billionth_is_rounded_up() -> None:
    assert price(input="0.0001").nano(1, 0) == 1
    assert price(input="0.0001").nano(11, 0) == 2


def test_cached_tokens_have_a_price_of_their_own_where_the_list_has_one() -> None:
    assert price().nano(1000, 0, cached=800) == 750_000
    assert price(cached_input="0.075").nano(1000, 0, cached=800) == 200 * 750 + 800 * 75


def test_a_batched_call_costs_its_part() -> None:
    assert price(batch="0.5").nano(1000, 100, batched=True) * 2 == price().nano(1000, 100)
    assert (
        price(batch="0.5").nano(1000, 100) == price().nano(1000, 100, batched=True) == price().nano(1000, 100)
    )


def test_nothing_costs_nothing() -> None:
    assert price().nano(0, 0) == 0


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=20))
def test_many_calls_cost_exactly_what_they_cost_together(calls: list[tuple[int, int]]) -> None:
    assert sum(price().nano(*call) for call in calls) == price().nano(
        sum(one for one, _ in calls), sum(one for _, one in calls)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"input": "-0.75"},
        {"output": "-1"},
        {"batch": "-1"},
        {"cached_input": "-1"},
        {"input": "cheap"},
        {"date": "1 November"},
        {"currency": "dollars"},
    ],
)
def test_a_price_that_is_none_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        price(**wrong)
