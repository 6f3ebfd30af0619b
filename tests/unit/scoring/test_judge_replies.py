"""A judge's JSON reply: read to the letter, or refused with what is wrong."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.judge_replies import CoachingReply, UnreadableCoachingReply, read_reply

LABELS = {"YES", "NO", "NA"}
anything = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["answer", "reasoning", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def written(**fields: Any) -> str:
    return json.dumps({"reasoning": "because", "answer": "YES", **fields})


def test_label_and_reasoning_are_read() -> None:
    assert read_reply(written(), LABELS) == CoachingReply("YES", "because")


@pytest.mark.parametrize("reply", [f" \n{written()}\n", written(extra=[1, 2]), written(reasoning="")])
def test_blanks_around_it_further_fields_and_an_empty_reasoning_are_allowed(reply: str) -> None:
    assert read_reply(reply, LABELS).label == "YES"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "not JSON"),
        ("YES", "not JSON"),
        (written()[:-1], "not JSON"),
        (f"```json\n{written()}\n```", "not JSON"),
        ("null", "not an object"),
        ("[]", "not an object"),
        ('"YES"', "not an object"),
        ("NaN", "not an object"),
        ('{"answer": "YES"}', "no reasoning"),
        (written(reasoning=None), "no reasoning"),
        (written(reasoning=3), "no reasoning"),
        (written(answer="yes"), "'yes' is not one of the labels"),
        (written(answer="YES "), "is not one of the labels"),
        (written(answer=None), "None is not one"),
        (written(answer=["YES"]), "is not one of the labels"),
        (written(answer=True), "True is not one"),
        ('{"reasoning": "x"}', "None is not one of the labels"),
        (written(reasoning="x" * 301), "the reasoning has 301 characters, 300 are allowed"),
    ],
)
def test_anything_else_is_a_failure_that_says_what_is_wrong(reply: str, problem: str) -> None:
    with pytest.raises(UnreadableCoachingReply, match=problem):
        read_reply(reply, LABELS)


def test_a_reasoning_of_exactly_the_longest_length_is_read() -> None:
    assert len(read_reply(written(reasoning="x" * 300), LABELS).reasoning) == 300


@pytest.mark.parametrize(
    "reply",
    ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000_000, "9" * 1_000_000, '{"answer": ' + "9" * 10_000 + "}"],
)
def test_a_reply_that_no_parser_gets_through_is_a_failure_and_no_crash(reply: str) -> None:
    with pytest.raises(UnreadableCoachingReply):
        read_reply(reply, LABELS)


def test_ten_megabytes_take_no_hours() -> None:
    began = time.perf_counter()
    with pytest.raises(UnreadableCoachingReply, match="10000000 characters"):
        read_reply(written(reasoning="x" * 10_000_000), LABELS)
    assert time.perf_counter() - began < 60


@given(anything)
def test_whatever_comes_a_label_is_one_of_the_labels_or_there_is_none(value: Any) -> None:
    with contextlib.suppress(UnreadableCoachingReply):
        assert read_reply(json.dumps(value), LABELS).label in LABELS


@pytest.mark.parametrize("reply", [3, b"{}", ["a"], {"answer": "YES"}, float("nan")])
def test_something_else_than_a_text_is_refused_by_name(reply: Any) -> None:
    with pytest.raises(BadInput, match=r"^reply: expected a text"):
        read_reply(reply, LABELS)


def test_no_reply_at_all_is_a_failure() -> None:
    with pytest.raises(UnreadableCoachingReply):
        read_reply(None, LABELS)  # type: ignore[arg-type]
