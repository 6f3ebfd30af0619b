"""Pairs of advice, the stride, and a rate that is None where nothing was judged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.knowledge_conflict import advice_pairs, knowledge_conflict

reply = st.sampled_from(["", None, "rest", "walk", "stop"])
cases = st.dictionaries(st.sampled_from("abc"), st.none() | st.lists(reply, max_size=8), max_size=3)
stride = st.integers(1, 4)
verdict = st.sampled_from(["entailment", "neutral", "contradiction", None, "perhaps"])


def same(text: str) -> str:
    return text


def told(answer: str | None) -> Any:
    return lambda premise, hypothesis: answer


@given(cases, stride)
def test_the_product_never_asks_about_nothing(replies: dict[str, Any], every: int) -> None:
    for pair in advice_pairs(replies, same, every):
        assert pair.premise and pair.hypothesis
        assert (pair.premise, pair.hypothesis) == tuple(replies[pair.case][pair.turn - 2 : pair.turn])


@given(cases)
def test_with_stride_1_the_product_asks_the_pairs_of_the_program_that_have_a_premise(
    replies: dict[str, Any],
) -> None:
    published = advice_pairs(replies, same, 1, "reference")
    assert advice_pairs(replies, same, 1) == [pair for pair in published if pair.premise]


@given(cases, stride)
def test_a_longer_stride_asks_less(replies: dict[str, Any], every: int) -> None:
    assert len(advice_pairs(replies, same, every + 1)) <= len(advice_pairs(replies, same, every))


@given(cases, stride, verdict)
def test_the_rate_is_a_share_and_never_0_for_nothing(
    replies: dict[str, Any], every: int, answer: str | None
) -> None:
    found = knowledge_conflict(replies, same, told(answer), every)
    if not found.pairs or answer in (None, "perhaps"):
        assert found.rate.value is None and found.rate.undefined
    else:
        assert found.rate.value == (answer == "contradiction")
        assert found.rate.n == len(found.pairs)


def test_the_program_sends_an_empty_premise_and_the_product_does_not() -> None:
    replies = {"a": ["", "rest", "walk", "stop"]}
    assert [(p.premise, p.hypothesis) for p in advice_pairs(replies, same, 2, "reference")] == [
        ("", "rest"),
        ("walk", "stop"),
    ]
    assert [(p.premise, p.hypothesis, p.turn) for p in advice_pairs(replies, same, 2)] == [
        ("rest", "walk", 3)
    ]


def test_the_stride_counts_anew_in_each_case() -> None:
    replies = {"a": ["rest", "walk"], "b": ["walk", "stop"]}
    assert [pair.case for pair in advice_pairs(replies, same, 3)] == ["a", "b"]


def test_a_failed_call_is_no_verdict_and_is_counted() -> None:
    answers = iter(["contradiction", None, "neutral"])
    found = knowledge_conflict(
        {"a": ["rest", "walk", "stop", "rest"]}, same, lambda premise, hypothesis: next(answers), 1
    )
    assert (found.rate.value, found.rate.n, found.failed) == (0.5, 2, 1)
    assert [pair.turn for pair in found.contradictions] == [2]
    assert found.reference == pytest.approx(1 / 3)


def test_no_pair_is_none_with_a_reason_and_0_in_the_program() -> None:
    found = knowledge_conflict({"a": ["rest"], "b": None}, same, told("contradiction"))
    assert (found.rate.value, found.rate.undefined, found.reference) == (
        None,
        "no two neighbouring turns give advice",
        0.0,
    )


def test_it_asks_in_order() -> None:
    asked: list[tuple[str, str]] = []

    def entails(premise: str, hypothesis: str) -> str:
        asked.append((premise, hypothesis))
        return "neutral"

    knowledge_conflict({"b": ["rest", "walk", "stop"], "a": ["stop", "rest"]}, same, entails, 1)
    assert asked == [("rest", "walk"), ("walk", "stop"), ("stop", "rest")]


@pytest.mark.parametrize(
    ("replies", "every", "variant", "argument"),
    [
        ({"a": ["rest", 3]}, 1, "product", "responses_by_case['a'][1]"),
        ({"a": "rest"}, 1, "product", "responses_by_case['a']"),
        (["rest"], 1, "product", "responses_by_case"),
        ({}, 0, "product", "stride"),
        ({}, True, "product", "stride"),
        ({}, 1.5, "product", "stride"),
        ({}, 1, "both", "variant"),
    ],
)
def test_a_wrong_kind_is_refused_by_name(replies: Any, every: Any, variant: Any, argument: str) -> None:
    with pytest.raises(BadInput) as raised:
        advice_pairs(replies, same, every, variant)
    assert raised.value.argument == argument
