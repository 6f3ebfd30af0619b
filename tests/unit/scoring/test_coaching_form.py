"""Conversations in the strict forms of the coaching rubric's program."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.coaching_form import load
from scoring.rubric import coaching_rubric

USER, ASSISTANT = (
    {"role": "user", "content": "I cannot sleep."},
    {"role": "assistant", "content": "Since when?"},
)
TURNS = (("I cannot sleep.", "Since when?"),)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["messages", "turns", "role", "content", "user", "assistant", "system_prompt"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [USER, ASSISTANT]},
        {"turns": [{"user": "I cannot sleep.", "assistant": "Since when?"}]},
        [["I cannot sleep.", "Since when?"]],
    ],
)
def test_the_three_forms_hold_the_same_conversation(value: Any) -> None:
    assert load(json.dumps(value)).turns == TURNS


def test_messages_of_the_user_in_a_row_are_one_the_last_system_wins_and_other_roles_are_left_out() -> None:
    system = [{"role": "system", "content": text} for text in ("first", "second")]
    found = load(
        json.dumps(
            {"messages": [system[0], USER, {"role": "tool", "content": "x"}, USER, system[1], ASSISTANT]}
        )
    )
    assert found.turns == (("I cannot sleep.\nI cannot sleep.", "Since when?"),)
    assert found.system_prompt == "second"


def test_messages_win_over_turns() -> None:
    assert load(json.dumps({"turns": [], "messages": [USER, ASSISTANT]})).turns == TURNS


def test_the_judge_is_shown_the_turns_with_their_numbers() -> None:
    shown = load(
        json.dumps(
            {
                "turns": [{"user": "a", "assistant": "b"}, {"user": "c", "assistant": "d"}],
                "system_prompt": "s",
            }
        )
    ).formatted()
    assert (
        shown == "--- System Prompt ---\ns\n\n--- Turn 1 ---\nUser: a\nAssistant: b\n\n--- Turn 2 ---\nUser: "
        "c\nAssistant: d\n"
    )


@pytest.mark.parametrize(
    ("turns", "missing"), [(1, {"CP1", "CP3"}), (2, {"CP1", "CP3"}), (3, {"CP3"}), (9, {"CP3"}), (10, set())]
)
def test_criteria_that_need_more_turns_are_not_asked(turns: int, missing: set[str]) -> None:
    rubric = coaching_rubric()
    asked = load(json.dumps([["a", "b"]] * turns)).applicable(rubric)
    assert {criterion.id for criterion in rubric.criteria} - set(asked) == missing


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"messages": [ASSISTANT]}, r"messages\[1\]: the assistant speaks without"),
        ({"messages": [USER, ASSISTANT, ASSISTANT]}, r"messages\[3\]: the assistant"),
        ({"messages": [USER]}, "messages: the conversation ends with a message of the user"),
        ({"messages": []}, "turns: there is no complete turn"),
        ({"messages": [USER, ASSISTANT, USER]}, "messages: the conversation ends"),
        ({"messages": None}, "messages: expected a list, found NoneType"),
        ({"messages": [3]}, r"messages\[1\]: expected an object"),
        ({"messages": [{"role": "user"}]}, r"messages\[1\]: expected an object with role and content"),
        ({"messages": [{"role": ["user"], "content": "x"}]}, r"messages\[1\]: expected an object"),
        ({"turns": 3}, "turns: expected a list, found int"),
        ({"turns": [["a", "b"]]}, r"turns\[1\]: expected an object with user and assistant"),
        ({"turns": [{"user": "a"}]}, "turn 1: expected a text, found NoneType"),
        ({"turns": [{"user": "a", "assistant": ""}]}, "turn 1: a text is empty"),
        ({"turns": [], "system_prompt": 3}, "system_prompt: expected a text, found int"),
        ([["a"]], "turn 1: expected a pair"),
        ([["a", "b"], "ab"], "turn 2: expected a pair"),
        ([["a", 1]], "turn 1: expected a text, found int"),
        ([], "turns: there is no complete turn"),
        ({}, "file_text: there is neither"),
        (3, "file_text: there is neither"),
        (None, "file_text: there is neither"),
    ],
)
def test_what_cannot_be_used_is_named_by_its_place(value: Any, problem: str) -> None:
    with pytest.raises(BadInput, match=f"^{problem}"):
        load(json.dumps(value))


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"a":' * 100_000, "[" * 5_000_000, "\ud800", "NaN,", "9" * 10_000]
)
def test_what_is_not_json_is_refused_and_no_crash(text: str) -> None:
    with pytest.raises(BadInput, match=r"^file_text: "):
        load(text)


@pytest.mark.parametrize("text", [None, 3, b'[["a", "b"]]', ["a"], float("nan")])
def test_something_else_than_a_text_is_refused_by_name(text: Any) -> None:
    with pytest.raises(BadInput, match=r"^file_text: "):
        load(text)


@given(values)
def test_whatever_comes_there_are_whole_turns_or_a_reason(value: Any) -> None:
    try:
        found = load(json.dumps(value))
    except BadInput as problem:
        assert problem.argument and problem.problem
    else:
        assert found.turns
        assert all(user and assistant for user, assistant in found.turns)


def test_ten_megabytes_and_ten_thousand_turns_take_no_hours() -> None:
    began = time.perf_counter()
    assert len(load(json.dumps([["u" * 500, "a" * 500]] * 10_000)).turns) == 10_000
    assert len(load(json.dumps({"messages": [USER] * 100_000 + [ASSISTANT]})).turns) == 1
    assert time.perf_counter() - began < 60
